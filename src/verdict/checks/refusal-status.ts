import { errorWord } from '../answers.ts';
import type { Check } from '../check.ts';
import { cutText, inconclusive, observed, skipped } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';
import type { Observation } from '../verdict.ts';

export const refusalStatus: Check = {
  summary: 'Records with which status, type and code this is refused.',
  execute: ({ exchanges, run }) => {
    // Where the same call was made over and over, the last one is the one that was refused, if any was.
    const last = exchanges.at(-1);
    if (!last) return skipped('nothing was asked');
    const outcome = outcomeOf(last);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    const { status, answer } = outcome;
    if (status === 200 && last.request.key === 'exhausted') return skipped('this key is not used up');
    const observations: Observation[] = [{ name: 'status', value: status }];
    const calls = run.traffic.exchanges.filter(({ step }) => step === last.step).length;
    if (calls > 1) observations.push({ name: 'calls', value: calls });
    for (const name of ['type', 'code'] as const) {
      const word = errorWord(answer, name, run);
      if (word !== undefined) observations.push({ name: `error.${name}`, value: cutText(word) });
    }
    return observed(observations);
  },
};
