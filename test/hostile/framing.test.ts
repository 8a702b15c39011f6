import { FRAMING } from './framing.ts';
import { describeHostile } from './hostile-suite.ts';

describeHostile('framing', FRAMING, { isShared: true });
