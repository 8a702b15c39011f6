import { describe, expect, it } from 'vitest';
import { conforming } from '../../../test/kit/sample-reports.ts';
import { compareTimes } from './compare-times.ts';
import { ObservedRun } from './observed-run.ts';

interface Pace {
  /** Milliseconds. */
  readonly first: number;
  readonly gap: number;
  readonly pieces?: number;
  /** Of the checker. */
  readonly lateness?: number;
}

const LONG: Pace = { first: 15, gap: 7, pieces: 40 };

/** A run with a long stream, a shorter one and one of a single piece. */
function runOf(streams: readonly Pace[], refusals: readonly number[] = [3, 3, 4, 3, 3]): ObservedRun {
  const run = new ObservedRun(conforming(), 'a run');
  for (const [index, { first, gap, pieces = 40, lateness = 0 }] of streams.entries()) {
    const texts = Array.from({ length: pieces }, (_, place) => first + place * gap);
    run.streamTimes.set(`streaming/${index}`, { texts, last: (texts.at(-1) ?? 0) + 1, lateness });
  }
  run.times.set('refusal', { values: [...refusals], exchanges: ['a'] });
  return run;
}

const streamsAt = ({ first, gap }: Pace, offset = 0): readonly Pace[] => [
  { first: first + offset, gap, pieces: 40 },
  { first: first - offset, gap, pieces: 15 },
  { first, gap, pieces: 1 },
];

function drifted(older: ObservedRun, newer: ObservedRun): readonly string[] {
  return compareTimes(older, newer).map(
    ({ place, old, new: now }) => `${place.measure}: ${old.median} → ${now.median}`,
  );
}

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

  it('need two streams, except for the gap, which a single long one shows', () => {
    expect(drifted(runOf([LONG]), runOf([{ first: 274, gap: 121 }]))).toEqual([
      'gap between two pieces of a stream: 7 → 121',
    ]);
  });
});

describe('no drift', () => {
  it.each<[what: string, older: ObservedRun, newer: ObservedRun]>([
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
