import { typeOf } from '../../json.ts';
import { memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { HOLDS, broken, finding, shown } from '../finding.ts';

export const noErrorInside: Check = {
  summary: 'An answer with status 200 carries no error.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const error = memberOf(value, 'error') ?? null;
      if (error === null) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'error-in-success',
          pointer: '/error',
          expected: 'no error beside a success',
          actualType: typeOf(error),
          actual: shown(error),
        }),
      ]);
    }),
};
