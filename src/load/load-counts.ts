/** How often each expectation was judged and broken, by stage, and the smallest load that shows it. */
import type { LoadCount, LoadStage, LoadThreshold, StageCount } from '../report/load-report.ts';
import type { AnyCase } from '../suite/case.ts';
import type { AnswerJudge } from './judge-answers.ts';
import { LOAD_CHECKS } from './load-checks.ts';
import type { LoadCheck } from './load-evidence.ts';
import type { Tally } from './tally.ts';

export function countAll(
  judge: AnswerJudge,
  cases: readonly AnyCase[],
  stages: readonly Pick<LoadStage, 'inFlight'>[],
): readonly LoadCount[] {
  const checks: Readonly<Record<string, LoadCheck>> = LOAD_CHECKS;
  const own = cases.flatMap(({ id, expect }) =>
    expect.flatMap(({ clause, check }) => {
      const name = checks[check]?.tally;
      if (name === undefined) return [];
      const tally = judge.tallies[name];
      return [countOf({ case: id, clause }, tally.stages, stages, tally)];
    }),
  );
  const ordinary = judge.ordinary.judgements.map(({ verdict, stages: counts }) =>
    countOf({ case: verdict.case, clause: verdict.clause }, counts, stages),
  );
  return [...own, ...ordinary].filter(({ judged }) => judged > 0);
}

function countOf(
  name: Pick<LoadCount, 'case' | 'clause'>,
  counts: readonly StageCount[],
  stages: readonly CountedStage[],
  tally?: Pick<Tally, 'onlyWith' | 'mayNeedSlowReader'>,
): LoadCount {
  const threshold = findThreshold(counts, stages, tally?.mayNeedSlowReader);
  const onlyWith = tally?.onlyWith ?? [];
  return {
    ...name,
    judged: counts.reduce((sum, { judged }) => sum + judged, 0),
    broken: counts.reduce((sum, { broken }) => sum + broken, 0),
    ...(threshold && { firstAt: threshold.seen.inFlight }),
    stages: counts,
    ...(threshold && { threshold }),
    ...(onlyWith.length > 0 && { onlyWith }),
  };
}

type CountedStage = Pick<LoadStage, 'inFlight'> & Partial<Pick<LoadStage, 'kinds'>>;

function hasSlowReaders(stage: CountedStage | undefined): boolean {
  return stage?.kinds?.some(({ kind }) => kind === 'slow-reader') ?? false;
}

/** The fewest in flight that show it, and the most below that that do not. */
export function findThreshold(
  counts: readonly StageCount[],
  stages: readonly CountedStage[],
  /** Absent if it is not known what broken answers have in common. */
  mayNeedSlowReader?: boolean,
): LoadThreshold | undefined {
  const placed = counts.map((count) => ({ ...count, inFlight: stages[count.stage]?.inFlight ?? 1 }));
  const [seen] = placed.filter(({ broken }) => broken > 0).toSorted((a, b) => a.inFlight - b.inFlight);
  if (!seen) return undefined;
  // Slow readers start at 16 in flight: fewer in flight say nothing about a fault that may need them.
  const needsSame = mayNeedSlowReader ?? hasSlowReaders(stages[seen.stage]);
  const couldShow = (stage: CountedStage | undefined): boolean => !needsSame || hasSlowReaders(stage);
  const [unseen] = placed
    .filter(({ judged, inFlight, stage }) => judged > 0 && inFlight < seen.inFlight && couldShow(stages[stage]))
    .toSorted((a, b) => b.inFlight - a.inFlight);
  return {
    seen: { inFlight: seen.inFlight, judged: seen.judged, broken: seen.broken },
    ...(unseen && { unseen: { inFlight: unseen.inFlight, judged: unseen.judged } }),
  };
}
