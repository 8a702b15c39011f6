import { describe, expect, it } from 'vitest';
import { COMPLETION, plainExchange } from '../../test/kit/exchanges.ts';
import { caseOf, judge } from '../../test/kit/judging.ts';
import { runGateway } from '../../test/kit/real-run.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { refused } from './checks/refusals.ts';

const [NEAR, FAR] = ['own/near', 'own/far'] as const;
const ENDING = { kind: 'budget', setting: 'max-completions' } as const;
const near = (status: number, round?: number): Exchange => ({
  ...plainExchange({
    ...{ step: NEAR, id: round === undefined ? NEAR : `${NEAR}~round#${round}`, seeks: 'refusal', status },
    json: status === 200 ? COMPLETION : { error: { message: 'No.', type: 'a', code: 'b' } },
  }),
  ...(round !== undefined && { round }),
});

describe('a case that is sent only if a milder one was not refused', () => {
  const judged = (...exchanges: readonly Exchange[]) => {
    const cases = [caseOf(FAR, 'limits.temperature', 'refused', { control: 'chat', unlessRefused: NEAR })];
    const control = plainExchange({ step: 'chat', id: 'chat', json: COMPLETION });
    const [verdict] = judge({
      ...{ cases, stepsOf: { [FAR]: [NEAR, FAR] }, exchanges: [control, ...exchanges] },
      ...{ ending: ENDING, checks: { refused } },
    });
    return verdict;
  };

  it('passes by that refusal', () => {
    expect(judged(near(400))).toMatchObject({ verdict: 'pass', exchanges: [NEAR] });
  });

  it.each([200, 500])('is inconclusive if the milder one got %i and the run ended before its own request', (status) => {
    expect(judged(near(status))).toMatchObject({
      ...{ verdict: 'inconclusive', reason: { kind: 'run-ended', ending: ENDING }, findings: [] },
    });
  });

  it('counts only the refusals of later rounds as its own', () => {
    expect(judged(near(400), near(200, 2), near(400, 3))).toMatchObject({
      ...{ verdict: 'pass', answers: { judged: 2, broken: 0 } },
    });
  });

  it('fails in a run only by an answer to its own request', async () => {
    const only = ['just-above', 'far-above'].map((label) => `parameters/temperature-out-of-range[${label}]`);
    const verdicts = async (maxCompletions: number) => {
      const { cases } = await runGateway({ fault: 'param-temperature-above-accepted' }, { only, maxCompletions });
      return only.map((name) => cases.find(({ id }) => id === name)?.verdict);
    };
    expect(await verdicts(2)).toEqual(['fail', 'inconclusive']);
    expect(await verdicts(9)).toEqual(['fail', 'fail']);
  });
});
