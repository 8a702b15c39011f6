import { describe, expect, it } from 'vitest';
import { byExchange, drifted, LONG, type Pace, runOf, streamsAt } from '../../../test/kit/observed-times.ts';
import { compareTimes } from './compare-times.ts';
import type { Observations } from './observed-run.ts';

describe('streams that drifted', () => {
  it('are reported by first text, median gap and total, with their medians', () => {
    const found = drifted(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 274, gap: 121 })));
    expect(found).toEqual([
      'first text of a stream: 15 → 274',
      'gap between two pieces of a stream: 7 → 121',
      'whole stream: 201.5 → 3481.5',
    ]);
    expect(drifted(runOf(streamsAt({ first: 274, gap: 121 })), runOf(streamsAt(LONG)))).toHaveLength(3);
  });

  it('are reported by the gap alone if only the pace changed, and by the first text alone if only the wait did', () => {
    const paced = drifted(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 15, gap: 45 })));
    expect(paced).toEqual(['gap between two pieces of a stream: 7 → 45', 'whole stream: 201.5 → 1208.5']);
    const waited = drifted(runOf(streamsAt({ first: 900, gap: 30 })), runOf(streamsAt({ first: 2400, gap: 30 })));
    expect(waited).toEqual(['first text of a stream: 900 → 2400']);
  });

  it('are one entry if the whole moved only because its first text did, which it says', () => {
    const changes = compareTimes(runOf(streamsAt({ first: 20, gap: 7 })), runOf(streamsAt({ first: 620, gap: 7 })));
    expect(changes).toMatchObject([
      {
        place: { measure: 'first text of a stream' },
        movedAlong: [{ measure: 'whole stream', old: 206.5, new: 806.5 }],
      },
    ]);
    const [small] = compareTimes(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 315, gap: 7 })));
    expect(small?.movedAlong).toEqual([{ measure: 'whole stream', old: 201.5, new: 501.5 }]);
    const both = compareTimes(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 274, gap: 121 })));
    expect(both.filter(({ movedAlong }) => movedAlong)).toEqual([]);
  });

  it('need two streams, except for the gap, which a single long one shows', () => {
    expect(drifted(runOf([LONG]), runOf([{ first: 274, gap: 121 }]))).toEqual([
      'gap between two pieces of a stream: 7 → 121',
    ]);
  });
});

describe('no drift', () => {
  it.each<[what: string, older: Observations, newer: Observations]>([
    ['a few milliseconds', runOf(streamsAt(LONG)), runOf(streamsAt({ first: 60, gap: 19 }))],
    ['less than twice as long', runOf(streamsAt({ first: 900, gap: 40 })), runOf(streamsAt({ first: 1700, gap: 75 }))],
    ['one slow stream of three', runOf(streamsAt(LONG)), runOf([LONG, { first: 900, gap: 7, pieces: 15 }, LONG])],
    [
      'one slow and one fast stream',
      runOf(streamsAt({ first: 300, gap: 7 })),
      runOf(streamsAt({ first: 300, gap: 7 }, 250)),
    ],
    [
      'a machine on which refusals take as much longer',
      runOf(streamsAt(LONG)),
      runOf(streamsAt({ first: 215, gap: 7 }), [200, 205, 210, 205, 200]),
    ],
    [
      'a network on which refusals vary as much',
      runOf(streamsAt(LONG), [5, 40, 90, 120, 160]),
      runOf(streamsAt({ first: 215, gap: 7 }), [5, 40, 90, 120, 160]),
    ],
    [
      'a longer reply at the same pace',
      runOf([LONG, LONG]),
      runOf([
        { ...LONG, pieces: 120 },
        { ...LONG, pieces: 130 },
      ]),
    ],
    [
      'a run in which the checker itself was late',
      runOf(streamsAt(LONG)),
      runOf(streamsAt({ first: 450, gap: 40 }).map((pace) => ({ ...pace, lateness: 250 }))),
    ],
    ['streams of one run only', runOf(streamsAt(LONG)), runOf([])],
  ])('is found in %s', (_what, older, newer) => {
    expect(drifted(older, newer).filter((line) => !line.startsWith('refusal'))).toEqual([]);
  });

  it('is found if the same pace comes two pieces at a time', () => {
    const [older, newer] = [runOf([]), runOf([])];
    const even = Array.from({ length: 40 }, (_, place) => 20 + place * 40);
    const paired = Array.from({ length: 40 }, (_, place) => 20 + Math.floor(place / 2) * 80);
    older.streamTimes.set('streaming/0', { texts: paired, lateness: 0 });
    newer.streamTimes.set('streaming/0', { texts: even, lateness: 0 });
    expect(drifted(older, newer)).toEqual([]);
  });
});

describe('a machine on which the checker itself was late', () => {
  const late = (pace: Pace, lateness: number): Observations =>
    runOf(streamsAt(pace).map((stream) => ({ ...stream, lateness })));

  it('hides a change, unless it is far beyond the lateness', () => {
    const old = late({ first: 27, gap: 7 }, 90);
    expect(drifted(old, late({ first: 316, gap: 7 }, 180))).toEqual([]);
    expect(drifted(old, late({ first: 916, gap: 7 }, 180))).toEqual(['first text of a stream: 27 → 916']);
  });

  it('hides no refusals that are slower, though they vary', () => {
    const [shaky, slower] = [
      [5, 40, 90, 120, 160],
      [905, 940, 990, 1020, 1060],
    ];
    const found = drifted(runOf(streamsAt(LONG), shaky), runOf(streamsAt({ first: 215, gap: 7 }), slower));
    expect(found).toEqual(['refusal: 90 → 990']);
  });

  it('hides whole answers that vary', () => {
    const withReplies = (values: readonly number[], lateness: number): Observations => {
      const run = late(LONG, lateness);
      run.times.set('reply', byExchange(values));
      return run;
    };
    expect(drifted(withReplies([20, 25, 30, 90], 60), withReplies([80, 250, 300, 420], 120))).toEqual([]);
  });
});

describe('a gateway that became slower as a whole', () => {
  const lists = (run: Observations, ...values: number[]): Observations => {
    run.times.set('model list', byExchange(values));
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
    const changes = compareTimes(older, newer);
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
  });

  it('has entries of its own for what moved further, or the other way', () => {
    const further = lists(runOf(streamsAt({ first: 668, gap: 7 }), slow), 860, 852);
    const measures = ['model list', 'refusal', 'first text of a stream'];
    expect(new Set(compareTimes(before, further).map(({ place }) => place.measure))).toEqual(new Set(measures));
    const against = lists(runOf(streamsAt({ first: 568, gap: 7 }), quick), 560, 552);
    const opposite = compareTimes(after, against);
    expect(opposite.map(({ place, new: now }) => [place.measure, now.median])).toEqual([
      ['refusal', 22],
      ['model list', 556],
      ['first text of a stream', 568],
    ]);
  });
});

describe('a time of few answers', () => {
  const asked = (measure: string, ...values: number[]): Observations => {
    const run = runOf([]);
    run.times.set(measure, byExchange(values));
    return run;
  };
  it('is drift for two model lists, if both moved', () => {
    expect(drifted(asked('model list', 36, 22), asked('model list', 260, 252))).toEqual(['model list: 29 → 256']);
    for (const now of [[260, 30], [90, 70], []])
      expect(drifted(asked('model list', 36, 22), asked('model list', ...now))).toEqual([]);
  });

  it('is no drift if there is one list, or fewer than three replies or refusals', () => {
    expect(drifted(asked('model list', 36), asked('model list', 260))).toEqual([]);
    for (const measure of ['reply', 'refusal'])
      expect(drifted(asked(measure, 36, 22), asked(measure, 260, 252))).toEqual([]);
  });

  it('is no drift if only some of the streams show it', () => {
    const firsts = (...values: readonly number[]): Observations =>
      runOf(values.map((first) => ({ first, gap: 7, pieces: 1 })));
    expect(drifted(firsts(278, 303, 326), firsts(635, 643, 641))).toEqual([]);
    expect(drifted(firsts(31, 43, 22, 134), firsts(152, 139, 129, 126))).toEqual([]);
  });

  it('is no drift if wirecheck made it longer in the older run', () => {
    type Late = readonly [first: number, lateness: number];
    const streams = (...values: readonly Late[]): Observations =>
      runOf(values.map(([first, lateness]) => ({ first, gap: 3, pieces: 1, lateness })));
    const busy = streams([197, 147], [242, 200], [89, 66]);
    for (const newer of [streams([363, 26], [362, 0], [341, 15]), streams([320, 290], [330, 290], [180, 170])]) {
      expect(drifted(busy, newer)).toEqual([]);
      expect(drifted(newer, busy)).toEqual([]);
    }
  });
});
