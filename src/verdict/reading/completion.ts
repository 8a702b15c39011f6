/** The parts of an answer with status 200 that several checks look at. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { readBody } from './body-reading.ts';
import type { CheckInput } from '../check.ts';
import { worstOfJudged } from './each-exchange.ts';
import { inconclusive } from '../finding.ts';
import { outcomeOf } from './outcome.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';

export const NOT_200: Reason = { kind: 'not-200' };

/** The JSON text of an answer with status 200, or why there is none. */
export function jsonOf200(
  exchange: Exchange,
):
  | { readonly kind: 'json'; readonly value: Json; readonly answer: Answer }
  | { readonly kind: 'none'; readonly why: Reason } {
  const outcome = outcomeOf(exchange);
  if (outcome.kind !== 'answered') return { kind: 'none', why: NOT_200 };
  const reading = readBody(outcome.answer);
  if (reading.kind === 'json') return { kind: 'json', value: reading.value, answer: outcome.answer };
  const why: Reason =
    reading.kind === 'limit' ? { kind: 'over-limit', what: 'body', limit: reading.limit } : { kind: 'not-json' };
  return { kind: 'none', why };
}

/** Judges the JSON text of each exchange that was answered with 200; inconclusive where none was. */
export function eachJson(
  { exchanges }: CheckInput,
  judgeOne: (value: Json, exchange: Exchange, answer: Answer) => CheckResult,
): CheckResult {
  const results = exchanges.map((exchange) => {
    const read = jsonOf200(exchange);
    return read.kind === 'json' ? judgeOne(read.value, exchange, read.answer) : inconclusive(read.why);
  });
  return worstOfJudged(results, exchanges);
}
