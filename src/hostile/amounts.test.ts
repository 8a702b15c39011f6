import { AMOUNTS } from './amounts.test.kit.ts';
import { describeHostile } from './hostile-suite.test.kit.ts';

describeHostile('amounts', AMOUNTS);
