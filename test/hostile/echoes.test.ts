import { ECHOES } from './echoes.ts';
import { describeHostile } from './hostile-suite.ts';
import { RECORD } from './run-cli.ts';

describeHostile('echoes', ECHOES, { flags: RECORD, isShared: true });
