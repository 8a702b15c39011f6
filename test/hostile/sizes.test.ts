import { describeHostile } from './hostile-suite.ts';
import { SIZES } from './sizes.ts';

describeHostile('sizes', SIZES);
