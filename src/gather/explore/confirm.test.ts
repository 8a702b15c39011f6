import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { findCauses } from './find-causes.ts';

const hot = (requests: readonly DrawnRequest[]): boolean => Number(requests.at(-1)?.body['temperature'] ?? 0) > 1;

async function found(options: Parameters<typeof failingTarget>[0], ...requests: readonly DrawnRequest[]) {
  const target = failingTarget(options);
  const draws = requests.map((request, index) => drawOf(index + 1, request));
  return findCauses(draws.map(target.failing), target);
}

describe('A request that fails intermittently', () => {
  const draws = [1.2, 1.7, 1.9].map((temperature) => drawn({ temperature, top_p: 0.5 }));

  it.each([
    ['every other time', [1, 0]],
    ['every third time', [1, 0, 0]],
    ['without a pattern', [1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0]],
  ])('%s has no difference and no neighbour', async (_often, pattern) => {
    for (const [shift] of pattern.entries()) {
      const fails = (_: unknown, times: number): boolean => pattern[(times + shift) % pattern.length] === 1;
      const { causes, passed } = await found({ fails }, ...draws);
      expect(causes.flatMap(({ difference }) => difference)).toEqual([]);
      expect(causes.every(({ neighbour, intermittent }) => !neighbour && intermittent)).toBe(true);
      expect([...causes.flatMap(({ draws: own }) => own), ...passed.keys()].toSorted((a, b) => a - b)).toEqual([
        1, 2, 3,
      ]);
      for (const { intermittent: { failed, asked } = { failed: 0, asked: 0 } } of causes) {
        expect([failed > 0, failed < asked]).toEqual([true, true]);
      }
    }
  });

  const ofRoles = { case: 'explore/answered[roles]', clause: 'message.roles' };
  const everyOther = (_: unknown, times: number): boolean => times % 2 === 0;
  const always = (): boolean => true;

  it.each([
    ['a must', everyOther, ofRoles, 'endpoint.chat-answers'],
    ['a should', everyOther, { ...ofRoles, level: 'should' }, 'message.roles'],
    ['a must, each time', always, ofRoles, 'message.roles'],
  ] as const)('breaks the clause of any request if its own is %s', async (_level, fails, symptom, clause) => {
    const { causes } = await found({ fails, symptom }, ...draws);
    expect(new Set(causes.map(({ symptoms: [first] }) => first.clause))).toEqual(new Set([clause]));
  });

  it('is steady if it fails every time', async () => {
    const { causes } = await found({ fails: hot }, ...draws);
    expect(causes.map(({ intermittent, difference: [place] }) => [intermittent, place?.pointer])).toEqual([
      [undefined, '/temperature'],
    ]);
  });

  it('does not hide one that fails every time', async () => {
    const fails = (requests: readonly DrawnRequest[], times: number): boolean =>
      requests[0]?.body['top_p'] === 1 || (hot(requests) && times % 2 === 0);
    const { causes } = await found({ fails }, ...draws, drawn({ top_p: 1 }));
    const steady = causes.filter(({ intermittent }) => !intermittent);
    expect(steady.map(({ draws: [first], difference: [place] }) => [first, place?.pointer])).toEqual([[4, '/top_p']]);
  });
});

it('A fault of every third call is not that of a sequence of three', async () => {
  const passing = { isPassing: true } as const;
  const calls = { made: 0 };
  const target = failingTarget({ fails: () => calls.made % 3 === 0, symptom: passing });
  const ask: typeof target.ask = (draw, occasion, number) => {
    calls.made += draw.requests.length;
    return target.ask(draw, occasion, number);
  };
  const draw = drawOf(1, drawn({ top_p: 1 }), drawn(), drawn());
  const { causes, passed } = await findCauses([target.failing(draw)], { ...target, ask });
  expect([causes, [...passed.keys()]]).toEqual([[], [1]]);
});
