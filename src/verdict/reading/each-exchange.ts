/** Judges each exchange by itself and keeps the worst, so that a check says only what it asks of one. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { CheckInput } from '../check.ts';
import { broken, fold, observed, skipped } from '../finding.ts';
import type { CheckResult } from '../verdict.ts';

type Kind = CheckResult['kind'];
type Sorted = { readonly [K in Kind]: Extract<CheckResult, { readonly kind: K }>[] };

/** Broken, inconclusive, holds, observed, skipped: the first of these that any result is. */
export function worstOf(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const { broken: faults, inconclusive, holds, observed: seen, skipped: left } = sortByKind(results);
  if (faults.some(({ findings }) => findings.length > 0)) {
    const findings = faults.flatMap((result) => result.findings);
    return broken(fold(findings, exchanges));
  }
  if (inconclusive[0]) return inconclusive[0];
  if (holds[0]) return holds.find(({ flaky }) => flaky) ?? holds[0];
  const observations = seen.flatMap((result) => result.observations);
  if (observations.length > 0) return observed(observations);
  return left[0] ?? skipped({ kind: 'nothing-to-judge' });
}

function sortByKind(results: readonly CheckResult[]): Sorted {
  const sorted: Sorted = { broken: [], inconclusive: [], holds: [], observed: [], skipped: [] };
  for (const result of results) (sorted[result.kind] as CheckResult[]).push(result);
  return sorted;
}

/** As `worstOf`, except that what could not be looked at does not take away what the others show. */
export function worstOfJudged(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const clear = results.filter(({ kind }) => kind !== 'inconclusive');
  return worstOf(clear.length > 0 ? clear : results, exchanges);
}

export function eachExchange(input: CheckInput, judgeOne: (exchange: Exchange) => CheckResult): CheckResult {
  return worstOf(input.exchanges.map(judgeOne), input.exchanges);
}
