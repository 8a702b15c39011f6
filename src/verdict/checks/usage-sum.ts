import { memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { HOLDS, broken, finding, skipped } from '../finding.ts';

export const usageSum: Check = {
  summary: 'The total_tokens of usage is the sum of prompt_tokens and completion_tokens.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const usage = memberOf(value, 'usage');
      const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => {
        const count = memberOf(usage, name);
        return typeof count === 'number' && Number.isInteger(count) ? count : undefined;
      });
      if (prompt === undefined || completion === undefined || total === undefined) {
        return skipped('usage does not have all three counts');
      }
      if (total === prompt + completion) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'value',
          pointer: '/usage/total_tokens',
          expected: 'the sum of prompt_tokens and completion_tokens',
          actualType: 'integer',
          actual: `${total}, where the others are ${prompt} and ${completion}`,
        }),
      ]);
    }),
};
