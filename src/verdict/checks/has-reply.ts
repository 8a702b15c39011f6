import { isObject, typeOf } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { HOLDS, broken, finding, shown } from '../finding.ts';

export const hasReply: Check = {
  summary: 'A completion has at least one choice with a message.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const choices = memberOf(value, 'choices');
      if (itemsOf(choices).some((choice) => isObject(memberOf(choice, 'message')))) return HOLDS;
      const mismatch = choices === undefined ? 'absent' : 'no-message';
      return broken([
        finding(exchange, {
          mismatch,
          pointer: '/choices',
          expected: 'at least one choice with a message',
          actualType: typeOf(choices),
          actual: shown(choices),
        }),
      ]);
    }),
};
