import { describe, expect, it } from 'vitest';
import { drifted, LONG, type Pace, runOf, streamsAt } from '../../../test/kit/observed-times.ts';
import { compareTimes } from './compare-times.ts';
import type { Observations } from './observations.ts';

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
    const { changes } = compareTimes(runOf(streamsAt({ first: 20, gap: 7 })), runOf(streamsAt({ first: 620, gap: 7 })));
    expect(changes).toMatchObject([
      {
        place: { measure: 'first text of a stream' },
        movedAlong: [{ measure: 'whole stream', old: 206.5, new: 806.5 }],
      },
    ]);
    const [small] = compareTimes(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 315, gap: 7 }))).changes;
    expect(small?.movedAlong).toEqual([{ measure: 'whole stream', old: 201.5, new: 501.5 }]);
    const both = compareTimes(runOf(streamsAt(LONG)), runOf(streamsAt({ first: 274, gap: 121 }))).changes;
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

describe('a change that noise hides', () => {
  const late = (pace: Pace, lateness: number): Observations =>
    runOf(streamsAt(pace).map((stream) => ({ ...stream, lateness })));

  it('is named with its medians if the checker itself was late', () => {
    const { changes, notices } = compareTimes(late({ first: 27, gap: 7 }, 90), late({ first: 316, gap: 7 }, 180));
    expect(changes).toEqual([]);
    expect(notices).toEqual([
      { kind: 'times-late', lateness: 180, times: [{ measure: 'first text of a stream', old: 27, new: 316 }] },
    ]);
  });

  it('is named even if one stream of three does not show it', () => {
    const newer = runOf(
      [316, 40, 320].map((first, index) => ({ first, gap: 7, pieces: [40, 15, 1][index] ?? 1, lateness: 180 })),
    );
    expect(compareTimes(runOf(streamsAt({ first: 27, gap: 7 })), newer).notices).toHaveLength(1);
  });

  it('is reported as drift, and not as hidden, if it is far beyond the lateness', () => {
    const { changes, notices } = compareTimes(late({ first: 27, gap: 7 }, 90), late({ first: 916, gap: 7 }, 180));
    expect(changes.map(({ place }) => place.measure)).toEqual(['first text of a stream']);
    expect(notices).toEqual([]);
  });

  it('is not claimed if a late checker saw the same times, or a small difference', () => {
    const old = late({ first: 27, gap: 7 }, 300);
    expect(compareTimes(old, late({ first: 27, gap: 7 }, 300)).notices).toEqual([]);
    expect(compareTimes(old, late({ first: 110, gap: 12 }, 300)).notices).toEqual([]);
  });

  it('is named if refusals vary as much, also if they are slower themselves', () => {
    const shaky = [5, 40, 90, 120, 160];
    const slow = streamsAt({ first: 215, gap: 7 });
    expect(compareTimes(runOf(streamsAt(LONG), shaky), runOf(slow, shaky)).notices).toEqual([
      { kind: 'times-unsteady', times: [{ measure: 'first text of a stream', old: 15, new: 215 }] },
    ]);
    const slower = compareTimes(runOf(streamsAt(LONG), shaky), runOf(slow, [905, 940, 990, 1020, 1060]));
    expect(slower.changes.map(({ place }) => place.measure)).toEqual(['refusal']);
    expect(slower.notices).toMatchObject([{ kind: 'times-unsteady', times: [{ old: 15, new: 215 }] }]);
  });

  it('is named for whole answers, if they vary too much on a late machine only', () => {
    const withReplies = (values: readonly number[], lateness: number): Observations => {
      const run = late(LONG, lateness);
      run.times.set('reply', { values: [...values], exchanges: ['a'] });
      return run;
    };
    const [before, now] = [
      [20, 25, 30, 90],
      [80, 250, 300, 420],
    ];
    const hidden = compareTimes(withReplies(before ?? [], 60), withReplies(now ?? [], 120));
    expect(hidden.changes).toEqual([]);
    expect(hidden.notices).toMatchObject([{ kind: 'times-late', times: [{ measure: 'reply', old: 27.5, new: 275 }] }]);
    expect(compareTimes(withReplies(before ?? [], 0), withReplies(now ?? [], 0)).notices).toEqual([]);
  });
});
