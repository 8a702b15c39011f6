import { describe, expect, it } from 'vitest';
import { drifted, runOf, streamsAt } from '../../../test/kit/observed-times.ts';
import { compareTimes } from './compare-times.ts';
import type { Observations } from './observations.ts';

describe('a gateway that became slower as a whole', () => {
  const lists = (run: Observations, ...values: number[]): Observations => {
    run.times.set('model list', {
      values,
      exchanges: ['models', 'models/again', 'models/third'].slice(0, values.length),
    });
    return run;
  };
  const [quick, slow] = [
    [22, 23, 22, 22],
    [252, 253, 252, 252],
  ];
  const before = lists(runOf(streamsAt({ first: 38, gap: 7 }), quick), 36, 22);
  const after = lists(runOf(streamsAt({ first: 268, gap: 7 }), slow), 260, 252);

  it.each([
    ['slower', before, after, 1],
    ['faster', after, before, 0],
  ] as const)('is one entry that names every other time, %s', (_way, older, newer, last) => {
    const { changes, notices } = compareTimes(older, newer);
    const sides = (...values: readonly [number, number]) => ({ old: values[1 - last], new: values[last] });
    expect(changes).toMatchObject([
      {
        place: { measure: 'refusal' },
        movedAlong: [
          { measure: 'model list', ...sides(29, 256) },
          { measure: 'first text of a stream', ...sides(38, 268) },
          { measure: 'whole stream', ...sides(224.5, 454.5) },
        ],
      },
    ]);
    expect(notices).toEqual([]);
  });

  it('has entries of its own for what moved further, or the other way', () => {
    const further = lists(runOf(streamsAt({ first: 668, gap: 7 }), slow), 860, 852);
    const measures = ['model list', 'refusal', 'first text of a stream'];
    expect(new Set(compareTimes(before, further).changes.map(({ place }) => place.measure))).toEqual(new Set(measures));
    const against = lists(runOf(streamsAt({ first: 568, gap: 7 }), quick), 560, 552);
    const opposite = compareTimes(after, against);
    expect(opposite.changes.map(({ place, new: now }) => [place.measure, now.median])).toEqual([
      ['refusal', 22],
      ['model list', 556],
      ['first text of a stream', 568],
    ]);
    expect(opposite.notices).toEqual([]);
  });
});

describe('a time of few answers', () => {
  const asked = (measure: string, ...values: number[]): Observations => {
    const run = runOf([]);
    run.times.set(measure, { values, exchanges: values.map((_value, index) => `${index}`) });
    return run;
  };
  const scant = (older: Observations, newer: Observations): unknown => {
    const { changes, notices } = compareTimes(older, newer);
    expect(changes).toEqual([]);
    return notices;
  };

  it('is drift for two model lists, if both moved', () => {
    expect(drifted(asked('model list', 36, 22), asked('model list', 260, 252))).toEqual(['model list: 29 → 256']);
    for (const now of [[260, 30], [90, 70], []])
      expect(scant(asked('model list', 36, 22), asked('model list', ...now))).toEqual([]);
  });

  it('is named if there is one list, or fewer than three replies or refusals', () => {
    expect(scant(asked('model list', 36), asked('model list', 260))).toEqual([
      { kind: 'times-scant', times: [{ measure: 'model list', old: 36, new: 260, moved: 1, answers: 1 }] },
    ]);
    for (const measure of ['reply', 'refusal'])
      expect(scant(asked(measure, 36, 22), asked(measure, 260, 252))).toMatchObject([
        { kind: 'times-scant', times: [{ measure, moved: 2, answers: 2 }] },
      ]);
  });

  it('is named if half of the answers show it, and wirecheck was late in the others', () => {
    const lists = (lateness: number, ...values: number[]): Observations => {
      const run = asked('model list', ...values);
      run.streamTimes.set('chat-stream', { texts: [], lateness });
      return run;
    };
    expect(scant(lists(60, 398, 22), lists(10, 656, 622))).toEqual([
      { kind: 'times-scant', times: [{ measure: 'model list', old: 210, new: 639, moved: 1, answers: 2 }] },
    ]);
    expect(scant(lists(10, 398, 22), lists(10, 656, 622))).toEqual([]);
    expect(scant(lists(60, 398, 22), lists(10, 30, 622))).toEqual([]);
  });

  it('is named if two streams of three show it, and not if one does', () => {
    const older = runOf([278, 303, 326].map((first) => ({ first, gap: 7, pieces: 1 })));
    const newer = (...firsts: readonly number[]): Observations =>
      runOf(firsts.map((first) => ({ first, gap: 7, pieces: 1 })));
    expect(scant(older, newer(635, 643, 641))).toEqual([
      {
        kind: 'times-scant',
        times: [{ measure: 'first text of a stream', old: 303, new: 641, moved: 2, answers: 3 }],
      },
    ]);
    expect(scant(older, newer(635, 343, 341))).toEqual([]);
  });

  it('is named if two streams of four show it, and none moved the other way', () => {
    const firsts = (...values: readonly number[]): Observations =>
      runOf(values.map((first) => ({ first, gap: 7, pieces: 1 })));
    const older = firsts(31, 43, 22, 134);
    expect(scant(older, firsts(152, 139, 129, 126))).toMatchObject([
      { kind: 'times-scant', times: [{ measure: 'first text of a stream', moved: 2, answers: 4 }] },
    ]);
    expect(scant(older, firsts(152, 139, 129, 14))).toEqual([]);
    expect(scant(older, firsts(152, 139, 39, 126))).toEqual([]);
  });
});

describe('a time that wirecheck made longer in the older run', () => {
  type Late = readonly [first: number, lateness: number];
  const streams = (...values: readonly Late[]): Observations =>
    runOf(values.map(([first, lateness]) => ({ first, gap: 3, pieces: 1, lateness })));
  const compared = (older: Observations, newer: Observations) => {
    expect(drifted(older, newer)).toEqual([]);
    return compareTimes(older, newer).notices;
  };
  const busy = streams([197, 147], [242, 200], [89, 66]);

  it.each<[what: string, older: Observations, newer: Observations]>([
    ['far', busy, streams([363, 26], [362, 0], [341, 15])],
    ['little beyond the noise', streams([53, 37], [74, 47], [89, 37]), streams([125, 20], [134, 10], [142, 13])],
    [
      'and by lateness of a few milliseconds',
      streams([31, 8], [43, 8], [34, 10]),
      streams([152, 16], [139, 23], [126, 3]),
    ],
  ])('is named if it moved %s, in both directions', (_what, older, newer) => {
    for (const sides of [[older, newer] as const, [newer, older] as const])
      expect(compared(...sides)).toMatchObject([
        { kind: 'times-late', times: [{ measure: 'first text of a stream' }] },
      ]);
  });

  it.each<[what: string, older: Observations, newer: Observations]>([
    ['the newer run was as late', busy, streams([320, 290], [330, 290], [180, 170])],
    ['lateness explains it', streams([120, 90], [130, 100], [89, 66]), streams([50, 9], [54, 6], [40, 13])],
    ['wirecheck was on time', streams([53, 0], [74, 0], [89, 0]), streams([125, 0], [134, 0], [142, 0])],
    ['only one stream shows it', streams([89, 77], [40, 2], [41, 3]), streams([157, 22], [60, 2], [58, 3])],
  ])('is not named if %s', (_what, older, newer) => {
    expect(compared(older, newer)).toEqual([]);
  });
});
