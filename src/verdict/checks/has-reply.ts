import { isObject, typeOf } from '../../json.ts';
import { memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { HOLDS, broken, finding, shown, skipped } from '../finding.ts';

/** Where the fault is of another kind: that one is found under its own clause. */
function judgedElsewhere(value: unknown): string | undefined {
  if (!isObject(value)) return 'completion.object-body';
  if ((memberOf(value, 'error') ?? null) !== null) return 'completion.no-error';
  const choices = memberOf(value, 'choices');
  if (choices === undefined) return undefined;
  if (!Array.isArray(choices) || !choices.every(isObject)) return 'completion.choices-type';
  const hasWrongMessage = choices.some((choice) => Object.hasOwn(choice, 'message') && !isObject(choice['message']));
  return hasWrongMessage ? 'choice.message-type' : undefined;
}

export const hasReply: Check = {
  summary: 'A completion has at least one choice with a message.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const clause = judgedElsewhere(value);
      if (clause !== undefined) return skipped(`what came in its place is judged as ${clause}`);
      const choices = memberOf(value, 'choices');
      if (Array.isArray(choices) && choices.some((choice) => memberOf(choice, 'message') !== undefined)) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: choices === undefined ? 'absent' : 'no-message',
          pointer: '/choices',
          expected: 'at least one choice with a message',
          actualType: typeOf(choices),
          actual: shown(choices),
        }),
      ]);
    }),
};
