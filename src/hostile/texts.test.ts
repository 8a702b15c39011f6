import { describeHostile } from './hostile-suite.test.kit.ts';
import { TEXTS } from './texts.test.kit.ts';

describeHostile('texts', TEXTS);
