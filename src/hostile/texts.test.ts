import { TEXTS } from './texts.test.kit.ts';
import { describeHostile } from './hostile-suite.test.kit.ts';
import { RECORD } from './run-cli.test.kit.ts';

describeHostile('texts', TEXTS, { flags: RECORD });
