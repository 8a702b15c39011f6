/** All hostile behaviours. */
import { AMOUNTS } from './amounts.ts';
import type { Behaviours } from './behaviour.ts';
import { ECHOES } from './echoes.ts';
import { FRAMING } from './framing.ts';
import { PROTOCOL } from './protocol.ts';
import { SIZES } from './sizes.ts';
import { TEXTS } from './texts.ts';
import { TIMES } from './times.ts';

export const GROUPS: Readonly<Record<string, Behaviours>> = {
  times: TIMES,
  sizes: SIZES,
  amounts: AMOUNTS,
  protocol: PROTOCOL,
  framing: FRAMING,
  texts: TEXTS,
  echoes: ECHOES,
};
