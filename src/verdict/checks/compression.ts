import { allAnswers } from '../answers.ts';
import { headerOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

export const compression: Check = {
  summary: 'Records how answers are compressed, and with which version of HTTP they come.',
  execute: ({ exchanges }) => {
    const answers = [...allAnswers(exchanges)].map(({ answer }) => answer);
    return observed([
      {
        name: 'Content-Encoding',
        value: seenValues(answers.map((answer) => headerOf(answer, 'content-encoding') ?? 'none')),
      },
      { name: 'HTTP version', value: seenValues(answers.map(({ httpVersion }) => httpVersion)) },
    ]);
  },
};
