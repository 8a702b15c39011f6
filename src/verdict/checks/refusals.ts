import type { SchemaIssue } from '../../contract/contract.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { endedBeforeText } from '../../exchange/reading/answered.ts';
import { groupDigits } from '../../text/layout.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { HOLDS, inconclusive, noOccasion, observed, skipped } from '../check-result.ts';
import { brokenWith } from '../finding.ts';
import type { BrokenRule } from '../expected.ts';
import { statusClass, statusOf } from '../reading/answers.ts';
import { carriesError, isOnlyError, isWithoutReply } from '../reading/answer-places.ts';
import { answerFound } from '../reading/body-content.ts';
import { contextNotReached, controlAnswered, noControlFor } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, isRefusal, wasClosedOnLargeBody, whyNoAnswer, whyUnanswered } from '../reading/outcome.ts';
import { recordedIssues } from '../reading/schema-issues.ts';
import type { CheckResult } from '../verdict.ts';
import { acceptance, acceptanceOf } from './observed-answers.ts';

/** A success or a redirect in place of a refusal. `violation`: what is wrong with the request. */
function notRefused(exchange: Exchange, answer: Answer, violation?: BrokenRule): CheckResult {
  const { status } = answer;
  const expected = { kind: 'refusal', ...(violation && { violation }) } as const;
  const parts = { expected, actualType: statusClass(status) } as const;
  if (status >= 300)
    return brokenWith(exchange, { mismatch: 'redirect', ...parts, actual: { kind: 'status', status } });
  // Not a refusal either, but a different fault from a completion.
  const mismatch = carriesError(exchange, answer) ? 'error-in-success' : 'completion';
  return brokenWith(exchange, { mismatch, ...parts, actual: answerFound(answer) });
}

function judgeRefusal(exchange: Exchange, input: CheckInput): CheckResult {
  if (isRefusal(exchange)) return controlAnswered(input) ? HOLDS : inconclusive(noControlFor(input));
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  const { answer } = outcome;
  switch (outcome.kind) {
    case 'answered':
    case 'success-other': {
      if (endedBeforeText(exchange)) return inconclusive(whyUnanswered(exchange));
      // It says nothing of the edit if the unedited request fares no better.
      if (isWithoutReply(exchange, answer) && !controlAnswered(input)) return inconclusive(noControlFor(input));
      return notRefused(exchange, answer);
    }
    case 'redirect':
      return notRefused(exchange, answer);
    case 'server-error': {
      const clause = 'errors.no-server-error';
      return inconclusive({ kind: 'see-clause', because: 'status', clause, answer: statusOf(answer) });
    }
    case 'client-error':
    case 'odd-status':
      return inconclusive({ kind: 'status-unrelated', answer: statusOf(answer) });
  }
}

export const refused: Check = {
  summary: 'A request that breaks a rule is refused, while its control is answered.',
  seeks: 'refusal',
  isBrokenByAnswer: true,
  execute: eachExchange(judgeRefusal),
};

function judgeAnswer(exchange: Exchange, issue: SchemaIssue, run: RunView): CheckResult {
  // Redaction may have changed the body, so only violations in the file itself count.
  if (exchange.seeks !== 'refusal' && run.contract.clause(issue.clause)?.level === 'must')
    return skipped({ kind: 'recording-gap', gap: 'original-request' });
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return skipped({ kind: 'recording-gap', gap: 'answer' });
  const { kind, answer } = outcome;
  const { clause: _clause, hides: _hides, ...violation } = issue;
  if (kind === 'redirect' || kind === 'answered' || kind === 'success-other')
    return notRefused(exchange, answer, violation);
  return skipped({ kind: 'recording-gap', gap: 'control' });
}

// Requests that are larger than a target may take.

function sizeOf({ request: { filler } }: Exchange): string {
  return `a body of ${groupDigits((filler?.count ?? 0) / 1024 ** 2)} MiB`;
}

export const REFUSAL_CHECKS = {
  refused,
  'no-completion': {
    summary: 'No recorded request that breaks this rule was answered with a completion.',
    execute: eachExchange((exchange, input) => {
      // The request schema names a clause for each rule.
      const issue = recordedIssues(input.run.contract)(exchange).find(({ clause }) => clause === input.clause);
      return issue ? judgeAnswer(exchange, issue, input.run) : skipped({ kind: 'recording-gap', gap: 'violation' });
    }),
  },
  'refusal-in-form': {
    summary: 'A refusal has an error status. It is not a redirect, or a 200 with an error inside.',
    judgesEachRefusal: true,
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return skipped(whyNoAnswer(outcome));
      const { kind, answer } = outcome;
      // With these keys, a 402 or a 429 is what the request is about.
      const isOfTheKey = kind === 'client-error' && ['exhausted', 'limited'].includes(exchange.request.key);
      if (isRefusal(exchange) || isOfTheKey) return HOLDS;
      // If its control fares no better, this request is not the reason.
      if (!controlAnswered(input)) return skipped(noControlFor(input));
      if (kind === 'redirect') return notRefused(exchange, answer);
      if (kind !== 'answered' && kind !== 'success-other')
        return skipped({ kind: 'status-unrelated', answer: statusOf(answer) });
      if (isOnlyError(exchange, answer)) return notRefused(exchange, answer);
      return noOccasion('refusal');
    }),
  },
  'large-body-refused': {
    summary: 'A large body that is not a valid request is refused, or not read to its end.',
    seeks: 'refusal',
    isBrokenByAnswer: true,
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome && wasClosedOnLargeBody(exchange))
        return observed([{ name: 'outcome-of', of: sizeOf(exchange), value: whyNoAnswer(outcome) }]);
      return refused.execute({ ...input, exchanges: [exchange] });
    }),
  },
  /** `larger-body` sends several, and a verdict names only one of them. */
  'body-sizes': {
    summary: 'Records what happens to a body of each size.',
    execute: eachExchange((exchange) =>
      observed([{ name: 'outcome-of', of: sizeOf(exchange), value: acceptanceOf(exchange) }]),
    ),
  },
  'context-exceeded': {
    summary: 'Records what happens to a prompt that is longer than the context.',
    execute: eachExchange((exchange, input) => {
      const reason = contextNotReached(exchange, input);
      if (reason) return skipped(reason);
      return acceptance.execute({ ...input, options: {}, exchanges: [exchange] });
    }),
  },
  'unknown-model': {
    summary: 'A model that does not exist is refused, not replaced by a different one.',
    isBrokenByAnswer: true,
    // Judged like any refusal; the level of the clause makes a 200 weigh less.
    execute: (input) => refused.execute(input),
  },
} satisfies Record<string, Check>;
