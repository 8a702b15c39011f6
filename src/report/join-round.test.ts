import { describe, expect, it } from 'vitest';
import { runInMemory } from '../../test/kit/in-memory-run.ts';
import { joinRound } from './join-round.ts';
import type { Report } from './report.ts';

const TEMPERATURE = 'parameters/temperature-minimum';
const TOP_P = 'parameters/top-p-minimum';
const ONLY = { only: [TEMPERATURE, TOP_P, 'errors/every-error-body*'] };
const BOTH = await runInMemory({ faults: ['param-temperature-zero-refused', 'param-top-p-zero-refused'] }, ONLY);

const brokenIn = ({ cases }: Report): readonly string[] =>
  cases.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('a round that asks one of two broken cases', async () => {
  const mended = await runInMemory({ fault: 'param-top-p-zero-refused' }, { only: [TEMPERATURE] });
  const joined = joinRound(BOTH, mended, 2);

  it('leaves the other one broken, and all counts follow', () => {
    expect(brokenIn(BOTH)).toEqual([TEMPERATURE, TOP_P]);
    expect(brokenIn(joined)).toEqual([TOP_P]);
    expect(joined.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(joined.counts.cases.fail).toBe(1);
    expect(joined.areas.find(({ area }) => area === 'parameters')?.cases.fail).toBe(1);
  });

  it('keeps the evidence of both rounds apart', () => {
    const ids = joined.exchanges.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const { exchange } = joined.cases.find(({ id }) => id === TEMPERATURE) ?? {};
    const answer = joined.exchanges.find(({ id }) => id === exchange);
    expect(answer?.attempts.at(-1)?.answer?.status).toBe(200);
  });

  it('drops the answers of a round that a later one replaced', () => {
    const later = joinRound(joined, mended, 3);
    expect(later.exchanges.length).toBe(joined.exchanges.length);
  });
});

it('Nothing conforms by answers of different times, until everything was asked at once', async () => {
  const all = joinRound(BOTH, await runInMemory({}, { only: [TEMPERATURE, TOP_P] }), 2);
  expect(brokenIn(all)).toEqual([]);
  expect(all.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  expect(all.notices).toContainEqual({ kind: 'rounds', count: 2 });
});

describe('a round that was ended early', async () => {
  const BODIES = 'errors/every-error-body[code]';
  const broken = await runInMemory({ fault: 'error-code-integer' }, { only: ['errors/*'] });
  const ended = await runInMemory({}, { ...ONLY, maxRequests: 1 });
  const later = await runInMemory({}, { only: ['errors/*'], maxRequests: 7 });

  it('leaves what it could not decide as it was, and its ending is that of the report', () => {
    const joined = joinRound(BOTH, ended, 2);
    expect(brokenIn(joined)).toEqual([TEMPERATURE, TOP_P]);
    expect(joined.ending).toMatchObject({ kind: 'budget', setting: 'max-requests' });
    expect(joinRound(joined, BOTH, 3).ending).toEqual({ kind: 'complete' });
  });

  it('mends nothing that looks at more answers than came', () => {
    const verdictOf = ({ cases }: Report) => cases.find(({ id }) => id === BODIES)?.verdict;
    expect([verdictOf(broken), verdictOf(later)]).toEqual(['fail', 'pass']);
    expect(verdictOf(joinRound(broken, later, 2))).toBe('fail');
    expect(verdictOf(joinRound(broken, { ...later, ending: { kind: 'complete' } }, 2))).toBe('pass');
  });

  it('was interrupted: that says nothing about the gateway', () => {
    const joined = joinRound(BOTH, { ...ended, ending: { kind: 'interrupted' } }, 2);
    expect([joined.ending, joined.outcome.exit]).toEqual([{ kind: 'complete' }, 1]);
  });
});

it('What no longer comes up is not broken any more, and does not conform either', async () => {
  const only = ['models/unknown-key-from-page', 'auth/preflight*'];
  const before = await runInMemory({ fault: 'cors-not-on-errors' }, { only, strict: true });
  const without = await runInMemory({}, { only, strict: true });
  expect(brokenIn(before)).not.toEqual([]);
  const joined = joinRound(before, without, 2);
  expect(brokenIn(joined)).toEqual([]);
  expect(joined.outcome.exit).toBe(3);
});
