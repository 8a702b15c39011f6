import { ECHOES } from './echoes.test.kit.ts';
import { describeHostile } from './hostile-suite.test.kit.ts';
import { RECORD } from './run-cli.test.kit.ts';

describeHostile('echoes', ECHOES, { flags: RECORD });
