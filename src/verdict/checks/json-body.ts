import { bodyStart, readBody } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { NOT_200 } from '../completion.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf } from '../outcome.ts';

export const jsonBody: Check = {
  summary: 'The whole body of an answer with status 200 is one JSON text.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if (outcome.kind !== 'answered') return inconclusive(NOT_200);
      const reading = readBody(outcome.answer, input.run);
      switch (reading.kind) {
        case 'json':
          return HOLDS;
        case 'limit':
          return inconclusive(`the body went beyond the limit set by ${reading.limit}`);
        case 'aborted':
          return inconclusive(`the body was not read to its end: ${reading.why}`);
        case 'cut':
        case 'undecodable':
        case 'empty':
        case 'not-json':
        case 'not-utf8': {
          const start = bodyStart(outcome.answer.body);
          const actual = reading.kind === 'empty' ? 'an empty body' : start;
          const whole = { expected: 'one JSON text', actualType: reading.kind, actual };
          return broken([finding(exchange, { mismatch: reading.kind, ...whole })]);
        }
      }
    }),
};
