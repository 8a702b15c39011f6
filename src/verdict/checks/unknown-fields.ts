import { pointerOf } from '../../json.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';
import { objectsOf, shapedAnswers } from '../shapes.ts';

export const unknownFields: Check = {
  summary: 'Records fields of answers that the contract does not have.',
  execute: ({ exchanges, run }) => {
    const names = new Set<string>();
    for (const shaped of shapedAnswers(exchanges, run)) {
      for (const { place, fields, object } of objectsOf(shaped)) {
        for (const field of Object.keys(object)) {
          if (!fields.includes(field)) names.add(`${shaped.shape} ${place}${pointerOf([field])}`);
        }
      }
    }
    return observed([{ name: 'fields beyond the contract', value: seenValues(names) }]);
  },
};
