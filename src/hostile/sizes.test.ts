import { describeHostile } from './hostile-suite.test.kit.ts';
import { SIZES } from './sizes.test.kit.ts';

describeHostile('sizes', SIZES);
