import { describe, expect, it } from 'vitest';
import { answeredAttempt, checkInput, failedAttempt, failure, plainExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { holdsIn } from '../check-result.ts';
import { ANSWER_CHECKS } from './answers.ts';

const { 'after-pauses': afterPauses, 'idle-connections': idleConnections } = ANSWER_CHECKS;

const call = (pause: number, status: number, on: 'opening' | 'kept' | 'new' = 'kept'): Exchange =>
  plainExchange({ id: `${pause}-${on}`, status, request: { idle: { pause, on, connection: `c${pause}` } } });

const judge = (several: boolean, ...exchanges: readonly Exchange[]) =>
  afterPauses.execute({ ...checkInput(call(6000, 200)), exchanges, options: several ? { several } : {} });

describe('after-pauses', () => {
  it('is broken by a 5xx after two pauses or more', () => {
    const failed = [call(6000, 502), call(16_000, 502, 'new'), call(61_000, 200)];
    expect(judge(true, ...failed)).toMatchObject({
      kind: 'broken',
      findings: [{ exchange: '6000-kept', expected: { pause: 6000 }, moreAnswers: 1 }],
    });
    expect(judge(false, ...failed)).toMatchObject({ kind: 'skipped', reason: { clause: 'errors.after-pauses' } });
  });

  it('is broken at its lower level by a 5xx after one pause, on however many connections', () => {
    const failed = [call(6000, 200), call(61_000, 502), call(61_000, 502, 'new')];
    expect(judge(false, ...failed)).toMatchObject({ kind: 'broken' });
    expect(judge(true, ...failed)).toMatchObject({ kind: 'skipped', reason: { clause: 'errors.after-pause' } });
  });

  it('holds without a 5xx, and whatever came before the pause', () => {
    const kept = call(6000, 200);
    expect(judge(true, call(6000, 502, 'opening'), kept, call(16_000, 429))).toEqual(holdsIn([kept]));
    expect(judge(false, kept)).toEqual(holdsIn([kept]));
  });

  it('says nothing if nothing was answered', () => {
    expect(judge(true, call(6000, 429)).kind).toBe('inconclusive');
  });
});

describe('idle-connections', () => {
  const on = (exchange: Exchange, connection: number): Exchange => ({
    ...exchange,
    attempts: exchange.attempts.map((attempt) => ({ ...attempt, connection })),
  });
  const observe = (kept: Exchange) => {
    const exchanges = [on(call(6000, 200, 'opening'), 3), kept];
    return idleConnections.execute({ ...checkInput(kept), exchanges });
  };

  it('records whether a connection was kept, closed or reset', () => {
    const reset = { ...call(6000, 200), attempts: [failedAttempt(failure('closed')), answeredAttempt({})] };
    const cases: readonly [Exchange, string][] = [
      [on(call(6000, 200), 3), 'kept'],
      [on(call(6000, 200), 4), 'closed'],
      [on(reset, 3), 'reset'],
    ];
    for (const [kept, value] of cases) {
      expect(observe(kept)).toMatchObject({ observations: [{ name: 'idle-connection', of: '6 s (chat)', value }] });
    }
  });
});
