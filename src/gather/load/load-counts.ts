/** How often each expectation was judged and broken, by stage, and the smallest load that shows it. */

import type { LoadCount, LoadStage, LoadThreshold, StageCount } from '../../report/load-report.ts';
import type { AnyCase } from '../../suite/case.ts';
import type { LoadJudge } from './load-judge.ts';
import { LOAD_CHECKS, type LoadCheck, type Surroundings } from './load-checks.ts';
import { sumOf, type Tally } from './tally.ts';

export function countAll(
  { tallies, ordinary }: Pick<LoadJudge, 'tallies' | 'ordinary'>,
  cases: readonly AnyCase[],
  { stages, ...surroundings }: Surroundings & { readonly stages: readonly CountedStage[] },
): readonly LoadCount[] {
  const checks: Readonly<Record<string, LoadCheck>> = LOAD_CHECKS;
  const own = cases.flatMap(({ id, expect }) =>
    expect.flatMap(({ clause, check }) => {
      const { tally: name, enough } = checks[check] ?? {};
      if (name === undefined) return [];
      const tally = tallies[name];
      const rule = enough && ((count: StageCount): boolean => enough(count, surroundings));
      return [countOf({ case: id, clause }, tally.stages, stages, { tally, rule })];
    }),
  );
  const others = ordinary.map(({ verdict, stages: counts }) =>
    countOf({ case: verdict.case, clause: verdict.clause }, counts, stages),
  );
  return [...own, ...others].filter(({ judged }) => judged > 0);
}

function countOf(
  name: Pick<LoadCount, 'case' | 'clause'>,
  counts: readonly StageCount[],
  stages: readonly CountedStage[],
  { tally, rule }: { readonly tally?: Pick<Tally, 'onlyWith' | 'mayNeedSlowReader'>; readonly rule?: Rule } = {},
): LoadCount {
  const threshold = findThreshold(counts, stages, { mayNeedSlowReader: tally?.mayNeedSlowReader, rule });
  const onlyWith = tally?.onlyWith ?? [];
  return {
    ...name,
    judged: sumOf(counts, 'judged'),
    broken: sumOf(counts, 'broken'),
    ...(threshold && { firstAt: threshold.seen.inFlight }),
    stages: counts,
    ...(threshold && { threshold }),
    ...(onlyWith.length > 0 && { onlyWith }),
  };
}

/** Whether a stage shows enough by itself to break the clause. */
type Rule = ((count: StageCount) => boolean) | undefined;

type CountedStage = Pick<LoadStage, 'inFlight'> & Partial<Pick<LoadStage, 'kinds'>>;

function hasSlowReaders(stage: CountedStage | undefined): boolean {
  return stage?.kinds?.some(({ kind }) => kind === 'slow-reader') ?? false;
}

/**
 * The fewest in flight that show it, and the most below that that do not. Stages that only together break it all count.
 * `mayNeedSlowReader`: absent if it is not known what broken answers have in common; `rule`: absent if one is enough.
 */
export function findThreshold(
  counts: readonly StageCount[],
  stages: readonly CountedStage[],
  { mayNeedSlowReader, rule = () => true }: { mayNeedSlowReader?: boolean | undefined; rule?: Rule } = {},
): LoadThreshold | undefined {
  const placed = counts
    .map((count) => ({ ...count, inFlight: stages[count.stage]?.inFlight ?? 1 }))
    .toSorted((a, b) => a.inFlight - b.inFlight);
  const showing = placed.filter(({ broken }) => broken > 0);
  const seen = showing.find((count) => rule(count)) ?? showing[0];
  if (!seen) return undefined;
  // Slow readers start at 16 in flight: fewer in flight say nothing about a fault that may need them.
  const needsSame = mayNeedSlowReader ?? hasSlowReaders(stages[seen.stage]);
  const couldShow = (stage: CountedStage | undefined): boolean => !needsSame || hasSlowReaders(stage);
  const below = placed.filter(({ inFlight }) => inFlight < seen.inFlight).toReversed();
  const unseen = below.find(({ judged, broken, stage }) => judged > 0 && broken === 0 && couldShow(stages[stage]));
  const fewer = below.filter(({ broken }) => broken > 0);
  return {
    seen: { inFlight: seen.inFlight, judged: seen.judged, broken: seen.broken },
    ...(unseen && { unseen: { inFlight: unseen.inFlight, judged: unseen.judged } }),
    ...(fewer.length > 0 && { fewer: fewer.map(({ inFlight, judged, broken }) => ({ inFlight, judged, broken })) }),
  };
}

// The next load to try between the last clean stage and the first broken one.

/** A fault in fewer answers would often not show in a short stage. */
const COMMON = 1 / 20;

/**
 * In the middle of the widest gap of a common fault; undefined once every one is found exactly. Without a smaller number
 * that could have shown it, there is no gap.
 */
export function nextGap(counts: readonly LoadCount[]): number | undefined {
  const gaps = counts.flatMap(({ threshold }) => {
    if (!threshold) return [];
    const { seen, unseen, fewer = [] } = threshold;
    const below = [...(unseen ? [unseen] : []), ...fewer].map(({ inFlight }) => inFlight);
    const from = Math.max(...below);
    const isCommon = seen.broken > seen.judged * COMMON;
    return isCommon && below.length > 0 && seen.inFlight - from > 1 ? [{ from, to: seen.inFlight }] : [];
  });
  const [widest] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return widest && Math.floor((widest.from + widest.to) / 2);
}
