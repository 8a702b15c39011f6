/** Judges each exchange by itself and keeps the worst, so that a check says only what it asks of one. */
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckInput } from './check.ts';
import { broken, fold, observed, skipped } from './finding.ts';
import type { CheckResult } from './verdict.ts';

type Kind = CheckResult['kind'];
type OfKind<K extends Kind> = Extract<CheckResult, { readonly kind: K }>;

function only<K extends Kind>(results: readonly CheckResult[], kind: K): readonly OfKind<K>[] {
  return results.filter((result): result is OfKind<K> => result.kind === kind);
}

/** Broken, inconclusive, holds, observed, skipped: the first of these that any result is. */
export function worstOf(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const findings = only(results, 'broken').flatMap((result) => result.findings);
  if (findings.length > 0) return broken(fold(findings, exchanges));
  const unclear = only(results, 'inconclusive')[0];
  if (unclear) return unclear;
  const holding = only(results, 'holds');
  const flaky = holding.find((result) => result.flaky);
  if (holding[0]) return flaky ?? holding[0];
  const seen = only(results, 'observed').flatMap((result) => result.observations);
  if (seen.length > 0) return observed(seen);
  return only(results, 'skipped')[0] ?? skipped('there was nothing to look at');
}

/** As `worstOf`, except that what could not be looked at does not take away what the others show. */
export function worstOfJudged(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const clear = results.filter(({ kind }) => kind !== 'inconclusive');
  return worstOf(clear.length > 0 ? clear : results, exchanges);
}

export function eachExchange(input: CheckInput, judgeOne: (exchange: Exchange) => CheckResult): CheckResult {
  return worstOf(input.exchanges.map(judgeOne), input.exchanges);
}
