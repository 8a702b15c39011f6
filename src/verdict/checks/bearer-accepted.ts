import type { Check } from '../check.ts';
import { MODELS_STEP } from '../control.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { acceptedKey } from '../accepted-key.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

/** Asked only after the key was refused: the same list with the key alone in the header. */
const BARE_KEY_STEP = 'bare-key';

export const bearerAccepted: Check = {
  summary: 'A valid key is taken from Authorization: Bearer.',
  needsNoExchange: true,
  execute: ({ run }) => {
    if (acceptedKey(run)) return HOLDS;
    const list = run.exchange(MODELS_STEP);
    if (!list) return inconclusive('the model list was not asked for');
    const outcome = outcomeOf(list);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    // A refusal for another reason than the key came after the key was looked at.
    if (outcome.status !== 401) {
      return outcome.kind === 'client-error' && run.traffic.ending.kind !== 'not-this-api'
        ? HOLDS
        : inconclusive(`no request with the key was answered (${outcome.status})`);
    }
    const bare = run.exchange(BARE_KEY_STEP);
    if (!bare || outcomeOf(bare).kind !== 'answered') return inconclusive('the key was refused');
    return broken([
      finding(list, {
        mismatch: 'status',
        expected: '200 with Authorization: Bearer',
        actualType: '4xx',
        actual: '401, while the key without the scheme was answered with 200',
      }),
    ]);
  },
};
