import { findHeader } from '../../exchange/exchange.ts';
import { type Check, textOption } from '../check.ts';
import { brokenIfAny, finding, inconclusive, mergeFindings } from '../finding.ts';
import { allAnswers } from '../reading/answers.ts';

/** For clauses of a profile: v1 asks for no header of this kind. */
export const headerPresent: Check = {
  summary: 'Every answer of the two endpoints has the header that name gives, and it is not empty.',
  options: { name: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" } },
  requires: ['name'],
  execute: ({ exchanges, options }) => {
    const name = textOption(options, 'name');
    // An attempt that was replaced may come from a proxy in front of the gateway.
    const judged = allAnswers(exchanges).filter(
      ({ exchange, attempt }) => exchange.request.endpoint !== 'other' && attempt === exchange.attempts.length - 1,
    );
    if (judged.length === 0) return inconclusive({ kind: 'nothing-to-judge' });
    const findings = judged
      .filter(({ answer }) => (findHeader(answer.headers, name.toLowerCase()) ?? '').trim() === '')
      .map(({ exchange, attempt, answer }) => ({
        ...finding(exchange, {
          mismatch: 'absent',
          expected: { kind: 'header-named', name },
          actualType: 'absent',
          actual: { kind: 'absent' },
          attempt,
        }),
        // A gateway often sets it on answers of one kind only.
        status: answer.status,
      }));
    return brokenIfAny(mergeFindings(findings, exchanges));
  },
};
