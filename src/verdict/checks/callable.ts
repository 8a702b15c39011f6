import type { Check } from '../check.ts';
import { judgeSample } from './permitted.ts';

export const callable: Check = {
  summary: 'No call of a listed model is refused, other than with a 403.',
  execute: (input) => judgeSample('refused', '200 for a listed model', input),
};
