import { describeHostile } from './hostile-suite.ts';
import { TIMES } from './times.ts';

describeHostile('times', TIMES, { atOnce: 5 });
