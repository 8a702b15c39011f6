/** Combines the verdicts on one expectation from two parts of a long recording. */
import type { Checks } from './check.ts';
import { isItemList, nameOnly, type Observation, seenValues } from './observation.ts';
import { type Finding, type Verdict, VERDICTS } from './verdict.ts';

/** The same limit as for any verdict. */
const MAX_EXCHANGES = 3;
/** A target may send a new value every time. */
const MAX_OBSERVATIONS = 100;

export function combineVerdicts(earlier: Verdict, later: Verdict, checks: Checks): Verdict {
  // A part without a matching exchange does not count.
  if (later.exchanges.length === 0) return earlier;
  if (earlier.exchanges.length === 0) return later;
  const worse = VERDICTS.indexOf(later.verdict) < VERDICTS.indexOf(earlier.verdict) ? later : earlier;
  const check = checks[later.check];
  return {
    ...worse,
    flaky: earlier.flaky || later.flaky,
    findings: foldFindings(earlier.findings, later.findings),
    observations: check?.combine
      ? check.combine(earlier.observations, later.observations)
      : combineObservations(earlier.observations, later.observations),
    ...addAnswers(earlier, later),
    exchanges: [...earlier.exchanges, ...later.exchanges].slice(0, MAX_EXCHANGES),
  };
}

function addAnswers(earlier: Verdict, later: Verdict): Pick<Verdict, 'answers'> {
  if (!earlier.answers || !later.answers) return {};
  const { answers: before } = earlier;
  const judged = before.judged + later.answers.judged;
  return { answers: { judged, broken: before.broken + later.answers.broken } };
}

function foldFindings(earlier: Verdict['findings'], later: Verdict['findings']): Verdict['findings'] {
  if (later.length === 0) return earlier;
  const folded = new Map(earlier.map((finding) => [finding.fingerprint, finding]));
  for (const finding of later) {
    const first = folded.get(finding.fingerprint);
    folded.set(finding.fingerprint, first ? addFinding(first, finding) : finding);
  }
  return [...folded.values()];
}

/** No answer is in two parts. */
function addFinding<F extends Finding>(first: F, { more, moreAnswers = 0 }: Finding): F {
  return { ...first, more: first.more + more + 1, moreAnswers: (first.moreAnswers ?? 0) + moreAnswers + 1 };
}

/** Lists of the same name are joined; other observations are listed once per value. */
function combineObservations(earlier: readonly Observation[], later: readonly Observation[]): readonly Observation[] {
  if (later.length === 0) return earlier;
  const united = new Map<string, Observation>();
  for (const observation of [...earlier, ...later]) {
    const { value } = observation;
    const key = JSON.stringify(isItemList(value) ? nameOnly(observation) : observation);
    const before = united.get(key)?.value;
    const items = isItemList(value) ? [...(before !== undefined && isItemList(before) ? before : []), ...value] : [];
    united.set(key, isItemList(value) ? { ...observation, value: seenValues(items, MAX_OBSERVATIONS) } : observation);
  }
  return [...united.values()].slice(0, MAX_OBSERVATIONS);
}
