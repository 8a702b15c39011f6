/** The checks on everything but streams, by the names that suites use. */

import type { Check } from '../check.ts';
import { STREAM_CHECKS } from './streams/index.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { REFUSAL_CHECKS } from './refusals.ts';
import { KEY_CHECKS } from './keys.ts';
import { ERROR_CHECKS } from './errors.ts';
import { BODY_CHECKS } from './bodies.ts';
import { COMPLETION_CHECKS } from './completions.ts';
import { TOKEN_LIMIT_CHECKS } from './max-tokens.ts';
import { MODEL_CHECKS } from './models.ts';
import { OPENAPI_CHECKS } from './openapi.ts';
import { SEEN_ANSWER_CHECKS } from './observed-answers.ts';
import { SEEN_FIELD_CHECKS } from './observed-fields.ts';

export const PLAIN_CHECKS = byName({
  ...ANSWER_CHECKS,
  ...REFUSAL_CHECKS,
  ...KEY_CHECKS,
  ...ERROR_CHECKS,
  ...BODY_CHECKS,
  ...COMPLETION_CHECKS,
  ...TOKEN_LIMIT_CHECKS,
  ...MODEL_CHECKS,
  ...OPENAPI_CHECKS,
  ...SEEN_ANSWER_CHECKS,
  ...SEEN_FIELD_CHECKS,
});

export const CHECKS = byName({ ...PLAIN_CHECKS, ...STREAM_CHECKS });
export type CheckName = keyof typeof CHECKS;

/** Forgets what only some of them have, but not the names. */
function byName<Name extends string>(checks: Readonly<Record<Name, Check>>): Readonly<Record<Name, Check>> {
  return checks;
}
