import type { Check } from '../check.ts';
import { CHAT_STEP, MODELS_STEP, isAnswered } from '../control.ts';
import { HOLDS, broken, cutText, finding, inconclusive } from '../finding.ts';

export const baseAddress: Check = {
  summary: 'The base address ends in v1.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const asked = [MODELS_STEP, CHAT_STEP].map((step) => run.exchange(step));
    const exchange = asked.find((one) => isAnswered(one, run));
    if (!exchange) return inconclusive('the API does not answer at the base address');
    const segment = new URL(run.settings.baseUrl).pathname.split('/').findLast((part) => part !== '');
    if (segment === 'v1') return HOLDS;
    const found = {
      actualType: segment === undefined ? 'absent' : 'another segment',
      actual: cutText(segment ?? 'no path'),
    };
    return broken([
      finding(exchange, { mismatch: 'base-address', expected: 'v1 as the last segment of the path', ...found }),
    ]);
  },
};
