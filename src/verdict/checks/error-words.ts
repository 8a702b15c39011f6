import { errorAnswers, errorWord } from '../answers.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

export const errorWords: Check = {
  summary: 'Records every error type and code.',
  execute: ({ exchanges, run }) => {
    const answers = [...errorAnswers(exchanges)];
    return observed(
      (['type', 'code'] as const).map((name) => ({
        name: `error.${name}`,
        value: seenValues(answers.flatMap(({ answer }) => errorWord(answer, name, run) ?? [])),
      })),
    );
  },
};
