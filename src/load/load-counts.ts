/** How often each expectation was judged and broken, by stage, and the smallest load that shows it. */
import type { LoadCount, LoadStage, LoadThreshold, StageCount } from '../report/load-report.ts';
import type { AnyCase } from '../suite/case.ts';
import type { AnswerJudge } from './judge-answers.ts';
import { LOAD_CHECKS } from './load-checks.ts';
import type { LoadCheck, Surroundings } from './load-evidence.ts';
import type { Tally } from './tally.ts';

export function countAll(
  judge: AnswerJudge,
  cases: readonly AnyCase[],
  stages: readonly Pick<LoadStage, 'inFlight'>[],
  surroundings: Surroundings,
): readonly LoadCount[] {
  const checks: Readonly<Record<string, LoadCheck>> = LOAD_CHECKS;
  const own = cases.flatMap(({ id, expect }) =>
    expect.flatMap(({ clause, check }) => {
      const { tally: name, enough } = checks[check] ?? {};
      if (name === undefined) return [];
      const tally = judge.tallies[name];
      const rule = enough && ((count: StageCount): boolean => enough(count, surroundings));
      return [countOf({ case: id, clause }, tally.stages, stages, { tally, rule })];
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
  { tally, rule }: { readonly tally?: Pick<Tally, 'onlyWith' | 'mayNeedSlowReader'>; readonly rule?: Rule } = {},
): LoadCount {
  const threshold = findThreshold(counts, stages, { mayNeedSlowReader: tally?.mayNeedSlowReader, rule });
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

/** Whether a stage shows enough by itself to break the clause. */
type Rule = ((count: StageCount) => boolean) | undefined;

type CountedStage = Pick<LoadStage, 'inFlight'> & Partial<Pick<LoadStage, 'kinds'>>;

function hasSlowReaders(stage: CountedStage | undefined): boolean {
  return stage?.kinds?.some(({ kind }) => kind === 'slow-reader') ?? false;
}

interface Shown {
  /** Absent if it is not known what broken answers have in common. */
  readonly mayNeedSlowReader?: boolean | undefined;
  /** Absent: one answer is enough. */
  readonly rule?: Rule;
}

/** The fewest in flight that show it, and the most below that that do not. Stages that only together break it all count. */
export function findThreshold(
  counts: readonly StageCount[],
  stages: readonly CountedStage[],
  { mayNeedSlowReader, rule = () => true }: Shown = {},
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
