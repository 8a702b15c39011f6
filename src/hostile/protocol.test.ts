import { describeHostile } from './hostile-suite.test.kit.ts';
import { PROTOCOL } from './protocol.test.kit.ts';

describeHostile('protocol', PROTOCOL);
