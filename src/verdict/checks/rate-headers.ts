import { allAnswers } from '../answers.ts';
import type { Check } from '../check.ts';
import { cutText, observed, skipped } from '../finding.ts';

const RATE_HEADER = /^retry-after(?:-ms)?$|rate-?limit/i;
const MOST_HEADERS = 50;

/** Each header with the first value it had: the later ones only count down. */
export const rateHeaders: Check = {
  summary: 'Records Retry-After and rate-limit headers.',
  execute: ({ exchanges }) => {
    const first = new Map<string, string>();
    for (const { answer } of allAnswers(exchanges)) {
      for (const [name, value] of answer.headers) {
        const key = cutText(name.toLowerCase());
        if (RATE_HEADER.test(name) && !first.has(key) && first.size < MOST_HEADERS) first.set(key, cutText(value));
      }
    }
    if (first.size === 0) return skipped('no answer had such a header');
    return observed([...first].map(([name, value]) => ({ name, value })));
  },
};
