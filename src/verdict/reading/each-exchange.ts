/** Judges exchanges one at a time and keeps the worst result, so a check deals with a single exchange. */
import type { Exchange, Answer } from '../../exchange/exchange.ts';
import type { CheckInput } from '../check.ts';
import { broken, brokenIfAny } from '../finding.ts';
import { inconclusive, observed, skipped } from '../check-result.ts';
import type { Answers, CheckResult, Finding } from '../verdict.ts';
import type { Json } from '../../json.ts';
import { readBody } from './answers.ts';
import { answerOutcome } from './outcome.ts';
import type { Reason } from '../reason.ts';

/** The order, from worst to best: broken, inconclusive, holds, observed, skipped. */
export function worstResult(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const [first] = results;
  // By far the most frequent case, and a recording has a hundred thousand answers.
  if (first?.kind === 'holds' && results.every((result) => result === first)) return first;
  const findings = results.flatMap((result) => (result.kind === 'broken' ? result.findings : []));
  if (findings.length > 0) return broken(findings, exchanges);
  const unclear = results.find(({ kind }) => kind === 'inconclusive');
  if (unclear) return unclear;
  const holds = results.filter((result) => result.kind === 'holds');
  if (holds[0]) return holds.find(({ flaky }) => flaky) ?? holds[0];
  const observations = results.flatMap((result) => (result.kind === 'observed' ? result.observations : []));
  if (observations.length > 0) return observed(observations);
  return results.find(({ kind }) => kind === 'skipped') ?? skipped('nothing-to-judge');
}

/** Like `worstResult`, but ignores exchanges that could not be judged if others could. */
export function worstJudgedResult(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const clear = results.filter(({ kind }) => kind !== 'inconclusive');
  return worstResult(clear.length > 0 ? clear : results, exchanges);
}

/** What was found in an exchange: findings break the clause, and without any it holds. */
export type Found = CheckResult | readonly Finding[];

/** A check that judges exchange by exchange. */
export function eachExchange(judge: (exchange: Exchange, input: CheckInput) => Found, combine = worstResult) {
  return (input: CheckInput): CheckResult => {
    const { exchanges } = input;
    const results = exchanges.map((exchange) => {
      const found = judge(exchange, input);
      return 'kind' in found ? found : brokenIfAny(found);
    });
    const result = combine(results, exchanges);
    // If all are alike, there is nothing to tell apart.
    if ((result.kind !== 'holds' && result.kind !== 'broken') || results.every(({ kind }) => kind === result.kind))
      return result;
    return { ...result, answers: sortAnswers(exchanges, results) };
  };
}

/** `results`: what was found in each of the exchanges. */
export function sortAnswers(exchanges: readonly Exchange[], results: readonly CheckResult[]): Answers {
  return {
    kept: exchanges.filter((_, place) => results[place]?.kind === 'holds'),
    broken: exchanges.filter((_, place) => results[place]?.kind === 'broken'),
  };
}

export const NOT_200: Reason = { kind: 'not-200' };

/** The JSON text of an answer with status 200, or why there is none. */
export function jsonOf200(
  exchange: Exchange,
): { readonly value: Json; readonly answer: Answer; readonly why?: undefined } | { readonly why: Reason } {
  const outcome = answerOutcome(exchange);
  if (outcome.kind !== 'answered') return { why: NOT_200 };
  const { answer } = outcome;
  const reading = readBody(answer);
  if (reading.kind === 'json') return { value: reading.value, answer };
  return {
    why: reading.kind === 'limit' ? { kind: 'over-limit', what: 'body', limit: reading.limit } : { kind: 'not-json' },
  };
}

/** Judges the JSON body of each 200; inconclusive if there is none. */
export function eachJson(judge: (value: Json, exchange: Exchange, answer: Answer, input: CheckInput) => Found) {
  return eachExchange((exchange, input) => {
    const read = jsonOf200(exchange);
    return read.why ? inconclusive(read.why) : judge(read.value, exchange, read.answer, input);
  }, worstJudgedResult);
}
