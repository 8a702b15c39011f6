/** The stream checks, by the names that suites use. */

import type { Check } from '../../check.ts';
import { STREAM_REPLY_CHECKS } from './stream-replies.ts';
import { STREAM_FRAMING_CHECKS } from './framing.ts';
import { CHUNK_CHECKS } from './chunks.ts';
import { STREAM_TEXT_CHECKS } from './text.ts';
import { STREAM_END_CHECKS } from './endings.ts';
import { SEEN_STREAM_CHECKS } from './observed-streams.ts';

export const STREAM_CHECKS = {
  ...STREAM_REPLY_CHECKS,
  ...STREAM_FRAMING_CHECKS,
  ...CHUNK_CHECKS,
  ...STREAM_TEXT_CHECKS,
  ...STREAM_END_CHECKS,
  ...SEEN_STREAM_CHECKS,
} as const satisfies Record<string, Check>;
