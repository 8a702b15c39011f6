/** Checks of what becomes of a failure of the upstream. */
import { retryAfter as readRetryAfter } from '../../exchange/channel/retry.ts';
import { findHeader } from '../../exchange/exchange.ts';
import { quoteText } from '../../text/quote.ts';
import type { Expected } from '../../verdict/expected.ts';
import { broken, finding, HOLDS, inconclusive, issueFound, observed, skipped } from '../../verdict/finding.ts';
import { statusOf } from '../../verdict/reading/answers.ts';
import { answerFound } from '../../verdict/reading/body-content.ts';
import { readBody } from '../../verdict/reading/answers.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { type Asked, sourceOf, type UpstreamCall } from './both-ends.ts';
import { brokenBy, type CaseEvidence, eachAsked, hangs, type RelayCheck, type RelayRun } from './relay-check.ts';

const KNOWN: Expected = { kind: 'failure-known' };

/** A failure that the gateway never met says nothing; one that it handled well counts only if it is alive. */
export function notMet({ calls, reading }: Asked, { case: { calls: kind } }: CaseEvidence): boolean {
  return kind !== 'refused' && calls.length === 0 && reading.kind !== 'reply' && reading.kind !== 'empty';
}

/** By its finish_reason, which is all that a stream has left once it has begun. */
export function tellsFailure({ reading: { kind, finish = '' } }: Asked): boolean {
  return kind === 'reply' && /error|fail/i.test(finish);
}

export function holdsIfAlive({ control, unrecovered }: CaseEvidence): CheckResult {
  if (unrecovered !== undefined) {
    return skipped({ kind: 'see-clause', because: 'not-recovered', clause: 'relay.recovery' });
  }
  return control === 'answered' ? HOLDS : inconclusive({ kind: 'control-unanswered' });
}

export const failureKnown: RelayCheck = {
  summary: 'A failure of the upstream is never shown as a completion.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    const { kind } = asked.reading;
    if (kind === 'waiting') return seeAnswered(evidence);
    // A reply of a later call is a proper answer.
    const isLaterReply = kind === 'reply' && sourceOf(asked) !== undefined;
    const isInvented = (kind === 'reply' && !isLaterReply && !tellsFailure(asked)) || kind === 'empty';
    return isInvented ? brokenBy(asked, 'invented', KNOWN) : holdsIfAlive(evidence);
  }),
};

/** Still waiting for an upstream that stalls is fair; waiting for one that has long failed is a clause of its own. */
function seeAnswered({ case: { calls } }: CaseEvidence): CheckResult {
  if (calls === 'stall') return skipped({ kind: 'no-occasion', of: 'still-waiting' });
  return skipped({ kind: 'see-clause', because: 'no-answer', clause: 'relay.failure-answered' });
}

export const failureAnswered: RelayCheck = {
  summary: 'A call whose upstream has failed is answered within 20 s.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence) && asked.reading.kind !== 'waiting') {
      return inconclusive({ kind: 'relay-not-forwarded' });
    }
    if (asked.reading.kind !== 'waiting') return holdsIfAlive(evidence);
    return hangs(asked) ? brokenBy(asked, 'hangs', KNOWN) : inconclusive({ kind: 'relay-waiting' });
  }),
};

export const failureForm: RelayCheck = {
  summary: "A failure of the upstream becomes an error in the contract's form.",
  execute: eachAsked((asked, evidence, run) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    const { reading } = asked;
    switch (reading.kind) {
      case 'waiting':
        return seeAnswered(evidence);
      case 'reply':
      case 'empty':
        if (tellsFailure(asked)) return brokenBy(asked, 'no-error-body', { kind: 'error-body' });
        return sourceOf(asked)
          ? skipped({ kind: 'no-occasion', of: 'later-reply' })
          : skipped({ kind: 'see-clause', because: 'failure-hidden', clause: 'relay.failure-known' });
      case 'error':
        return judgeErrorForm(asked, run, evidence);
      case 'cut':
        // The answer had begun, so that only its break can tell the client.
        if (reading.answer && hasBegun(asked)) return holdsIfAlive(evidence);
        return brokenBy(asked, 'no-error-body', { kind: 'error-body' });
      case 'closed':
      case 'garbled':
      case 'unread':
        return brokenBy(asked, 'no-error-body', { kind: 'error-body' });
    }
  }),
};

function hasBegun({ calls }: Asked): boolean {
  return calls.some(({ reading }) => reading.answer?.status === 200);
}

function judgeErrorForm(asked: Asked, run: RelayRun, evidence: CaseEvidence): CheckResult {
  const { reading, front } = asked;
  const { answer } = reading;
  if (!answer) return HOLDS;
  if (answer.status < 400 && front.request.mode === 'plain') {
    return brokenBy(asked, 'error-as-success', { kind: 'error-status' });
  }
  const body = answer.status >= 400 ? readBody(answer) : undefined;
  if (body && body.kind !== 'json') {
    const actual = answerFound(answer);
    const parts = {
      mismatch: 'no-error-body',
      expected: { kind: 'error-body' },
      actualType: body.kind,
      actual,
    } as const;
    return broken([finding(front, parts)]);
  }
  const value = body ? body.value : { error: reading.error };
  const issues = run.contract.validate('v1/error', value);
  if (issues.length === 0) return holdsIfAlive(evidence);
  return broken(issues.slice(0, 3).map((issue) => issueFound(front, issue)));
}

/** Statuses for which clients blame the request or the key, and do not try again. */
const BLAMING = [400, 401, 402, 403, 404];
/** Refusals of the request itself, which may be told as such. A refused key is the gateway's own. */
const OF_THE_REQUEST = [402, 403, 404, 413];

export const failureBlame: RelayCheck = {
  summary: 'A failure of the upstream is not blamed on the request or the key of the client.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    const { calls, reading } = asked;
    const status = reading.answer?.status ?? 0;
    if (status < 400) return skipped({ kind: 'no-occasion', of: 'error-status' });
    const upstreamStatus = calls.at(-1)?.reading.answer?.status;
    if (upstreamStatus !== undefined && OF_THE_REQUEST.includes(upstreamStatus)) {
      return skipped({ kind: 'no-occasion', of: 'upstream-refusal' });
    }
    return BLAMING.includes(status) ? brokenBy(asked, 'status', { kind: 'blameless-status' }) : holdsIfAlive(evidence);
  }),
};

export const failureStatus: RelayCheck = {
  summary: 'The status that a failure of the upstream becomes.',
  execute: eachAsked((asked, { case: { id } }) => {
    const { answer } = asked.reading;
    const of = id.replace('relay/', '');
    return observed([
      { name: 'failure-status', of, value: answer ? { kind: 'status', status: answer.status } : 'none' },
    ]);
  }),
};

function secondsAsked(call: UpstreamCall | undefined): number {
  return Number(findHeader(call?.reading.answer?.headers ?? [], 'retry-after') ?? 0);
}

/** A gateway that counts down, or rounds, is right. Seconds. */
const ROUNDING = 1;

export const retryAfterPassedOn: RelayCheck = {
  summary: 'Retry-After of an upstream 429 is passed on.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    const { reading, calls, front } = asked;
    const { answer, kind } = reading;
    if (kind === 'reply' && sourceOf(asked)) return skipped({ kind: 'no-occasion', of: 'later-reply' });
    if (!answer || kind !== 'error' || answer.status < 400) {
      return skipped({ kind: 'see-clause', because: 'failure-hidden', clause: 'relay.failure-form' });
    }
    const seconds = secondsAsked(calls[0]);
    const passed = readRetryAfter(answer);
    const waited = answer.endAt / 1000;
    if (passed !== undefined && passed / 1000 >= seconds - waited - ROUNDING) return HOLDS;
    const value = findHeader(answer.headers, 'retry-after');
    return broken([
      finding(front, {
        mismatch: value === undefined ? 'retry-after-lost' : 'retry-after-altered',
        expected: { kind: 'retry-after', seconds },
        actualType: value === undefined ? 'absent' : 'header',
        actual:
          value === undefined ? { kind: 'absent' } : { kind: 'header', name: 'Retry-After', value: quoteText(value) },
      }),
    ]);
  }),
};

export const stall: RelayCheck = {
  summary: 'What a gateway does while its upstream is silent.',
  execute: eachAsked((asked, { case: { mode } }) => {
    const { reading } = asked;
    const name = `${mode === 'stream' ? 'stream' : 'plain'}-stall` as const;
    if (reading.kind === 'waiting') return observed([{ name, value: 'still-waiting' }]);
    if (!reading.answer) return observed([{ name, value: 'closed' }]);
    return observed([{ name, value: { kind: 'status', ...statusOf(reading.answer) } }]);
  }),
};
