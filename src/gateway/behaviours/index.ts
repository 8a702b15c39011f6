/** What a scripted server can do beyond the variants and faults by which gateways are tried. */
import type { Modifier } from '../modifier.ts';
import { FAILURE_BEHAVIOURS } from './failures.ts';
import { REPLY_BEHAVIOURS } from './replies.ts';
import { STREAM_BEHAVIOURS } from './streams.ts';

export const BEHAVIOURS = {
  ...REPLY_BEHAVIOURS,
  ...STREAM_BEHAVIOURS,
  ...FAILURE_BEHAVIOURS,
} satisfies Record<string, Modifier>;
