import { errorAnswers } from '../answers.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

export const errorConditions: Check = {
  summary: 'Records which requests got which error status.',
  execute: ({ exchanges }) => {
    const answers = [...errorAnswers(exchanges)];
    const statuses = [...new Set(answers.map(({ answer }) => answer.status))].toSorted((left, right) => left - right);
    return observed(
      statuses.map((status) => {
        const asked = answers.filter(({ answer }) => answer.status === status);
        return { name: String(status), value: seenValues(asked.map(({ exchange }) => exchange.step)) };
      }),
    );
  },
};
