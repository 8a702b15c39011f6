import { describeHostile } from './hostile-suite.test.kit.ts';
import { ECHOES } from './echoes.test.kit.ts';

describeHostile('echoes', ECHOES);
