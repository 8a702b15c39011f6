/** Faults with a hidden trigger are found by exploring, for the right reason, and unusual gateways are left alone. */
import { expect, it } from 'vitest';
import type { VariantId } from '../../src/gateway/index.ts';
import { blamedOf, tryHidden } from '../../src/selftest/explore/try-explore.ts';

const SEED = 1;
/** A fixed sample: a text, a number, messages, unknown fields and a sequence. `npm run explore` tries all of them, with five seeds. */
const TRIED = [
  'hidden-hebrew',
  'hidden-temperature-above-one',
  'hidden-seventh-message',
  'hidden-unknown-in-later-message',
  'hidden-after-refused-stream',
];

it.each(TRIED)('%s is found within 300 requests, and shrunk', { timeout: 60_000 }, async (id) => {
  const { problems, needed, isShrunk } = await tryHidden(id, SEED);
  expect(problems).toEqual([]);
  expect(needed).toBeLessThanOrEqual(300);
  expect(isShrunk).toBe(true);
});

const VARIANTS: readonly VariantId[] = ['unknown-fields-everywhere', 'created-in-milliseconds'];

it.each(VARIANTS)('the variant %s is not blamed for anything', { timeout: 60_000 }, async (id) => {
  expect(await blamedOf(id, SEED, 120)).toEqual([]);
});
