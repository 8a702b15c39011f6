import { describe, expect, it } from 'vitest';
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { answeredAttempt, failedAttempt, failure, plainExchange } from '../../test/kit/exchanges.ts';
import { timeSpent } from './time-spent.ts';

const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };

/** Every answer takes 20 ms. */
const sent = (id: string, attempts: readonly Attempt[], seeks: Exchange['seeks'] = 'answer'): Exchange => ({
  ...plainExchange({ id }),
  seeks,
  attempts,
});
const at = (sentAt: number, status = 200, pause = 0): Attempt => ({ ...answeredAttempt({ status }), sentAt, pause });

const run = (wall: number, exchanges: readonly Exchange[]): Traffic => ({
  exchanges,
  bindings: { sample: [], replyTokens: 16, streamTokens: 64, briefTokens: 1, withoutMaxTokens: false },
  keys: [],
  ending: { kind: 'complete' },
  notices: [],
  used: { requests: exchanges.flatMap(({ attempts }) => attempts).length, completions: 0, tokens: 0 },
  startedAt: 0,
  endedAt: wall,
});

describe('the time of a run', () => {
  it('belongs to the target while any request is in flight, counted once, and otherwise to the checker', () => {
    const exchanges = [sent('a', [at(5)]), sent('b', [at(15)]), sent('c', [at(45)])];
    expect(timeSpent(run(70, exchanges), settings)).toMatchObject({ wall: 70, target: 50, pauses: 0, checker: 20 });
  });

  it('belongs to neither during a pause before a retry', () => {
    const exchanges = [sent('a', [at(0, 500), at(1_020, 200, 1_000)]), sent('b', [at(1_045)])];
    expect(timeSpent(run(1_065, exchanges), settings)).toMatchObject({ target: 60, pauses: 1_000, checker: 5 });
  });

  it('is a pause while waiting after a 429 or 503, unless an extra key was meant to cause it', () => {
    const spread = (seeks: Exchange['seeks']) => [sent('a', [at(0, 429)], seeks), sent('b', [at(270)])];
    expect(timeSpent(run(290, spread('answer')), settings)).toMatchObject({ pauses: 250, checker: 0 });
    expect(timeSpent(run(290, spread('any')), settings)).toMatchObject({ pauses: 0, checker: 250 });
  });

  it('waits for the target, and does not pause, during --wait-for', () => {
    const exchanges = [sent('a', [at(3_000)])];
    expect(timeSpent(run(3_030, exchanges), { ...settings, waitFor: 60_000 })).toMatchObject({
      target: 3_020,
      pauses: 0,
      checker: 10,
    });
  });

  it('is a pause while waiting for a rate', () => {
    const exchanges = [sent('a', [at(0)]), sent('b', [at(500)])];
    expect(timeSpent(run(520, exchanges), { ...settings, ratePerSecond: 2 })).toMatchObject({
      pauses: 480,
      checker: 0,
    });
  });
});

describe('the slowest requests', () => {
  it('are the five that took longest, all attempts together, with the time limit for one that never answered', () => {
    const silent = { ...failedAttempt(failure('timeout', { limit: 'first-byte-timeout' })), sentAt: 100 };
    const exchanges = [
      ...['a', 'b', 'c', 'd'].map((id, place) => sent(id, [at(place * 25)])),
      sent('twice', [at(200, 503), at(230)]),
      sent('silent', [silent]),
    ];
    const { slowest = [] } = timeSpent(run(70_000, exchanges), settings) ?? {};
    expect(slowest.map(({ exchange, time }) => `${exchange} ${time}`)).toEqual([
      'silent 60000',
      'twice 40',
      'a 20',
      'b 20',
      'c 20',
    ]);
  });
});

describe('unknown times', () => {
  it('are left out if nothing was sent, or if exchanges are missing', () => {
    expect(timeSpent(run(10, []), settings)).toBeUndefined();
    const part = { ...run(10, [sent('a', [at(0)])]), used: { requests: 2, completions: 0, tokens: 0 } };
    expect(timeSpent(part, settings)).toBeUndefined();
  });
});
