import type { Exchange } from '../../exchange/exchange.ts';
import { bodyStart, statusClass, statusWords } from '../reading/body-reading.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { NO_CONTROL, controlAnswered } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { carriesError } from '../reading/error-inside.ts';
import { HOLDS, broken, finding, inconclusive, skipped } from '../finding.ts';
import { isRefusal, outcomeOf, whyNoAnswer } from '../reading/outcome.ts';
import type { CheckResult } from '../verdict.ts';
import type { SchemaIssue } from '../../contract/contract.ts';
import { recordedIssues } from '../reading/recorded-issues.ts';

function judgeRefusal(exchange: Exchange, input: CheckInput): CheckResult {
  if (isRefusal(exchange)) return controlAnswered(input) ? HOLDS : inconclusive(NO_CONTROL);
  const outcome = outcomeOf(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  const { status, answer } = outcome;
  const wrong = (mismatch: string, actual: string): CheckResult =>
    broken([finding(exchange, { mismatch, expected: 'a refusal (4xx)', actualType: statusClass(status), actual })]);
  switch (outcome.kind) {
    case 'answered':
    case 'success-other': {
      // No refusal either, but another fault than a completion.
      const mismatch = carriesError(exchange, answer) ? 'error-in-success' : 'completion';
      return wrong(mismatch, `${status}: ${bodyStart(answer.body)}`);
    }
    case 'redirect':
      return wrong('redirect', String(status));
    case 'server-error':
      return inconclusive(`${statusWords(answer)}: judged as errors.no-server-error`);
    case 'client-error':
    case 'odd-status':
      return inconclusive(`${statusWords(answer)} does not speak of what was edited`);
  }
}

export const refused: Check = {
  summary: 'A request that breaks a rule is refused, while its control is answered.',
  execute: (input) => eachExchange(input, (exchange) => judgeRefusal(exchange, input)),
};

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
      carriesError(exchange, answer) ? 'error-in-success' : 'completion',
      `${status}: ${bodyStart(answer.body)}`,
    );
  return skipped('without a control, that it was refused proves nothing');
}

function inWords({ pointer, mismatch, expected, actual }: SchemaIssue): string {
  const place = pointer === '' ? 'the body of the request' : `${pointer} of the request`;
  return mismatch === 'absent' ? `${place} is missing` : `${place} is ${actual}, not ${expected}`;
}

export const refusalInForm: Check = {
  summary: 'What is not answered is refused by an error status, not by a redirect or an error inside a 200.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      if (isRefusal(exchange)) return HOLDS;
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return skipped(whyNoAnswer(outcome));
      const { kind, status, answer } = outcome;
      const wrong = (mismatch: string, actual: string) =>
        broken([finding(exchange, { mismatch, expected: 'a refusal (4xx)', actualType: statusClass(status), actual })]);
      if (kind === 'redirect') return wrong('redirect', String(status));
      if (kind !== 'answered' && kind !== 'success-other') return skipped(statusWords(answer));
      return carriesError(exchange, answer)
        ? wrong('error-in-success', `${status}: ${bodyStart(answer.body)}`)
        : skipped('it was not refused');
    }),
};

export const unknownModel: Check = {
  summary: 'A model that does not exist is refused rather than answered by another one.',
  // Rule for rule the same as an edit out of range; that a 200 weighs less here is said by the level of the clause.
  execute: (input) => refused.execute(input),
};
