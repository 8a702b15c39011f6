import type { Check } from '../check.ts';
import { worstOf } from '../each-exchange.ts';
import { ERROR_SHAPE, errorsOf, judgeErrorBody } from '../error-body.ts';
import { skipped } from '../finding.ts';
import { wentAway } from '../outcome.ts';

export const passingServerErrorBody: Check = {
  summary: 'A 5xx that went away had the error body.',
  execute: ({ exchanges, run }) => {
    const places = exchanges
      .filter(({ request }) => request.endpoint !== 'other')
      .flatMap((exchange) => errorsOf(exchange).filter(({ attempt }) => wentAway(exchange, attempt)));
    if (places.length === 0) return skipped('no 5xx came that went away');
    const results = places.flatMap((place) => ERROR_SHAPE.map((clause) => judgeErrorBody(clause, place, run)));
    return worstOf(results, exchanges);
  },
};
