import type { Check } from '../check.ts';
import { cutText, finding, fold, judged } from '../finding.ts';

export const httpWellFormed: Check = {
  summary: 'Every answer is well-formed HTTP.',
  execute: ({ exchanges }) => {
    const findings = exchanges.flatMap((exchange) =>
      exchange.attempts.flatMap(({ outcome }, attempt) => {
        if (outcome.kind !== 'none' || outcome.failure.kind !== 'not-http') return [];
        const { code, detail } = outcome.failure;
        const found = { actualType: 'not-http', actual: cutText(detail === '' ? code : `${code}: ${detail}`) };
        return [finding(exchange, { mismatch: 'not-http', expected: 'well-formed HTTP', attempt, ...found })];
      }),
    );
    return judged(fold(findings, exchanges));
  },
};
