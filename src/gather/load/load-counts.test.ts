/** Which stages count as broken, and the gap that is halved next. */

import { describe, expect, it } from 'vitest';
import { plainExchange } from '../../../test/kit/exchanges.ts';
import { PARTS, stage } from '../../../test/kit/load-reports.ts';
import type { LoadCount } from '../../report/load-report.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { LoadJudge } from './load-judge.ts';
import { countAll, findThreshold, LOAD_CHECKS, type LoadCheck, nextGap } from './load-checks.ts';
import { judgeLoad } from './report-on-load.ts';

const STAGE_ROWS: readonly (readonly [keyof typeof LOAD_CHECKS, broken: number, judged: number, boolean])[] = [
  ['often-failed', 1, 130, false],
  ['often-failed', 3, 300, false],
  ['often-failed', 4, 300, true],
  ['ever-failed', 1, 300, true],
  ['often-broken-off', 1, 300, false],
  ['often-broken-off', 2, 300, true],
  ['valid-key', 1, 300, false],
  ['valid-key', 2, 300, true],
  ['text', 1, 300, true],
];

it.each(STAGE_ROWS)('%s: a stage with %i of %i answers counts: %s', (check, broken, judged, counts) => {
  const { enough }: LoadCheck = LOAD_CHECKS[check];
  expect(enough?.({ broken, judged }, { isLocal: true, hasUpstream: false })).toBe(counts);
});

it('The clause and the last line count a stage by the same rule', () => {
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:1/v1' };
  const start = { settings, salt: 's', upstreamUrl: 'http://127.0.0.1:2/v1' };
  const judge = new LoadJudge(start as unknown as ConstructorParameters<typeof LoadJudge>[0], [], {});
  const stages = [8, 9, 64].map((inFlight) => stage(inFlight));
  for (const [place, broken] of [1, 12, 90].entries())
    for (let at = 0; at < 130; at++)
      judge.tallies.failed.add({ exchange: { ...plainExchange(), stage: place } }, at < broken ? PARTS : undefined);
  const cases = [{ id: 'load/answered', expect: [{ clause: 'load.answered', check: 'often-failed' }] }];
  const run = { isLocal: true, hasUpstream: true };
  const counts = countAll(judge, cases as unknown as Parameters<typeof countAll>[1], { stages, ...run });
  const failed = [{ case: 'load/answered', clause: 'load.answered' }];
  const recovery = { kind: 'recovered', after: 5 } as const;
  const ending = { kind: 'complete' } as const;
  expect(judgeLoad({ stages, counts, recovery, isShutOut: false, ending, failed })).toMatchObject({ from: 9 });
});

describe('The smallest load that shows a fault', () => {
  const STAGES = [stage(1), stage(4), stage(16)];
  const counts = [
    { stage: 0, judged: 90, broken: 0 },
    { stage: 1, judged: 350, broken: 0 },
    { stage: 2, judged: 320, broken: 41 },
  ];

  it('is between the last clean stage and the first broken one', () => {
    const threshold = findThreshold(counts, STAGES);
    expect(threshold).toEqual({
      seen: { inFlight: 16, judged: 320, broken: 41 },
      unseen: { inFlight: 4, judged: 350 },
    });
    const found: LoadCount = { case: 'a', clause: 'b', judged: 760, broken: 41, stages: counts, threshold: threshold! };
    expect(nextGap([found])).toBe(10);
  });

  const EIGHT = [...STAGES, stage(10), stage(7), stage(8)];
  const halved = [
    ...counts,
    { stage: 3, judged: 172, broken: 11 },
    { stage: 4, judged: 182, broken: 0 },
    { stage: 5, judged: 130, broken: 1 },
  ];

  it('counts a stage only by the rule of the clause, tells the few of the others, and goes on above them', () => {
    const rule = (count: { judged: number; broken: number }): boolean =>
      LOAD_CHECKS['often-failed'].enough?.(count, { isLocal: true, hasUpstream: true }) ?? false;
    const threshold = findThreshold(halved, EIGHT, rule);
    expect(threshold).toEqual({
      seen: { inFlight: 10, judged: 172, broken: 11 },
      unseen: { inFlight: 7, judged: 182 },
      fewer: [{ inFlight: 8, judged: 130, broken: 1 }],
    });
    const found: LoadCount = { case: 'a', clause: 'b', judged: 9, broken: 9, stages: halved, threshold: threshold! };
    expect(nextGap([found])).toBe(9);
  });

  it('is the lowest sighting if once is enough, or if only all stages together show enough', () => {
    const seen = { inFlight: 8, judged: 130, broken: 1 };
    expect(findThreshold(halved, EIGHT)).toEqual({ seen, unseen: { inFlight: 7, judged: 182 } });
    expect(findThreshold(halved, EIGHT, () => false)).toMatchObject({ seen });
  });

  it('is looked for above a stage with too few, also if none below is clean', () => {
    const threshold = {
      seen: { inFlight: 16, judged: 320, broken: 41 },
      fewer: [{ inFlight: 4, judged: 99, broken: 1 }],
    };
    expect(nextGap([{ case: 'a', clause: 'b', judged: 9, broken: 9, stages: [], threshold }])).toBe(10);
    const { seen } = threshold;
    expect(
      nextGap([{ case: 'a', clause: 'b', judged: 9, broken: 9, stages: [], threshold: { seen } }]),
    ).toBeUndefined();
  });

  it('is not looked for among others if it shows only while an upstream fails', () => {
    const failing = { stage: 3, judged: 300, broken: 90 };
    const stages = [...STAGES, stage(16, { phase: 'failover' })];
    const seen = { inFlight: 16, judged: 300, broken: 90 };
    const clean = counts.map((count) => ({ ...count, broken: 0 }));
    expect(findThreshold([...clean, failing], stages)).toEqual({ seen });
    expect(findThreshold([...counts, failing], stages)).toEqual(findThreshold(counts, STAGES));
  });

  it('is not looked for if the fault is rare, or if it is already exact', () => {
    const seen = { inFlight: 16, judged: 320, broken: 3 };
    const found = { case: 'a', clause: 'b', judged: 320, broken: 3, stages: [] };
    expect(nextGap([{ ...found, threshold: { seen, unseen: { inFlight: 4, judged: 9 } } }])).toBeUndefined();
    const common = { ...seen, broken: 100 };
    expect(nextGap([{ ...found, threshold: { seen: common, unseen: { inFlight: 15, judged: 9 } } }])).toBeUndefined();
  });
});
