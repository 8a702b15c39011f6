import { AMOUNTS } from './amounts.ts';
import { describeHostile } from './hostile-suite.ts';

describeHostile('amounts', AMOUNTS);
