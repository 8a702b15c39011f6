import { typeOf } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, judged, shown } from '../finding.ts';

export const choiceNoError: Check = {
  summary: 'No choice of a completion carries an error.',
  execute: (input) =>
    eachJson(input, (value, exchange) =>
      judged(
        itemsOf(memberOf(value, 'choices')).flatMap((choice, place) => {
          const error = memberOf(choice, 'error') ?? null;
          if (error === null) return [];
          const found = { actualType: typeOf(error), actual: shown(error) };
          const pointer = `/choices/${place}/error`;
          return [
            finding(exchange, { mismatch: 'error-in-success', pointer, expected: 'no error in a choice', ...found }),
          ];
        }),
      ),
    ),
};
