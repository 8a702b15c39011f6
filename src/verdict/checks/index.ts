/** The checks, by the names that suites use. */

import type { Check } from '../check.ts';
import { STREAM_REPLY_CHECKS } from './streams/stream-replies.ts';
import { STREAM_FRAMING_CHECKS } from './streams/framing.ts';
import { CHUNK_CHECKS } from './streams/chunks.ts';
import { STREAM_TEXT_CHECKS } from './streams/text.ts';
import { STREAM_END_CHECKS } from './streams/endings.ts';
import { SEEN_STREAM_CHECKS } from './streams/observed-streams.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { REFUSAL_CHECKS } from './refusals.ts';
import { KEY_CHECKS } from './keys.ts';
import { ERROR_CHECKS } from './errors.ts';
import { BODY_CHECKS } from './bodies.ts';
import { COMPLETION_CHECKS } from './completions.ts';
import { MODEL_CHECKS } from './models.ts';
import { openapi } from './openapi.ts';
import { SEEN_ANSWER_CHECKS } from './observed-answers.ts';
import { SEEN_FIELD_CHECKS } from './observed-fields.ts';
import { BROWSER_CHECKS } from './browsers.ts';
import { COUNT_CHECKS } from './counts.ts';
import { SEEN_SERVICE_CHECKS } from './observed-services.ts';
import { LEAK_CHECKS } from './leaks.ts';

export const CHECKS = byName({
  ...ANSWER_CHECKS,
  ...REFUSAL_CHECKS,
  ...KEY_CHECKS,
  ...ERROR_CHECKS,
  ...BODY_CHECKS,
  ...COMPLETION_CHECKS,
  ...MODEL_CHECKS,
  openapi,
  ...SEEN_ANSWER_CHECKS,
  ...SEEN_FIELD_CHECKS,
  ...BROWSER_CHECKS,
  ...COUNT_CHECKS,
  ...SEEN_SERVICE_CHECKS,
  ...LEAK_CHECKS,
  ...STREAM_REPLY_CHECKS,
  ...STREAM_FRAMING_CHECKS,
  ...CHUNK_CHECKS,
  ...STREAM_TEXT_CHECKS,
  ...STREAM_END_CHECKS,
  ...SEEN_STREAM_CHECKS,
});

export type CheckName = keyof typeof CHECKS;

/** Forgets what only some of them have, but not the names. */
function byName<Name extends string>(checks: Readonly<Record<Name, Check>>): Readonly<Record<Name, Check>> {
  return checks;
}
