import type { Check } from '../check.ts';
import { refused } from './refused.ts';

export const unknownModel: Check = {
  summary: 'A model that does not exist is refused rather than answered by another one.',
  // Rule for rule the same as an edit out of range; that a 200 weighs less here is said by the level of the clause.
  execute: (input) => refused.execute(input),
};
