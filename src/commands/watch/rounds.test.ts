import { describe, expect, it } from 'vitest';
import { runInMemory } from '../../../test/kit/in-memory-run.ts';
import { Rounds } from './rounds.ts';

const TEMPERATURE = 'parameters/temperature-minimum';
const TOP_P = 'parameters/top-p-minimum';
const BROKEN = await runInMemory({ fault: 'param-temperature-zero-refused' }, { only: [TEMPERATURE, TOP_P] });
const ALL = new Set([undefined]);

describe('what is asked next', () => {
  it('is what is open, and what somebody clicked; a name of no case is nothing', () => {
    const rounds = new Rounds();
    rounds.add(BROKEN, true);
    expect(rounds.isDue).toBe(false);
    expect([...rounds.toAsk(ALL).keys()]).toEqual([TEMPERATURE]);
    expect([...rounds.toAsk(new Set([TOP_P, 'a/b', undefined])).keys()]).toEqual([TEMPERATURE, TOP_P]);
    expect([...rounds.toAsk(new Set([TOP_P])).keys()]).toEqual([TOP_P]);
  });

  it('is everything once nothing is broken, even if something cannot be judged, or if nothing is known', async () => {
    const rounds = new Rounds();
    const unclear = BROKEN.cases.map((each) => ({
      ...each,
      expectations: each.expectations.map((own) => ({ ...own, verdict: 'inconclusive' as const })),
    }));
    rounds.add({ ...BROKEN, cases: unclear }, true);
    expect([rounds.isDue, rounds.toAsk(ALL).size]).toEqual([true, 0]);
    const none = new Rounds();
    none.add(
      { ...(await runInMemory({}, { only: [TEMPERATURE], maxRequests: 1 })), ending: { kind: 'interrupted' } },
      true,
    );
    expect([none.isDue, none.toAsk(ALL).size]).toEqual([true, 0]);
  });

  it('is nothing once all that may be sent was sent', async () => {
    const rounds = new Rounds();
    rounds.add(await runInMemory({}, { only: [TEMPERATURE], maxRequests: 1 }), true);
    expect([rounds.isUsedUp, rounds.isDue, rounds.toAsk(ALL).size]).toEqual([true, false, 0]);
  });
});
