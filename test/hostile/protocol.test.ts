import { describeHostile } from './hostile-suite.ts';
import { PROTOCOL } from './protocol.ts';

describeHostile('protocol', PROTOCOL, { isShared: true });
