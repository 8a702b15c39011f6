import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { ANSWERED_CONTROL, checkInput, COMPLETION, plainExchange, runView } from '../../../test/kit/exchanges.ts';
import type { CheckResult } from '../verdict.ts';
import { callable, modelsAnswer200, permitted } from './models.ts';

const call = (model: string, status: number, step = `sample-${model}`): Exchange =>
  plainExchange({ step, status, sent: { model } });
const again = (model: string, status: number): Exchange => call(model, status, `sample-${model}-again`);

const judge = (exchanges: readonly Exchange[], control = ANSWERED_CONTROL) => {
  const input = checkInput(exchanges, { run: { exchanges: [control] } });
  return { permitted: permitted.execute(input), callable: callable.execute(input) };
};

describe('permitted and callable', () => {
  it('hold if the listed models answer', () => {
    const { permitted: may, callable: can } = judge([call('a', 200), call('b', 200)]);
    expect([may, can]).toEqual([{ kind: 'holds' }, { kind: 'holds' }]);
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
    expect(judge([call('a', 403), again('a', 200)]).permitted).toEqual({ kind: 'holds', flaky: true });
  });

  it('are not flaky merely because a model was called twice', () => {
    expect(judge([call('a', 200), again('a', 200)]).permitted).toEqual({ kind: 'holds' });
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
      callable.execute(checkInput([call('a', 200), at(paid, 5)], { run: { exchanges: [ANSWERED_CONTROL, later] } }))
        .kind;
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
    expect(judge(rounds(200, 403, 200)).permitted).toEqual({ kind: 'holds', flaky: true });
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
    const input = checkInput(exchanges, { run: { exchanges: [ANSWERED_CONTROL], traffic: { ending, bindings } } });
    expect(permitted.execute(input)).toEqual({ kind: 'inconclusive', reason: { kind: 'run-ended', ending } });
  });

  it('are inconclusive for a single 403 that was not confirmed', () => {
    expect(judge([call('a', 403)]).permitted.kind).toBe('inconclusive');
  });
});
