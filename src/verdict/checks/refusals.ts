import type { SchemaIssue } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { endedBeforeText } from '../../exchange/reading/answered.ts';
import { groupDigits } from '../../text/layout.ts';
import type { Actual } from '../actual.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { HOLDS, inconclusive, observed, skipped, brokenWith } from '../check-result.ts';
import type { Mismatch } from '../mismatch.ts';
import { carriesError, isOnlyError, isWithoutReply, statusClass, statusOf } from '../reading/answers.ts';
import { answerFound } from '../reading/body-content.ts';
import { contextNotReached, controlAnswered, noControlFor } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, isRefusal, wasClosedOnLargeBody, whyNoAnswer, whyUnanswered } from '../reading/outcome.ts';
import { recordedIssues } from '../reading/schema-issues.ts';
import type { CheckResult } from '../verdict.ts';
import { acceptance, acceptanceOf } from './observed-answers.ts';

function judgeRefusal(exchange: Exchange, input: CheckInput): CheckResult {
  if (isRefusal(exchange)) return controlAnswered(input) ? HOLDS : inconclusive(noControlFor(input));
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  const { status, answer } = outcome;
  const wrong = (mismatch: Mismatch, actual: Actual): CheckResult =>
    brokenWith(exchange, { mismatch, expected: { kind: 'refusal' }, actualType: statusClass(status), actual });
  switch (outcome.kind) {
    case 'answered':
    case 'success-other': {
      if (endedBeforeText(exchange)) return inconclusive(whyUnanswered(exchange));
      // It says nothing of the edit if the unedited request fares no better.
      if (isWithoutReply(exchange, answer) && !controlAnswered(input)) return inconclusive(noControlFor(input));
      // Not a refusal either, but a different fault from a completion.
      const mismatch = carriesError(exchange, answer) ? 'error-in-success' : 'completion';
      return wrong(mismatch, answerFound(answer));
    }
    case 'redirect':
      return wrong('redirect', { kind: 'status', status });
    case 'server-error':
      return inconclusive({
        kind: 'see-clause',
        because: 'status',
        clause: 'errors.no-server-error',
        answer: statusOf(answer),
      });
    case 'client-error':
    case 'odd-status':
      return inconclusive({ kind: 'status-unrelated', answer: statusOf(answer) });
  }
}

export const refused: Check = {
  summary: 'A request that breaks a rule is refused, while its control is answered.',
  seeks: 'refusal',
  isBrokenByAnswer: true,
  execute: eachExchange((exchange, input) => judgeRefusal(exchange, input)),
};

function judgeAnswer(exchange: Exchange, issue: SchemaIssue, run: RunView): CheckResult {
  // Redaction may have changed the body, so only violations in the file itself count.
  if (exchange.seeks !== 'refusal' && run.contract.clause(issue.clause)?.level === 'must')
    return skipped({ kind: 'recording-gap', gap: 'original-request' });
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return skipped({ kind: 'recording-gap', gap: 'answer' });
  const { status, answer } = outcome;
  const { pointer, mismatch: fault, expected, actualType, value } = issue;
  const violation = { pointer, mismatch: fault, expected, actualType, ...(value !== undefined && { value }) };
  const wrong = (mismatch: Mismatch, actual: Actual): CheckResult =>
    brokenWith(exchange, {
      mismatch,
      expected: { kind: 'refusal', violation },
      actualType: statusClass(status),
      actual,
    });
  if (outcome.kind === 'redirect') return wrong('redirect', { kind: 'status', status });
  if (outcome.kind === 'answered' || outcome.kind === 'success-other')
    return wrong(carriesError(exchange, answer) ? 'error-in-success' : 'completion', answerFound(answer));
  return skipped({ kind: 'recording-gap', gap: 'control' });
}

const refusalInForm: Check = {
  summary: 'A refusal has an error status. It is not a redirect, or a 200 with an error inside.',
  judgesEachRefusal: true,
  execute: eachExchange((exchange, input) => {
    const outcome = answerOutcome(exchange);
    if ('failure' in outcome) return skipped(whyNoAnswer(outcome));
    const { kind, status, answer } = outcome;
    // With these keys, a 402 or a 429 is what the request is about.
    const isOfTheKey = kind === 'client-error' && ['exhausted', 'limited'].includes(exchange.request.key);
    if (isRefusal(exchange) || isOfTheKey) return HOLDS;
    // If its control fares no better, this request is not the reason.
    if (!controlAnswered(input)) return skipped(noControlFor(input));
    const wrong = (mismatch: Mismatch, actual: Actual) =>
      brokenWith(exchange, { mismatch, expected: { kind: 'refusal' }, actualType: statusClass(status), actual });
    if (kind === 'redirect') return wrong('redirect', { kind: 'status', status });
    if (kind !== 'answered' && kind !== 'success-other')
      return skipped({ kind: 'status-unrelated', answer: statusOf(answer) });
    return isOnlyError(exchange, answer)
      ? wrong('error-in-success', answerFound(answer))
      : skipped({ kind: 'no-occasion', of: 'refusal' });
  }),
};

const unknownModel: Check = {
  summary: 'A model that does not exist is refused, not replaced by a different one.',
  isBrokenByAnswer: true,
  // Judged like any refusal; the level of the clause makes a 200 weigh less.
  execute: (input) => refused.execute(input),
};

// Requests that are larger than a target may take.

const largeBodyRefused: Check = {
  summary: 'A large body that is not a valid request is refused, or not read to its end.',
  seeks: 'refusal',
  isBrokenByAnswer: true,
  execute: eachExchange((exchange, input) => {
    const outcome = answerOutcome(exchange);
    if ('failure' in outcome && wasClosedOnLargeBody(exchange))
      return observed([{ name: 'outcome-of', of: sizeOf(exchange), value: whyNoAnswer(outcome) }]);
    return refused.execute({ ...input, exchanges: [exchange] });
  }),
};

/** `larger-body` sends several, and a verdict names only one of them. */
const bodySizes: Check = {
  summary: 'Records what happens to a body of each size.',
  execute: eachExchange((exchange) =>
    observed([{ name: 'outcome-of', of: sizeOf(exchange), value: acceptanceOf(exchange) }]),
  ),
};

function sizeOf({ request: { filler } }: Exchange): string {
  return `a body of ${groupDigits((filler?.count ?? 0) / 1024 ** 2)} MiB`;
}

const contextExceeded: Check = {
  summary: 'Records what happens to a prompt that is longer than the context.',
  execute: eachExchange((exchange, input) => {
    const reason = contextNotReached(exchange, input);
    if (reason) return skipped(reason);
    return acceptance.execute({ ...input, options: {}, exchanges: [exchange] });
  }),
};

export const REFUSAL_CHECKS = {
  refused,
  'no-completion': {
    summary: 'No recorded request that breaks this rule was answered with a completion.',
    execute: eachExchange((exchange, input) => {
      // The request schema names a clause for each rule.
      const issue = recordedIssues(exchange, input.run.contract).find(({ clause }) => clause === input.clause);
      return issue ? judgeAnswer(exchange, issue, input.run) : skipped({ kind: 'recording-gap', gap: 'violation' });
    }),
  },
  'refusal-in-form': refusalInForm,
  'large-body-refused': largeBodyRefused,
  'body-sizes': bodySizes,
  'context-exceeded': contextExceeded,
  'unknown-model': unknownModel,
} satisfies Record<string, Check>;
