/** What every exploration asks first, whatever its seed: each fault is found, and what may be refused or taken is not blamed. */
import { describe, expect, it } from 'vitest';
import { FIXED_FAULTS } from '../../../selftest/explore/hidden-faults.ts';
import { exploreFor, FIXED } from '../../../test/kit/explored.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import { IS_THOROUGH } from '../../../test/kit/thoroughness.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { hasNumber, isModels, messagesOf, says } from '../../gateway/call-tests.ts';
import type { Call } from '../../gateway/call.ts';
import { errorAnswer } from '../../gateway/change-answer.ts';
import type { GatewayOptions } from '../../gateway/index.ts';
import { makeDraws } from './make-draws.ts';

const SEEDS = [1, 2, 44_280];
/** One of them in turn, unless there is time for all. */
const seedsFor = (place: number): readonly number[] => (IS_THOROUGH ? SEEDS : SEEDS.slice(place % 3, (place % 3) + 1));

it('The list of draws begins with the same ones for every seed', () => {
  const [first, ...more] = SEEDS.map((seed) =>
    makeDraws(loadContract(), { seed, requests: FIXED, completions: FIXED }),
  );
  expect(first).toHaveLength(FIXED);
  for (const draws of more) expect(draws).toEqual(first);
});

describe('Before the seeded draws', { timeout: 30_000 }, () => {
  const faults = Object.entries(FIXED_FAULTS).map(([id, fault], place) => ({ id, fault, seeds: seedsFor(place) }));

  it.each(faults)('$id is found with the seeds $seeds', async ({ fault, seeds }) => {
    for (const seed of seeds) {
      const { report } = await exploreFor({ modifiers: [fault] }, 0, { seed });
      expect([...brokenClauses(report)].toSorted(), `seed ${seed}`).toEqual([...fault.breaks].toSorted());
    }
  });

  const may = (call: Call): boolean =>
    says(/\p{Surrogate}|(?!\n)\p{Cc}|^$/u)(call) || hasNumber('max_tokens', (value) => value > 4096)(call);
  const isForm = ({ headers }: Call): boolean => /form/.test(headers['content-type'] ?? '');

  it.each<readonly [string, GatewayOptions]>([
    ['takes all that it may take', {}],
    ['refuses all that it may refuse', { modifiers: [{ refuse: may }] }],
    ['refuses another content type with 415', { variant: 'content-type-required' }],
    ['refuses a form as something it does not find', { modifiers: [{ only: isForm, before: () => errorAnswer(404) }] }],
    [
      'refuses null among messages with 422',
      {
        modifiers: [
          { only: (call) => messagesOf(call).includes(null), refusal: (reason) => ({ ...reason, status: 422 }) },
        ],
      },
    ],
    ['has no list', { modifiers: [{ only: isModels, before: () => errorAnswer(404) }] }],
  ])('a gateway that %s is blamed for nothing', async (title, options) => {
    for (const seed of seedsFor(title.length)) {
      const { report } = await exploreFor(options, 0, { seed, model: 'sea-large' });
      expect(brokenClauses(report), `seed ${seed}`).toEqual([]);
    }
  });
});
