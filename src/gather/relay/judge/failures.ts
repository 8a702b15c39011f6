/** Checks of what becomes of a failure of the upstream. */

import { retryAfter } from '../../../exchange/channel/retry.ts';
import { type Answer, findHeader } from '../../../exchange/exchange.ts';
import { readChunks } from '../../../exchange/reading/chunks.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Expected } from '../../../verdict/expected.ts';
import { finding, issueFound } from '../../../verdict/finding.ts';
import { broken, HOLDS, inconclusive, observed, skipped, brokenWith } from '../../../verdict/check-result.ts';
import { readBody, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound } from '../../../verdict/reading/body-content.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { mayHarm } from '../relay-case.ts';
import {
  brokenBy,
  type CaseEvidence,
  eachAsked,
  gotInstead,
  hangs,
  type RelayCheck,
  type RelayRun,
} from './relay-check.ts';
import { type Asked, sourceOf } from './both-ends.ts';

const KNOWN: Expected = { kind: 'failure-known' };

/** A failure that the gateway never met says nothing; one that it handled well counts only if it is alive. */
function notMet({ calls, reading }: Asked, { case: { calls: kind } }: CaseEvidence): boolean {
  return kind !== 'refused' && calls.length === 0 && reading.kind !== 'reply' && reading.kind !== 'empty';
}

/** Judges each call that has met the failure. */
function eachFailure(judge: Parameters<typeof eachAsked>[0]): RelayCheck['execute'] {
  return eachAsked((asked, evidence, run) =>
    notMet(asked, evidence) ? inconclusive({ kind: 'relay-not-forwarded' }) : judge(asked, evidence, run),
  );
}

/** Whether its finish_reason tells the failure, which is all that a stream has left once it has begun. */
export function tellsFailure({ reading: { kind, finish = '' } }: Asked): boolean {
  return kind === 'reply' && /error|fail/i.test(finish);
}

function holdsIfAlive({ control, unrecovered }: CaseEvidence): CheckResult {
  if (unrecovered !== undefined) {
    return skipped({ kind: 'see-clause', because: 'not-recovered', clause: 'relay.recovery' });
  }
  return control === 'answered' ? HOLDS : inconclusive({ kind: 'control-unanswered' });
}

/** Still waiting for an upstream that stalls is fair; waiting for one that has long failed is a clause of its own. */
function seeAnswered({ case: { calls } }: CaseEvidence): CheckResult {
  if (calls === 'stall') return skipped({ kind: 'no-occasion', of: 'still-waiting' });
  return skipped({ kind: 'see-clause', because: 'no-answer', clause: 'relay.failure-answered' });
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
    return brokenWith(front, parts);
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

/** A gateway that counts down, or rounds, is right. Seconds. */
const ROUNDING = 1;

const stall: RelayCheck = {
  summary: 'What a gateway does while its upstream is silent.',
  execute: eachAsked((asked, { case: { mode } }) => {
    const { reading } = asked;
    const name = `${mode === 'stream' ? 'stream' : 'plain'}-stall` as const;
    if (reading.kind === 'waiting') return observed([{ name, value: 'still-waiting' }]);
    if (!reading.answer) return observed([{ name, value: 'closed' }]);
    return observed([{ name, value: { kind: 'status', ...statusOf(reading.answer) } }]);
  }),
};

// Checks of what becomes of a failure of the upstream once a stream has begun.

/** A stream that just closed at the upstream too was passed on as it came. */
function judgeClose(asked: Asked, evidence: CaseEvidence): CheckResult {
  const isPassedOn = asked.calls.at(-1)?.reading.kind === 'closed';
  return isPassedOn ? holdsIfAlive(evidence) : brokenBy(asked, 'hidden', { kind: 'broken-stream' });
}

function judgeMidStreamWait(asked: Asked, { case: { calls } }: CaseEvidence): CheckResult {
  if (calls === 'stall') return skipped({ kind: 'no-occasion', of: 'still-waiting' });
  return hangs(asked) ? brokenBy(asked, 'hangs', { kind: 'broken-stream' }) : inconclusive({ kind: 'relay-waiting' });
}

/** A reply that lacks text and ends as if it were whole. */
function brokenByEnd({ front, reading: { finish, hasDone } }: Asked): CheckResult {
  return brokenWith(front, {
    mismatch: 'laundered',
    expected: { kind: 'broken-stream' },
    actualType: 'reply',
    actual: { kind: 'proper-end', hasDone, ...(finish !== undefined && { finish: quoteText(finish) }) },
  });
}

// Checks of long pauses: an upstream that is silent in mid-stream, and connections that were idle.

/** Calls after a pause that got a 5xx. A closed connection is legal: clients ask again. */
function failedCalls({ asked }: CaseEvidence): readonly Asked[] {
  return asked.filter(({ reading: { answer } }) => (answer?.status ?? 0) >= 500);
}

function brokenByAll(failed: readonly Asked[]): CheckResult {
  return broken(
    failed.slice(0, 1).map((asked) =>
      finding(asked.front, {
        mismatch: 'status',
        expected: { kind: 'status', status: 200 },
        ...gotInstead(asked),
        more: failed.length - 1,
      }),
    ),
  );
}

function isAnyAnswered({ asked }: CaseEvidence): boolean {
  return asked.some(({ reading }) => reading.answer);
}

// Whether a gateway goes on answering, also after a failure of its upstream.

const recovery: RelayCheck = {
  summary: 'The gateway goes on answering; after a failure of its upstream, within --recovery.',
  execute(_evidence, { cases, asked, traffic, settings }) {
    const harmed = cases.filter((each) => mayHarm(each.case) && each.asked.length > 0);
    const { ending } = traffic;
    // A closed port, or a 5xx that stays, needs no failure of the upstream to be one of the gateway.
    const stopped = ending.kind === 'not-recovered' ? ending.control : undefined;
    if (harmed.length === 0 && stopped === undefined) return skipped({ kind: 'no-occasion', of: 'failure' });
    const unrecovered = harmed.flatMap((each) => each.unrecovered ?? []);
    const controls = new Set([...unrecovered, ...(stopped === undefined ? [] : [stopped])]);
    const dead = asked.filter(({ front }) => controls.has(front.id));
    if (dead.length === 0) return HOLDS;
    if (traffic.overflow > 0) return inconclusive({ kind: 'control-unanswered' });
    return worstResult(
      dead.map((control) => judgeControl(control, settings.relay.recovery)),
      dead.map(({ front }) => front),
    );
  },
};

/** `limit`: milliseconds. A gateway that asks for a longer wait may still come back. */
export function asksForLonger(answer: Answer, limit: number): boolean {
  return answer.status === 503 && (retryAfter(answer) ?? 0) > limit;
}

function judgeControl(asked: Asked, limit: number): CheckResult {
  const { answer } = asked.reading;
  if (answer && asksForLonger(answer, limit)) return inconclusive({ kind: 'recovery-too-short' });
  const expected = { kind: 'recovered', limit } as const;
  return brokenWith(asked.front, { mismatch: 'not-recovered', expected, ...gotInstead(asked) });
}

export const FAILURE_CHECKS = {
  'failure-known': {
    summary: 'A failure of the upstream is never shown as a completion.',
    execute: eachFailure((asked, evidence) => {
      const { kind } = asked.reading;
      if (kind === 'waiting') return seeAnswered(evidence);
      // A reply of a later call is a proper answer.
      const isLaterReply = kind === 'reply' && sourceOf(asked) !== undefined;
      const isInvented = (kind === 'reply' && !isLaterReply && !tellsFailure(asked)) || kind === 'empty';
      return isInvented ? brokenBy(asked, 'invented', KNOWN) : holdsIfAlive(evidence);
    }),
  },
  'failure-answered': {
    summary: 'A call whose upstream has failed is answered within 20 s.',
    execute: eachAsked((asked, evidence) => {
      if (notMet(asked, evidence) && asked.reading.kind !== 'waiting') {
        return inconclusive({ kind: 'relay-not-forwarded' });
      }
      if (asked.reading.kind !== 'waiting') return holdsIfAlive(evidence);
      return hangs(asked) ? brokenBy(asked, 'hangs', KNOWN) : inconclusive({ kind: 'relay-waiting' });
    }),
  },
  'failure-form': {
    summary: "A failure of the upstream becomes an error in the contract's form.",
    execute: eachFailure((asked, evidence, run) => {
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
          if (reading.answer && asked.calls.some((call) => call.reading.answer?.status === 200))
            return holdsIfAlive(evidence);
          return brokenBy(asked, 'no-error-body', { kind: 'error-body' });
        case 'closed':
        case 'garbled':
        case 'unread':
          return brokenBy(asked, 'no-error-body', { kind: 'error-body' });
      }
    }),
  },
  'failure-blame': {
    summary: 'A failure of the upstream is not blamed on the request or the key of the client.',
    execute: eachFailure((asked, evidence) => {
      const { calls, reading } = asked;
      const status = reading.answer?.status ?? 0;
      if (status < 400) return skipped({ kind: 'no-occasion', of: 'error-status' });
      const upstreamStatus = calls.at(-1)?.reading.answer?.status;
      if (upstreamStatus !== undefined && OF_THE_REQUEST.includes(upstreamStatus)) {
        return skipped({ kind: 'no-occasion', of: 'upstream-refusal' });
      }
      return BLAMING.includes(status)
        ? brokenBy(asked, 'status', { kind: 'blameless-status' })
        : holdsIfAlive(evidence);
    }),
  },
  'failure-status': {
    summary: 'The status that a failure of the upstream becomes.',
    execute: eachAsked((asked, { case: { id } }) => {
      const { answer } = asked.reading;
      const of = id.replace('relay/', '');
      return observed([
        { name: 'failure-status', of, value: answer ? { kind: 'status', status: answer.status } : 'none' },
      ]);
    }),
  },
  'mid-stream-failure': {
    summary: 'A failure mid-stream is reported to the client.',
    execute: eachFailure((asked, evidence) => {
      const { kind } = asked.reading;
      if (kind === 'waiting') return judgeMidStreamWait(asked, evidence);
      if (kind === 'error' || kind === 'cut') return holdsIfAlive(evidence);
      if (kind === 'garbled' || kind === 'empty') return brokenBy(asked, 'hidden', { kind: 'broken-stream' });
      if (sourceOf(asked) || tellsFailure(asked)) return holdsIfAlive(evidence);
      if (kind === 'closed') return judgeClose(asked, evidence);
      return brokenByEnd(asked);
    }),
  },
  'quiet-close': {
    summary: 'A stream that fails before its first text does not just close.',
    execute: eachFailure((asked, evidence) => {
      if (asked.reading.kind === 'closed') return judgeClose(asked, evidence);
      return skipped({ kind: 'no-occasion', of: 'quiet-close' });
    }),
  },
  'second-call': {
    summary: 'No second upstream call is made once output has begun.',
    execute: eachAsked((asked, evidence) => {
      const { calls, reading, sentAt } = asked;
      if (calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
      const firstText = reading.arrivals[0]?.at;
      if (firstText === undefined) return skipped({ kind: 'no-occasion', of: 'text-before-failure' });
      const output = sentAt + firstText;
      const later = calls.slice(1).filter(({ arrivedAt }) => arrivedAt > output);
      if (later.length === 0) return holdsIfAlive(evidence);
      return brokenWith(later[0]!.exchange, {
        mismatch: 'second-call',
        expected: { kind: 'one-upstream-call' },
        actualType: 'call',
        actual: { kind: 'later-call', after: Math.round(later[0]!.arrivedAt - output) },
      });
    }),
  },
  'silence-text': {
    summary: 'A stream whose upstream was silent for a while is whole, or its failure is reported.',
    execute: eachAsked((asked) => {
      const { kind } = asked.reading;
      if (asked.calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
      if (kind === 'waiting') return inconclusive({ kind: 'relay-waiting' });
      if (kind === 'closed') {
        return skipped({ kind: 'see-clause', because: 'failure-hidden', clause: 'relay.mid-stream-failure' });
      }
      if (kind === 'empty') return brokenBy(asked, 'text-lost', { kind: 'upstream-reply' });
      if (kind !== 'reply' || sourceOf(asked) || tellsFailure(asked)) return HOLDS;
      return brokenByEnd(asked);
    }),
  },
  'after-pauses': {
    summary: 'No two calls after idle pauses get a 5xx.',
    execute(evidence) {
      if (evidence.asked.length < 2) return inconclusive({ kind: 'nothing-to-judge' });
      if (!isAnyAnswered(evidence)) return skipped({ kind: 'nothing-to-judge' });
      const failed = failedCalls(evidence);
      return failed.length > 1 ? brokenByAll(failed) : HOLDS;
    },
  },
  'after-pause': {
    summary: 'No call after an idle pause gets a 5xx.',
    execute(evidence) {
      if (!isAnyAnswered(evidence)) return skipped({ kind: 'nothing-to-judge' });
      const failed = failedCalls(evidence);
      if (failed.length > 1) return skipped({ kind: 'see-clause', because: 'again', clause: 'relay.after-pauses' });
      return failed.length === 1 ? brokenByAll(failed) : HOLDS;
    },
  },
  heartbeats: {
    summary: 'Comments that the client gets while the upstream is silent.',
    execute: eachAsked(({ reading: { answer } }) => {
      if (!answer || answer.status !== 200) return skipped({ kind: 'no-stream' });
      return observed([{ name: 'comments', value: readChunks(answer).stream.comments.length }]);
    }),
  },
  'retry-after': {
    summary: 'Retry-After of an upstream 429 is passed on.',
    execute: eachFailure((asked) => {
      const { reading, calls, front } = asked;
      const { answer, kind } = reading;
      if (kind === 'reply' && sourceOf(asked)) return skipped({ kind: 'no-occasion', of: 'later-reply' });
      if (!answer || kind !== 'error' || answer.status < 400) {
        return skipped({ kind: 'see-clause', because: 'failure-hidden', clause: 'relay.failure-form' });
      }
      const seconds = Number(findHeader(calls[0]?.reading.answer?.headers ?? [], 'retry-after') ?? 0);
      const passed = retryAfter(answer);
      const waited = answer.endAt / 1000;
      if (passed !== undefined && passed / 1000 >= seconds - waited - ROUNDING) return HOLDS;
      const value = findHeader(answer.headers, 'retry-after');
      return brokenWith(front, {
        mismatch: value === undefined ? 'retry-after-lost' : 'retry-after-altered',
        expected: { kind: 'retry-after', seconds },
        actualType: value === undefined ? 'absent' : 'header',
        actual:
          value === undefined ? { kind: 'absent' } : { kind: 'header', name: 'Retry-After', value: quoteText(value) },
      });
    }),
  },
  recovery,
  stall,
} satisfies Record<string, RelayCheck>;
