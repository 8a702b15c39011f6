/** The `max_tokens` of a request. */
import { isObject } from '../json.ts';
import type { Settings } from '../settings.ts';
import { writtenNumber } from './bind-request.ts';
import type { RequestBody } from './plan.ts';

/**
 * A number, or the setting that has it. `none` also for `null`; `invalid` if it is no whole number from 1. A number below the
 * minimum of a profile, or above what a model allows, is a limit: whoever answers it nevertheless stops there.
 */
type TokenLimit = number | keyof Pick<Settings, 'replyTokens' | 'streamTokens'> | 'none' | 'invalid';

const OF_SETTINGS: ReadonlyMap<unknown, TokenLimit> = new Map([
  ['${replyTokens}', 'replyTokens'],
  ['${briefTokens}', 'replyTokens'],
  ['${streamTokens}', 'streamTokens'],
]);

export function tokenLimitOf(body: RequestBody | undefined): TokenLimit {
  const asked = body?.kind === 'json' && isObject(body.value) ? (body.value['max_tokens'] ?? null) : null;
  if (asked === null) return 'none';
  const number = writtenNumber(asked);
  return OF_SETTINGS.get(asked) ?? (Number.isInteger(number) && number >= 1 ? number : 'invalid');
}
