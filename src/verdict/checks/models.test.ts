import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import {
  ANSWERED_CONTROL,
  checkInput,
  COMPLETION,
  modelsExchange,
  plainExchange,
  runView,
} from '../../../test/kit/exchanges.ts';
import type { CheckResult } from '../verdict.ts';
import { holdsIn } from '../check-result.ts';
import { MODEL_CHECKS } from './models.ts';

const { permitted, 'models-answer-200': modelsAnswer200, callable, 'model-listed': modelListed } = MODEL_CHECKS;

const call = (model: string, status: number, step = `sample-${model}`): Exchange =>
  plainExchange({ step, status, sent: { model } });
const again = (model: string, status: number): Exchange => call(model, status, `sample-${model}-again`);

const LIST = modelsExchange({ json: { object: 'list', data: [{ id: 'a' }, { id: 'b' }] } });

const judge = (exchanges: readonly Exchange[], control = ANSWERED_CONTROL, list = LIST) => {
  const input = checkInput(exchanges, { run: { exchanges: [list, control] } });
  return { permitted: permitted.execute(input), callable: callable.execute(input) };
};

describe('permitted and callable', () => {
  it('hold if the listed models answer', () => {
    const calls = [call('a', 200), call('b', 200)];
    expect(judge(calls)).toEqual({ permitted: holdsIn(calls), callable: holdsIn(calls) });
  });

  it.each<[string, Exchange]>([
    ['has no entries', modelsExchange({ json: { object: 'list', data: [] } })],
    ['has others', modelsExchange({ json: { object: 'list', data: [{ id: 'c' }] } })],
    ['is not found', modelsExchange({ status: 404 })],
  ])('say nothing about a model that only the user names, if the list %s', (_, list) => {
    const reason = { kind: 'no-occasion', of: 'listed-model' };
    expect(judge([call('a', 200)], ANSWERED_CONTROL, list)).toEqual({
      permitted: { kind: 'skipped', reason },
      callable: { kind: 'skipped', reason },
    });
  });

  it('treat two 403s as a model that the key may not call', () => {
    const { permitted: may, callable: can } = judge([call('a', 200), call('b', 403), again('b', 403)]);
    expect(may).toMatchObject({
      kind: 'broken',
      findings: [{ exchange: 'sample-b-again', actual: { kind: 'status', status: 403, model: quoteText('b') } }],
    });
    expect(can.kind).toBe('holds');
  });

  it('are flaky if the second call is answered', () => {
    const answered = again('a', 200);
    expect(judge([call('a', 403), answered]).permitted).toEqual(holdsIn([answered], true));
  });

  it('are not flaky merely because a model was called twice', () => {
    expect(judge([call('a', 200), again('a', 200)]).permitted).not.toHaveProperty('flaky');
  });

  it('treat any other refusal as a model that cannot be called', () => {
    const { permitted: may, callable: can } = judge([call('a', 200), call('b', 404)]);
    expect(may.kind).toBe('holds');
    expect(can).toMatchObject({ kind: 'broken', findings: [{ exchange: 'sample-b' }] });
  });

  it.each([201, 204, 302])('leave a %d to models-answer-200', (status) => {
    const exchanges = [call('a', 200), call('b', status)];
    const answers = modelsAnswer200.execute(checkInput(exchanges, { run: { exchanges: [ANSWERED_CONTROL] } }));
    expect(answers).toMatchObject({ kind: 'broken', findings: [{ exchange: 'sample-b' }] });
    const later = modelsAnswer200.execute(
      checkInput([...exchanges, again('b', 200)], { run: { exchanges: [ANSWERED_CONTROL] } }),
    );
    expect(later).toMatchObject({ kind: 'broken', findings: [{ exchange: 'sample-b' }] });
    const { permitted: may, callable: can } = judge(exchanges);
    expect([may.kind, can.kind]).toEqual(['holds', 'holds']);
  });

  it('take a 402 for a refusal only if the key is answered later', () => {
    const paid = call('b', 402);
    const at = (exchange: Exchange, sentAt: number): Exchange => ({
      ...exchange,
      attempts: exchange.attempts.map((attempt) => ({ ...attempt, sentAt })),
    });
    const judgeWith = (later: Exchange) =>
      callable.execute(
        checkInput([call('a', 200), at(paid, 5)], { run: { exchanges: [LIST, ANSWERED_CONTROL, later] } }),
      ).kind;
    const answered = plainExchange({ id: 'later', step: 'later', json: COMPLETION });
    expect(judgeWith(at(answered, 9))).toBe('broken');
    expect(judgeWith(at(answered, 2))).toBe('holds');
  });

  it('count the answers of several rounds', () => {
    const rounds = (...statuses: readonly number[]): readonly Exchange[] =>
      statuses.map((status, place) => ({ ...call('b', status), ...(place > 0 && { round: place + 1 }) }));
    const countOf = (result: CheckResult) =>
      result.kind === 'broken' && [result.answers?.kept.length, result.answers?.broken.length];
    expect(countOf(judge([call('a', 200), ...rounds(403, 200, 403, 200)]).permitted)).toEqual([3, 2]);
    expect(countOf(judge([call('a', 200), ...rounds(200, 404, 200)]).callable)).toEqual([3, 1]);
    const [first, forbidden, third] = rounds(200, 403, 200);
    expect(judge([first!, forbidden!, third!]).permitted).toEqual(holdsIn([first!, third!], true));
  });

  it.each([402, 429, 500, 503])('are inconclusive for a %i', (status) => {
    const { permitted: may, callable: can } = judge([call('a', status)]);
    expect([may.kind, can.kind]).toEqual(['inconclusive', 'inconclusive']);
    expect(judge([call('a', status), call('b', 200)]).callable.kind).toBe('holds');
  });

  it('are inconclusive while the control is not answered', () => {
    const control = plainExchange({ status: 500 });
    expect(judge([call('a', 403), again('a', 403)], control).permitted.kind).toBe('inconclusive');
    expect(judge([call('a', 404)], control).callable.kind).toBe('inconclusive');
  });

  it.each([
    ['was never called', [call('a', 200)]],
    ['got no clear answer', [call('a', 200), call('b', 503)]],
  ])('are inconclusive if the run ended early and a listed model %s', (_, exchanges) => {
    const ending = { kind: 'interrupted' } as const;
    const bindings = { ...runView().traffic.bindings, sample: ['a', 'b'] };
    const input = checkInput(exchanges, {
      run: { exchanges: [LIST, ANSWERED_CONTROL], traffic: { ending, bindings } },
    });
    expect(permitted.execute(input)).toEqual({ kind: 'inconclusive', reason: { kind: 'run-ended', ending } });
  });

  it('are inconclusive for a single 403 that was not confirmed', () => {
    expect(judge([call('a', 403)]).permitted.kind).toBe('inconclusive');
  });
});

describe('model-listed', () => {
  const control = (model: string, status = 200) =>
    plainExchange({ step: 'chat', status, sent: { model }, json: COMPLETION });
  const listed = (model: string | undefined, asked = control('a'), list = LIST) =>
    modelListed.execute(
      checkInput([], { run: { exchanges: [list, asked], settings: model === undefined ? {} : { model } } }),
    );

  it('is broken by a model that is answered and in no list', () => {
    expect(listed('a').kind).toBe('holds');
    expect(listed('z', control('z'))).toMatchObject({
      kind: 'broken',
      findings: [{ exchange: 'models', pointer: '/data' }],
    });
  });

  it('is not judged without --model, without an answer and without a list', () => {
    expect(listed(undefined).kind).toBe('skipped');
    expect(listed('z', control('z', 404)).kind).toBe('inconclusive');
    expect(listed('z', control('z'), modelsExchange({ status: 404 })).kind).toBe('skipped');
  });
});
