import type { SchemaIssue } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { bodyStart, statusClass } from '../body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { eachExchange } from '../each-exchange.ts';
import { carriesError } from '../error-inside.ts';
import { broken, finding, skipped } from '../finding.ts';
import { outcomeOf } from '../outcome.ts';
import { recordedIssues } from '../recorded-issues.ts';
import type { CheckResult } from '../verdict.ts';

export const noCompletion: Check = {
  summary: 'No recorded request that breaks the rule of the clause was answered with a completion.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const issue = recordedIssues(exchange, input.run.contract).find(({ clause }) => clause === input.clause);
      return issue ? judgeAnswer(exchange, issue, input.run) : skipped('no recorded request breaks this rule');
    }),
};

function judgeAnswer(exchange: Exchange, issue: SchemaIssue, run: RunView): CheckResult {
  // What hides a secret may have changed the body: only what was found in the file itself is held against the target.
  if (exchange.seeks !== 'refusal' && run.contract.clause(issue.clause)?.level === 'must')
    return skipped('the request is not in this recording as it was sent');
  const outcome = outcomeOf(exchange);
  if ('failure' in outcome) return skipped('there is no answer in this recording');
  const { status, answer } = outcome;
  const wrong = (mismatch: string, actual: string): CheckResult =>
    broken([
      finding(exchange, {
        mismatch,
        expected: `a refusal (4xx), since ${inWords(issue)}`,
        actualType: statusClass(status),
        actual,
      }),
    ]);
  if (outcome.kind === 'redirect') return wrong('redirect', String(status));
  if (outcome.kind === 'answered' || outcome.kind === 'success-other')
    return wrong(
      carriesError(exchange, answer, run) ? 'error-in-success' : 'completion',
      `${status}: ${bodyStart(answer.body)}`,
    );
  return skipped('without a control, that it was refused proves nothing');
}

function inWords({ pointer, mismatch, expected, actual }: SchemaIssue): string {
  const place = pointer === '' ? 'the body of the request' : `${pointer} of the request`;
  return mismatch === 'absent' ? `${place} is missing` : `${place} is ${actual}, not ${expected}`;
}
