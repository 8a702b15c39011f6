import { describe, expect, it } from 'vitest';
import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import { silenceIn, wasDropped } from './symptoms.ts';

const attempt = (outcome: object, connection = 1): Attempt =>
  ({ sentAt: 0, pause: 0, outcome, secretsSeen: [], connection }) as unknown as Attempt;
const failed = (kind: string, connection?: number): Attempt =>
  attempt({ kind: 'none', failure: { kind, limit: kind } }, connection);
const answered = (header = 'keep-alive', end: object = { kind: 'complete' }): Attempt =>
  attempt({ kind: 'answer', answer: { status: 200, headers: [['Connection', header]], body: { end } } });
const stalled = answered('', { kind: 'limit', limit: 'idle-timeout' });

describe('Silence', () => {
  const silenceOf = (mode: 'plain' | 'stream', ...attempts: readonly Attempt[]) =>
    silenceIn({ attempts, request: { mode } } as unknown as Exchange);

  it('is the same for all attempts', () => {
    expect(silenceOf('plain', failed('timeout'), failed('timeout'))).toBe('timeout');
    expect(silenceOf('plain', failed('closed'))).toBe('closed');
    expect(silenceOf('plain', failed('closed'), failed('timeout'))).toBeUndefined();
    expect(silenceOf('plain', failed('closed'), answered())).toBeUndefined();
  });

  it('is also an answer that stops after its headers, but not a stream that stalls', () => {
    expect([silenceOf('plain', stalled), silenceOf('stream', stalled)]).toEqual(['timeout', undefined]);
  });
});

describe('A connection was dropped', () => {
  const dropped = (before: Attempt, ...attempts: readonly Attempt[]): boolean =>
    wasDropped({ attempts }, { attempts: [before] });

  it('if the next request on it got no answer at first', () => {
    expect(dropped(answered(), failed('closed'), answered())).toBe(true);
  });

  it.each([
    ['the answer before announced it', [answered('close'), failed('closed'), answered()]],
    ['another connection was closed', [answered(), failed('closed', 2), answered()]],
    ['there was no answer in time', [answered(), failed('timeout'), answered()]],
    ['the request before it got none either', [failed('closed'), failed('closed'), answered()]],
  ] as const)('but not if %s', (_why, [before, ...attempts]) => {
    expect(dropped(before, ...attempts)).toBe(false);
  });
});
