import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { ExtraKey } from '../suite/case.ts';
import { loadRequests, loadRunSuites } from '../suite/read-suites.ts';
import { BUILT_IN_SUITES } from '../suite/suite-names.ts';
import { addSamples } from './add-samples.ts';
import { usualCost } from './cost.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';

function planOf(changes: Partial<Settings>, keys: readonly ExtraKey[] = []): Plan {
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes };
  const contract = loadContract();
  const suites = loadRunSuites(settings.suites.length > 0 ? settings.suites : BUILT_IN_SUITES, contract);
  return addSamples(
    makePlan({ suites, requests: loadRequests(), checks: CHECKS }, settings, keys),
    contract,
    settings,
    CHECKS,
  );
}

const samplesOf = ({ steps }: Plan, id: string): number => steps.find((step) => step.id === id)?.samples ?? 1;

describe('--detect 1/3', () => {
  const plan = planOf({ detect: 3 });

  it('usually costs no less than the least, and no more than the most', () => {
    for (const step of [...plan.steps, ...planOf({ detect: 10 }).steps])
      for (const part of ['requests', 'completions', 'tokens'] as const) {
        const usual = usualCost(step)[part];
        expect(usual, `${step.id}, ${part}`).toBeGreaterThanOrEqual(step.least[part]);
        expect(usual, `${step.id}, ${part}`).toBeLessThanOrEqual(step.most[part]);
      }
  });

  it('asks each edit of a must clause eight times', () => {
    for (const id of ['auth/unknown-key[models]', 'parameters/model-missing[chat]', 'errors/no-body', 'models'])
      expect([id, samplesOf(plan, id)]).toEqual([id, 8]);
  });

  it('counts edits on the same side of one limit together, and streamed ones on their own', () => {
    const sides = ['below', 'above'].map((side) =>
      plan.steps
        .filter(
          ({ id, when }) => !when && id.startsWith('parameters/temperature-out-of-range[') && matchesSide(id, side),
        )
        .reduce((sum, { samples = 1 }) => sum + samples, 0),
    );
    expect(sides).toEqual([8, 8]);
    expect(samplesOf(plan, 'parameters/temperature-out-of-range-streamed')).toBe(8);
  });

  it('sends what only a should clause needs once, and more often with --strict', () => {
    expect(samplesOf(plan, 'tolerance/unknown-fields-together')).toBe(1);
    expect(samplesOf(planOf({ detect: 3, strict: true }), 'tolerance/unknown-fields-together')).toBe(8);
  });

  it('repeats a conditional request along with the one that it depends on', () => {
    expect(samplesOf(plan, 'chat/system-message')).toBe(samplesOf(plan, 'chat/conversation'));
  });

  it('counts answers per clause: the end of the run does not count for what only the first request shows', () => {
    expect(samplesOf(plan, 'chat')).toBe(8);
    expect(samplesOf(plan, 'chat/reply-again')).toBe(1);
  });

  it('combines valid requests after the first round, and sends them alone only if that is refused', () => {
    const alone = plan.steps.find(({ id }) => id === 'chat/conversation');
    const pack = plan.steps.find(({ id }) => id === alone?.packedIn);
    expect(alone).toMatchObject({ samples: 8, least: { requests: 1, completions: 1 } });
    expect(pack).toMatchObject({ samples: 8, firstRound: 2, least: { requests: 7, completions: 7 } });
    expect(plan.stepsOf['chat/conversation']).toEqual([pack?.id, alone?.id]);
    expect(plan.stepsOf['chat/system-message']?.slice(1)).toEqual(['chat/conversation', 'chat/system-message']);
  });

  it('stays within 800 requests and 105 completions, and shows what they cost', () => {
    expect(plan.least.requests).toBeLessThanOrEqual(800);
    expect(plan.least.completions).toBeLessThanOrEqual(105);
    expect(plan.most.requests).toBeGreaterThan(3 * planOf({}).most.requests);
  });

  it('asks on beyond a rate limit, where answers are free', () => {
    const limited = planOf({ detect: 3 }, ['limited']).steps.find(({ id }) => id === 'auth/limited-key');
    expect(limited).toMatchObject({ repeat: { until: 429, more: 7 }, least: { requests: 8, completions: 0 } });
  });

  it('adds answers for what is judged over all of them, only if there are too few', () => {
    expect(samplesOf(planOf({ detect: 3, only: ['models/every-list'] }), 'models')).toBe(8);
    expect(
      planOf({ detect: 3, only: ['errors/every-error-body[json]'] }).steps.every(({ samples = 1 }) => samples === 1),
    ).toBe(true);
  });
});

it('Without --detect, a plan is the same as before', () => {
  expect(planOf({}).steps.every(({ samples }) => samples === undefined)).toBe(true);
});

/** The labels of the suite: just-below, far-below; just-above, far-above, overflowing. */
function matchesSide(id: string, side: string): boolean {
  return side === 'below' ? id.includes('below') : !id.includes('below');
}
