import type { Check } from '../check.ts';
import { finding, fold, judged } from '../finding.ts';

export const keyNotEchoed: Check = {
  summary: 'No answer repeats the key it was sent.',
  execute: ({ exchanges }) => {
    const findings = exchanges.flatMap((exchange) =>
      exchange.attempts.flatMap(({ secretsSeen }, attempt) =>
        // The ends of a masked key are a part of it, and give it away to nobody.
        secretsSeen
          .filter(({ whole }) => whole)
          .map(({ role, form, place }) =>
            finding(exchange, {
              mismatch: 'echo',
              expected: 'an answer without the key',
              actualType: `${form} in ${place}`,
              actual: `the ${role} secret in the ${place}, in its ${form} form`,
              attempt,
            }),
          ),
      ),
    );
    return judged(fold(findings, exchanges));
  },
};
