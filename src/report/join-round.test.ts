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

it('What a round could not decide stays as it was', async () => {
  const interrupted = await runInMemory({}, { ...ONLY, maxRequests: 1 });
  expect(brokenIn(joinRound(BOTH, interrupted, 2))).toEqual([TEMPERATURE, TOP_P]);
});
