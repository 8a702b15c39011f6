/** Faults with a hidden trigger are found by exploring, for the right reason, and what is unusual is left alone. */
import { expect, it } from 'vitest';
import { blamedOf, tryHidden } from '../../selftest/explore/try-explore.ts';
import { FIXED, SEED as TESTED_SEED } from '../kit/explored.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

const SEED = IS_THOROUGH ? 1 : TESTED_SEED;
/**
 * A fixed sample: a text, and with everything sequences. Numbers, messages and unknown fields are in `test/thorough/explore-crowds.test.ts`.
 * `npm run explore` tries all.
 */
const HIDDEN = IS_THOROUGH ? ['hidden-hebrew', 'hidden-after-refused-stream', 'hidden-second-call'] : ['hidden-hebrew'];
/** `src/commands/relay-explore.test.ts` finds one in every run. */
const HIDDEN_RELAY = IS_THOROUGH
  ? ['relay-hidden-clamp', 'relay-hidden-seventh-message', 'relay-hidden-second-call', 'relay-hidden-emoji-in-reply']
  : [];
/** Enough for the sample of `npm test`. */
const REQUESTS = IS_THOROUGH ? 300 : FIXED + 25;

it.each(HIDDEN)('%s is found, and shrunk', { timeout: 60_000 }, async (id) => {
  const { problems, needed, needless } = await tryHidden(id, SEED, REQUESTS);
  expect(problems).toEqual([]);
  expect(needed).toBeLessThanOrEqual(REQUESTS);
  expect(needless).toEqual([]);
});

it.each(HIDDEN_RELAY)('%s is found at both ends, and shrunk', { timeout: 60_000 }, async (id) => {
  const { problems, needed, needless } = await tryHidden(id, SEED, REQUESTS);
  expect(problems).toEqual([]);
  expect(needed).toBeLessThanOrEqual(REQUESTS);
  expect(needless).toEqual([]);
});

const VARIANTS = IS_THOROUGH
  ? ['unknown-fields-everywhere', 'created-in-milliseconds', 'echo-in-reasoning']
  : ['unknown-fields-everywhere'];

it.each(VARIANTS)('the variant %s is not blamed for anything', { timeout: 60_000 }, async (id) => {
  expect(await blamedOf(id, SEED, IS_THOROUGH ? 200 : REQUESTS)).toEqual([]);
});

const RELAYS = IS_THOROUGH
  ? ['relay-sends-parts', 'relay-always-streams', 'relay-caches-by-key']
  : ['relay-sends-parts'];

it.each(RELAYS)('%s is not blamed for anything', { timeout: 60_000 }, async (id) => {
  expect(await blamedOf(id, SEED, IS_THOROUGH ? 120 : REQUESTS)).toEqual([]);
});
