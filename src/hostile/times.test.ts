import { describeHostile } from './hostile-suite.test.kit.ts';
import { TIMES } from './times.test.kit.ts';

describeHostile('times', TIMES, { atOnce: 5 });
