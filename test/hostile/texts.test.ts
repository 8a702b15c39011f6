import { TEXTS } from './texts.ts';
import { describeHostile } from './hostile-suite.ts';
import { RECORD } from './run-cli.ts';

describeHostile('texts', TEXTS, { flags: RECORD, isShared: true });
