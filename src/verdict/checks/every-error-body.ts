import type { Exchange } from '../../exchange/exchange.ts';
import type { Check } from '../check.ts';
import { NOT_THIS_API } from '../control.ts';
import { worstOfJudged } from '../each-exchange.ts';
import { type ErrorPlace, errorsOf, judgeErrorBody } from '../error-body.ts';
import { inconclusive, skipped } from '../finding.ts';
import { wentAway } from '../outcome.ts';

/** Cases that ask for an error judge the one they got. */
function wasAsked({ seeks, attempts }: Exchange, attempt: number): boolean {
  const isEdited = seeks === 'refusal' || seeks === 'either' || seeks === 'unauthorized';
  return isEdited && attempt === attempts.length - 1;
}

function errorsToJudge(exchange: Exchange, exceptAsked: boolean): readonly ErrorPlace[] {
  if (exchange.request.endpoint === 'other') return [];
  return errorsOf(exchange).filter(
    ({ attempt }) => !(exceptAsked && wasAsked(exchange, attempt)) && !wentAway(exchange, attempt),
  );
}

export const everyErrorBody: Check = {
  summary: 'Every error answer of the run has the error body.',
  options: { 'except-asked': { type: 'boolean', default: true } },
  execute: ({ clause, options, exchanges, run }) => {
    const places = exchanges.flatMap((exchange) => errorsToJudge(exchange, options['except-asked'] !== false));
    if (places.length === 0) return skipped('no error came unasked');
    if (run.traffic.ending.kind === 'not-this-api') return inconclusive(NOT_THIS_API);
    const results = places.map((place) => judgeErrorBody(clause, place, run));
    return worstOfJudged(results, exchanges);
  },
};
