/** The hostile behaviours, all together. */
import { AMOUNTS } from './amounts.test.kit.ts';
import type { Behaviours } from './behaviour.test.kit.ts';
import { ECHOES } from './echoes.test.kit.ts';
import { FRAMING } from './framing.test.kit.ts';
import { PROTOCOL } from './protocol.test.kit.ts';
import { SIZES } from './sizes.test.kit.ts';
import { TEXTS } from './texts.test.kit.ts';
import { TIMES } from './times.test.kit.ts';

export const GROUPS: Readonly<Record<string, Behaviours>> = {
  times: TIMES,
  sizes: SIZES,
  amounts: AMOUNTS,
  protocol: PROTOCOL,
  framing: FRAMING,
  texts: TEXTS,
  echoes: ECHOES,
};
