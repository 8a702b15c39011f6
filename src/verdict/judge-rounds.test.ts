import { describe, expect, it } from 'vitest';
import { COMPLETION, plainExchange } from '../../test/kit/exchanges.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { finding, broken } from './finding.ts';
import { HOLDS, inconclusive } from './check-result.ts';
import { addReplaced, describeAnswers, judgeRounds } from './judge-rounds.ts';
import { eachExchange } from './reading/each-exchange.ts';
import type { CheckInput } from './check.ts';
import type { CheckResult } from './verdict.ts';

const sample = (round: number, status: number): Exchange => ({
  ...plainExchange({ id: round === 1 ? 'a' : `a~round#${round}`, step: 'a', status }),
  ...(round > 1 && { round }),
});

/** 200 holds, 400 is broken, anything else cannot be judged. */
const execute = (exchanges: readonly Exchange[]): CheckResult =>
  eachExchange((exchange) => {
    const outcome = exchange.attempts.at(-1)?.outcome;
    const status = outcome?.kind === 'answer' ? outcome.answer.status : 0;
    if (status === 200) return HOLDS;
    if (status !== 400) return inconclusive({ kind: 'not-200' });
    const parts = { mismatch: 'status', expected: { kind: 'status', status: 200 }, actualType: '4xx' } as const;
    return broken([finding(exchange, { ...parts, actual: { kind: 'status', status } })]);
  })({ exchanges } as CheckInput);

const NONE = { blocked: new Set<string>() };

describe('the answers of several rounds', () => {
  it('break a clause if one of them does, which is then intermittent, with the count', () => {
    const exchanges = [200, 400, 200, 200].map((status, place) => sample(place + 1, status));
    const { result, answers } = judgeRounds(
      exchanges.map((exchange) => [exchange]),
      NONE,
      execute,
    );
    expect(result.kind).toBe('broken');
    expect(describeAnswers(answers, false)).toEqual({ answers: { judged: 4, broken: 1 }, intermittent: true });
  });

  it('are one finding, however many show it', () => {
    const rounds = [400, 400].map((status, place) => [sample(place + 1, status)]);
    const { result, answers } = judgeRounds(rounds, NONE, execute);
    expect(result).toMatchObject({ kind: 'broken', findings: [{ exchange: 'a', moreAnswers: 1 }] });
    expect(describeAnswers(answers, false)).toEqual({ answers: { judged: 2, broken: 2 } });
  });

  it('hold if some could not be judged, and these do not count', () => {
    const rounds = [200, 503, 200].map((status, place) => [sample(place + 1, status)]);
    const { result, answers } = judgeRounds(rounds, NONE, execute);
    expect([result.kind, answers?.kept.length]).toEqual(['holds', 2]);
    const together = judgeRounds([rounds.flat()], NONE, execute);
    expect([together.result.kind, together.answers?.kept.length]).toEqual(['holds', 2]);
  });

  it('are not counted if none of them could be judged', () => {
    const rounds = [503, 503].map((status, place) => [sample(place + 1, status)]);
    expect(judgeRounds(rounds, NONE, execute).answers).toBeUndefined();
  });

  it('are inconclusive if the first could not be judged in a check of all answers', () => {
    expect(judgeRounds([[sample(1, 503), sample(2, 200)]], NONE, execute).result.kind).toBe('inconclusive');
  });

  it('hold if the request they change is also refused intermittently, unless every one is refused', () => {
    const judgeStatuses = (...statuses: readonly number[]) =>
      judgeRounds(
        statuses.map((status, place) => [sample(place + 1, status)]),
        { ...NONE, isUnsteady: true },
        execute,
      );
    const some = judgeStatuses(200, 400, 200);
    expect([some.result.kind, some.answers]).toMatchObject([
      'holds',
      { kept: [{ id: 'a' }, { id: 'a~round#3' }], broken: [] },
    ]);
    expect(judgeStatuses(400, 400, 400).result.kind).toBe('broken');
  });

  it('prove nothing about a request that was sent only once, if the request it changes is refused intermittently', () => {
    const judgeOnce = (status: number) => judgeRounds([[sample(1, status)]], { ...NONE, isUnsteady: true }, execute);
    expect(judgeOnce(400).result).toEqual(inconclusive({ kind: 'basis-unsteady' }));
    expect(judgeOnce(200).result.kind).toBe('holds');
  });

  it('are inconclusive if the target blocks invalid keys', () => {
    const { result } = judgeRounds([[sample(1, 200)], [sample(2, 400)]], { blocked: new Set(['a~round#2']) }, execute);
    expect(result).toEqual(inconclusive({ kind: 'keys-blocked' }));
  });
});

it('Calls of different models that disagree are not intermittent', () => {
  const control = plainExchange({ id: 'chat', step: 'chat', status: 201 });
  const other = {
    ...plainExchange({ id: 'chat~2', step: 'chat', json: COMPLETION }),
    occasion: 'other-model',
    number: 2,
  } as const;
  expect(describeAnswers({ kept: [other], broken: [control] }, false)).not.toHaveProperty('intermittent');
  const again = {
    ...plainExchange({ id: 'chat~after#1', step: 'chat', json: COMPLETION }),
    occasion: 'control-again',
  } as const;
  expect(describeAnswers({ kept: [again], broken: [control] }, false)).toMatchObject({ intermittent: true });
});

it('Bodies of errors that are sometimes wrong are counted beside those with the same status', () => {
  const kept = [400, 400, 401, 404].map((status, place) => sample(place, status));
  const wrong = [400, 401, 401].map((status, place) => sample(place, status));
  const parts = { mismatch: 'type', expected: { kind: 'type', types: ['string'] }, actualType: 'null' } as const;
  const said = finding(sample(1, 400), { ...parts, actual: { kind: 'value', value: null } });
  expect(describeAnswers({ kept, broken: wrong }, true, [{ ...said, status: 400 }]).answers).toEqual({
    judged: 7,
    broken: 3,
    statuses: [
      { status: 400, judged: 3, broken: 1 },
      { status: 401, judged: 3, broken: 2 },
    ],
  });
  expect(describeAnswers({ kept, broken: wrong }, true, [said]).answers).toEqual({ judged: 7, broken: 3 });
});

it('So are those to different requests, which are not intermittent', () => {
  const wrong = { ...sample(1, 400), id: 'b', step: 'b' };
  const parts = { mismatch: 'type', expected: { kind: 'type', types: ['string'] }, actualType: 'null' } as const;
  const said = { ...finding(wrong, { ...parts, actual: { kind: 'value', value: null } }), status: 400 };
  expect(describeAnswers({ kept: [sample(1, 400), sample(1, 401)], broken: [wrong] }, false, [said])).toEqual({
    answers: { judged: 3, broken: 1, statuses: [{ status: 400, judged: 2, broken: 1 }] },
    mixed: [{ endpoint: 'chat', mode: 'plain', status: 400 }],
  });
});

it('Answers are of one kind only if endpoint, mode and status are the same', () => {
  const of = (step: string, request: object, status = 200): Exchange => {
    const made = plainExchange({ id: step, step, status });
    return { ...made, request: { ...made.request, ...request } };
  };
  const wrong = of('b', { endpoint: 'chat', mode: 'plain' });
  const mixedWith = (...kept: readonly Exchange[]) => describeAnswers({ kept, broken: [wrong] }, false).mixed;
  expect(mixedWith(of('a', { endpoint: 'chat', mode: 'plain' }))).toEqual([
    { endpoint: 'chat', mode: 'plain', status: 200 },
  ]);
  const others = [of('c', { endpoint: 'models' }), of('d', { mode: 'stream' }), of('e', {}, 400)];
  expect(mixedWith(...others)).toBeUndefined();
});

it('Answers are of one kind only if their requests differ in nothing but the model and what the messages say', () => {
  const asking = (step: string, changes: object, content = 'Say hello.'): Exchange => {
    const body = JSON.stringify({ model: step, messages: [{ role: 'user', content }], max_tokens: 1, ...changes });
    const made = plainExchange({ id: step, step, status: 200 });
    return { ...made, request: { ...made.request, body } };
  };
  const mixedWith = (kept: Exchange) =>
    describeAnswers({ kept: [kept], broken: [asking('b', { temperature: 2 })] }, false).mixed;
  expect(mixedWith(asking('a', { temperature: 2 }, 'Say good morning.'))).toHaveLength(1);
  expect(mixedWith(asking('a', {}))).toBeUndefined();
  expect(mixedWith(asking('a', { temperature: 0 }))).toBeUndefined();
});

it('Different requests that disagree are not intermittent', () => {
  const exchanges = [sample(1, 200), { ...sample(1, 400), id: 'b', step: 'b' }];
  const { answers } = judgeRounds([exchanges], NONE, execute);
  expect(describeAnswers(answers, false)).toEqual({ answers: { judged: 2, broken: 1 } });
  expect(describeAnswers(answers, true)).toMatchObject({ intermittent: true });
});

it('A replaced answer adds what it breaks, and nothing else', () => {
  const judged = judgeRounds([[sample(1, 200)]], NONE, execute);
  const replaced = addReplaced(judged, [sample(1, 400)], execute);
  expect(replaced.result.kind).toBe('broken');
  expect(describeAnswers(replaced.answers, false)).toEqual({
    answers: { judged: 2, broken: 1 },
    intermittent: true,
  });
  expect(addReplaced(judged, [sample(1, 503), sample(1, 200)], execute)).toEqual(judged);
});
