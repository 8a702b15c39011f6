/** Judges exchanges one at a time and keeps the worst result, so a check deals with a single exchange. */
import type { Exchange, Answer } from '../../exchange/exchange.ts';
import type { CheckInput } from '../check.ts';
import { mergeFindings } from '../finding.ts';
import { broken, observed, skipped, inconclusive } from '../check-result.ts';
import type { Answers, CheckResult } from '../verdict.ts';
import type { Json } from '../../json.ts';
import { readBody } from './answers.ts';
import { answerOutcome } from './outcome.ts';
import type { Reason } from '../reason.ts';

type Kind = CheckResult['kind'];
type Sorted = { readonly [K in Kind]: Extract<CheckResult, { readonly kind: K }>[] };

/** The order, from worst to best: broken, inconclusive, holds, observed, skipped. */
export function worstResult(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const [first] = results;
  // By far the most frequent case, and a recording has a hundred thousand answers.
  if (first?.kind === 'holds' && results.every((result) => result === first)) return first;
  const { broken: faults, inconclusive, holds, observed: seen, skipped: left } = sortByKind(results);
  if (faults.some(({ findings }) => findings.length > 0)) {
    const findings = faults.flatMap((result) => result.findings);
    return broken(mergeFindings(findings, exchanges));
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

/** Like `worstResult`, but ignores exchanges that could not be judged if others could. */
export function worstJudgedResult(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  if (results.every(({ kind }) => kind !== 'inconclusive')) return worstResult(results, exchanges);
  const clear = results.filter(({ kind }) => kind !== 'inconclusive');
  return worstResult(clear.length > 0 ? clear : results, exchanges);
}

/** A check that judges exchange by exchange. */
export function eachExchange(judge: (exchange: Exchange, input: CheckInput) => CheckResult): Judge {
  return (input) => {
    const { exchanges } = input;
    const results = exchanges.map((exchange) => judge(exchange, input));
    return withAnswers(worstResult(results, exchanges), results, exchanges);
  };
}

type Judge = (input: CheckInput) => CheckResult;

/** `kindOf`: what was found in the exchange at a place. */
export function sortAnswers(exchanges: readonly Exchange[], kindOf: (place: number) => Kind | undefined): Answers {
  return {
    kept: exchanges.filter((_, place) => kindOf(place) === 'holds'),
    broken: exchanges.filter((_, place) => kindOf(place) === 'broken'),
  };
}

/** `results`: one for each of the exchanges. If all are alike, there is nothing to tell apart. */
function withAnswers(
  result: CheckResult,
  results: readonly CheckResult[],
  exchanges: readonly Exchange[],
): CheckResult {
  if (result.kind !== 'holds' && result.kind !== 'broken') return result;
  if (results.every(({ kind }) => kind === result.kind)) return result;
  return { ...result, answers: sortAnswers(exchanges, (place) => results[place]?.kind) };
}

export const NOT_200: Reason = { kind: 'not-200' };

/** The JSON text of an answer with status 200, or why there is none. */
export function jsonOf200(
  exchange: Exchange,
):
  | { readonly kind: 'json'; readonly value: Json; readonly answer: Answer }
  | { readonly kind: 'none'; readonly why: Reason } {
  const outcome = answerOutcome(exchange);
  if (outcome.kind !== 'answered') return { kind: 'none', why: NOT_200 };
  const reading = readBody(outcome.answer);
  if (reading.kind === 'json') return { kind: 'json', value: reading.value, answer: outcome.answer };
  const why: Reason =
    reading.kind === 'limit' ? { kind: 'over-limit', what: 'body', limit: reading.limit } : { kind: 'not-json' };
  return { kind: 'none', why };
}

/** Judges the JSON body of each 200; inconclusive if there is none. */
export function eachJson(
  judge: (value: Json, exchange: Exchange, answer: Answer, input: CheckInput) => CheckResult,
): Judge {
  return (input) => {
    const { exchanges } = input;
    const results = exchanges.map((exchange) => {
      const read = jsonOf200(exchange);
      return read.kind === 'json' ? judge(read.value, exchange, read.answer, input) : inconclusive(read.why);
    });
    return withAnswers(worstJudgedResult(results, exchanges), results, exchanges);
  };
}
