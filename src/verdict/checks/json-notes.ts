import { allAnswers } from '../answers.ts';
import { readBody } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

export const jsonNotes: Check = {
  summary: 'Records oddities of JSON texts that do no harm.',
  execute: ({ exchanges, run }) => {
    const notes = [...allAnswers(exchanges)].flatMap(({ answer }) => {
      const reading = readBody(answer, run);
      return reading.kind === 'json' ? reading.notes : [];
    });
    return observed([{ name: 'oddities of JSON texts', value: seenValues(notes) }]);
  },
};
