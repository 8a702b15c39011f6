import { FRAMING } from './framing.test.kit.ts';
import { describeHostile } from './hostile-suite.test.kit.ts';

describeHostile('framing', FRAMING);
