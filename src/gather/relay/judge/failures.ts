/** Checks of what becomes of a failure of the upstream. */

import { retryAfter } from '../../../exchange/channel/retry.ts';
import { type Answer, findHeader } from '../../../exchange/exchange.ts';
import { readChunks } from '../../../exchange/reading/chunks.ts';
import { quoteText } from '../../../text/quote.ts';
import { HOLDS, inconclusive, noOccasion, observed, seeOtherClause, skipped } from '../../../verdict/check-result.ts';
import { broken, brokenWith, issueFound } from '../../../verdict/finding.ts';
import { readBody, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound } from '../../../verdict/reading/body-content.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { mayHarm } from '../read-relay-suite.ts';
import { type Asked, carries, isJoined, isWhole, joinOf, sourceOf, type UpstreamCall } from './both-ends.ts';
import {
  CONTROL_UNANSWERED,
  type CaseEvidence,
  type JudgeAsked,
  NOT_FORWARDED,
  type RelayCheck,
  type RelayRun,
  UNJUDGED,
  WAITING,
  brokenBy,
  eachAsked,
  gotInstead,
  hangs,
  relayCheck,
} from './relay-check.ts';

/** A failure that the gateway never met says nothing; one that it handled well counts only if it is alive. */
function notMet({ calls, reading }: Asked, { case: { calls: kind } }: CaseEvidence): boolean {
  return kind !== 'refused' && calls.length === 0 && reading.kind !== 'reply' && reading.kind !== 'empty';
}

/** Judges each call that has met the failure. */
function eachFailure(summary: string, judge: JudgeAsked): RelayCheck {
  return eachAsked(summary, (asked, evidence, run) =>
    notMet(asked, evidence) ? NOT_FORWARDED : judge(asked, evidence, run),
  );
}

/** Whether its finish_reason tells the failure, which is all that a stream has left once it has begun. */
export function tellsFailure({ reading: { kind, finish = '' } }: Asked): boolean {
  return kind === 'reply' && /error|fail/i.test(finish);
}

/** Of two upstreams: a later one gave a reply, and the client got another. */
function isAltered({ calls }: Asked): boolean {
  return calls.some((call) => call.exchange.upstream !== undefined && isWhole(call));
}

export function holdsIfAlive({ control, unrecovered }: CaseEvidence): CheckResult {
  if (unrecovered !== undefined) return seeOtherClause('not-recovered', 'relay.recovery');
  return control === 'answered' ? HOLDS : CONTROL_UNANSWERED;
}

/** Still waiting for an upstream that stalls is fair; waiting for one that has long failed is a clause of its own. */
function seeAnswered({ case: { calls } }: CaseEvidence): CheckResult {
  return calls === 'stall' ? noOccasion('still-waiting') : seeOtherClause('no-answer', 'relay.failure-answered');
}

function judgeErrorForm(asked: Asked, run: RelayRun, evidence: CaseEvidence): CheckResult {
  const { reading, front } = asked;
  const { answer } = reading;
  if (!answer) return HOLDS;
  // Clients that wait for events find none in JSON, and take that for an empty reply.
  const isEvent = front.request.mode === 'stream' && readChunks(answer).form === 'events';
  if (answer.status < 400 && !isEvent) return brokenBy(asked, 'error-as-success', 'error-status');
  const body = answer.status >= 400 ? readBody(answer) : undefined;
  if (body && body.kind !== 'json') {
    const found = { actualType: body.kind, actual: answerFound(answer) };
    return brokenWith(front, { mismatch: 'no-error-body', expected: 'error-body', ...found });
  }
  const issues = run.contract.validate('v1/error', body ? body.value : { error: reading.error });
  if (issues.length === 0) return holdsIfAlive(evidence);
  return broken(issues.slice(0, 3).map((issue) => issueFound(front, issue)));
}

/** Statuses for which clients blame the request or the key, and do not try again. */
const BLAMING = [400, 401, 402, 403, 404];
/** Refusals of the request itself, which may be told as such. A refused key is the gateway's own. */
const OF_THE_REQUEST = [402, 403, 404, 413];

/** A gateway that counts down, or rounds, is right. Seconds. */
const ROUNDING = 1;

function judgeRetryAfter({ reading: { answer, kind }, calls, front }: Asked): CheckResult {
  if (!answer || kind !== 'error' || answer.status < 400) return seeOtherClause('failure-hidden', 'relay.failure-form');
  const seconds = Number(findHeader(calls[0]?.reading.answer?.headers ?? [], 'retry-after') ?? 0);
  const passed = retryAfter(answer);
  const waited = answer.endAt / 1000;
  if (passed !== undefined && passed / 1000 >= seconds - waited - ROUNDING) return HOLDS;
  const expected = { kind: 'retry-after', seconds } as const;
  const value = findHeader(answer.headers, 'retry-after');
  if (value === undefined)
    return brokenWith(front, { mismatch: 'retry-after-lost', expected, actualType: 'absent', actual: 'absent' });
  const actual = { kind: 'header', name: 'Retry-After', value: quoteText(value) } as const;
  return brokenWith(front, { mismatch: 'retry-after-altered', expected, actualType: 'header', actual });
}

// Checks of what becomes of a failure of the upstream once a stream has begun.

/** A stream that just closed at the upstream too was passed on as it came. */
function judgeClose(asked: Asked, evidence: CaseEvidence): CheckResult {
  const isPassedOn = asked.calls.at(-1)?.reading.kind === 'closed';
  return isPassedOn ? holdsIfAlive(evidence) : brokenBy(asked, 'hidden', 'broken-stream');
}

/** A reply that lacks text and ends as if it were whole. */
function brokenByEnd({ front, reading: { finish, hasDone } }: Asked): CheckResult {
  const actual = { kind: 'proper-end', hasDone, ...(finish !== undefined && { finish: quoteText(finish) }) } as const;
  return brokenWith(front, { mismatch: 'laundered', expected: 'broken-stream', actualType: 'reply', actual });
}

// Checks of long pauses: an upstream that is silent in mid-stream, and connections that were idle.

/** `several`: a single failure is told elsewhere, as several are otherwise. A closed connection is legal: clients ask again. */
function judgePauses({ asked }: CaseEvidence, several: boolean): CheckResult {
  if (!asked.some(({ reading }) => reading.answer)) return skipped({ kind: 'nothing-to-judge' });
  const failed = asked.filter(({ reading: { answer } }) => (answer?.status ?? 0) >= 500);
  const [first] = failed;
  if (!several && failed.length > 1) return seeOtherClause('again', 'relay.after-pauses');
  if (!first || (several && failed.length === 1)) return HOLDS;
  const parts = { mismatch: 'status', expected: { kind: 'status', status: 200 }, more: failed.length - 1 } as const;
  return brokenWith(first.front, { ...parts, ...gotInstead(first) });
}

// Whether a gateway goes on answering, also after a failure of its upstream.

/** `limit`: milliseconds. A gateway that asks for a longer wait may still come back. */
export function asksForLonger(answer: Answer, limit: number): boolean {
  return answer.status === 503 && (retryAfter(answer) ?? 0) > limit;
}

function judgeControl(asked: Asked, limit: number): CheckResult {
  const { answer } = asked.reading;
  if (answer && asksForLonger(answer, limit)) return inconclusive({ kind: 'recovery-too-short' });
  return brokenBy(asked, 'not-recovered', { kind: 'recovered', limit });
}

export const FAILURE_CHECKS = {
  'failure-known': eachFailure('A failure of the upstream is never shown as a completion.', (asked, evidence) => {
    const { kind } = asked.reading;
    if (kind === 'waiting') return seeAnswered(evidence);
    // A reply of a later call is a proper answer.
    const isLaterReply = kind === 'reply' && sourceOf(asked) !== undefined;
    if (kind === 'reply' && !isLaterReply && isAltered(asked))
      return seeOtherClause('reply-altered', 'relay.fallback-whole');
    const isInvented = (kind === 'reply' && !isLaterReply && !tellsFailure(asked)) || kind === 'empty';
    return isInvented ? brokenBy(asked, 'invented', 'failure-known') : holdsIfAlive(evidence);
  }),
  'failure-answered': eachAsked('A call whose upstream has failed is answered within 20 s.', (asked, evidence) => {
    if (asked.reading.kind === 'waiting') return hangs(asked) ? brokenBy(asked, 'hangs', 'failure-known') : WAITING;
    return notMet(asked, evidence) ? NOT_FORWARDED : holdsIfAlive(evidence);
  }),
  'failure-form': eachFailure(
    "A failure of the upstream becomes an error in the contract's form.",
    (asked, evidence, run) => {
      const { kind, answer } = asked.reading;
      if (kind === 'waiting') return seeAnswered(evidence);
      if (kind === 'error') return judgeErrorForm(asked, run, evidence);
      if ((kind === 'reply' || kind === 'empty') && !tellsFailure(asked))
        return sourceOf(asked) ? noOccasion('later-reply') : seeOtherClause('failure-hidden', 'relay.failure-known');
      // The answer had begun, so that only its break can tell the client.
      const hadBegun = answer && asked.calls.some((call) => call.reading.answer?.status === 200);
      return kind === 'cut' && hadBegun ? holdsIfAlive(evidence) : brokenBy(asked, 'no-error-body', 'error-body');
    },
  ),
  'failure-blame': eachFailure(
    'A failure of the upstream is not blamed on the request or the key of the client.',
    (asked, evidence) => {
      const status = asked.reading.answer?.status ?? 0;
      if (status < 400) return noOccasion('error-status');
      const upstreamStatus = asked.calls.at(-1)?.reading.answer?.status ?? 0;
      if (OF_THE_REQUEST.includes(upstreamStatus)) return noOccasion('upstream-refusal');
      return BLAMING.includes(status) ? brokenBy(asked, 'status', 'blameless-status') : holdsIfAlive(evidence);
    },
  ),
  'failure-status': eachAsked('The status that a failure of the upstream becomes.', (asked, { case: { id } }) => {
    const { answer } = asked.reading;
    const value = answer ? ({ kind: 'status', status: answer.status } as const) : 'none';
    return observed([{ name: 'failure-status', of: id.replace('relay/', ''), value }]);
  }),
  'mid-stream-failure': eachFailure('A failure mid-stream is reported to the client.', (asked, evidence) => {
    const { kind } = asked.reading;
    if (kind === 'waiting' && evidence.case.calls === 'stall') return noOccasion('still-waiting');
    if (kind === 'waiting') return hangs(asked) ? brokenBy(asked, 'hangs', 'broken-stream') : WAITING;
    if (kind === 'error' || kind === 'cut') return holdsIfAlive(evidence);
    if (kind === 'garbled' || kind === 'empty') return brokenBy(asked, 'hidden', 'broken-stream');
    if (sourceOf(asked) || tellsFailure(asked)) return holdsIfAlive(evidence);
    if (isJoined(asked)) return seeOtherClause('joined', 'relay.fallback-joined');
    return kind === 'closed' ? judgeClose(asked, evidence) : brokenByEnd(asked);
  }),
  'quiet-close': eachFailure('A stream that fails before its first text does not just close.', (asked, evidence) =>
    asked.reading.kind === 'closed' ? judgeClose(asked, evidence) : noOccasion('quiet-close'),
  ),
  'second-call': eachAsked('No second upstream call is made once output has begun.', (asked, evidence) => {
    const { calls, reading, sentAt } = asked;
    if (calls.length === 0) return NOT_FORWARDED;
    const firstText = reading.arrivals[0]?.at;
    if (firstText === undefined) return noOccasion('text-before-failure');
    const output = sentAt + firstText;
    const head = joinOf(asked)?.head ?? reading.texts.get(0) ?? '';
    const continues = (call: UpstreamCall): boolean => call.exchange.upstream !== undefined && carries(call, head);
    const later = calls.slice(1).find((call) => call.arrivedAt > output && !continues(call));
    if (!later) return holdsIfAlive(evidence);
    const actual = { kind: 'later-call', after: Math.round(later.arrivedAt - output) } as const;
    const parts = { mismatch: 'second-call', expected: 'one-upstream-call', actualType: 'call' } as const;
    return brokenWith(later.exchange, { ...parts, actual });
  }),
  'silence-text': eachAsked(
    'A stream whose upstream was silent for a while is whole, or its failure is reported.',
    (asked) => {
      const { kind } = asked.reading;
      if (asked.calls.length === 0) return NOT_FORWARDED;
      if (kind === 'waiting') return WAITING;
      if (kind === 'closed') return seeOtherClause('failure-hidden', 'relay.mid-stream-failure');
      if (kind === 'empty') return brokenBy(asked, 'text-lost', 'upstream-reply');
      return kind !== 'reply' || sourceOf(asked) || tellsFailure(asked) ? HOLDS : brokenByEnd(asked);
    },
  ),
  'after-pauses': relayCheck('No two calls after idle pauses get a 5xx.', (evidence) =>
    evidence.asked.length < 2 ? UNJUDGED : judgePauses(evidence, true),
  ),
  'after-pause': relayCheck('No call after an idle pause gets a 5xx.', (evidence) => judgePauses(evidence, false)),
  heartbeats: eachAsked('Comments that the client gets while the upstream is silent.', ({ reading: { answer } }) => {
    if (answer?.status !== 200) return skipped({ kind: 'no-stream' });
    return observed([{ name: 'comments', value: readChunks(answer).stream.comments.length }]);
  }),
  'retry-after': eachFailure('Retry-After of an upstream 429 is passed on.', (asked) =>
    asked.reading.kind === 'reply' && sourceOf(asked) ? noOccasion('later-reply') : judgeRetryAfter(asked),
  ),
  recovery: relayCheck(
    'The gateway goes on answering; after a failure of its upstream, within --recovery.',
    (_evidence, { cases, asked, traffic, settings }) => {
      const harmed = cases.filter((each) => mayHarm(each.case) && each.asked.length > 0);
      const { ending } = traffic;
      // A closed port, or a 5xx that stays, needs no failure of the upstream to be one of the gateway.
      const stopped = ending.kind === 'not-recovered' ? ending.control : undefined;
      if (harmed.length === 0 && stopped === undefined) return noOccasion('failure');
      const controls = new Set([stopped, ...harmed.map((each) => each.unrecovered)]);
      const dead = asked.filter(({ front }) => controls.has(front.id));
      if (dead.length === 0) return HOLDS;
      if (traffic.overflow > 0) return CONTROL_UNANSWERED;
      return worstResult(
        dead.map((control) => judgeControl(control, settings.relay.recovery)),
        dead.map(({ front }) => front),
      );
    },
  ),
  stall: eachAsked('What a gateway does while its upstream is silent.', ({ reading }, { case: { mode } }) => {
    const name = `${mode === 'stream' ? 'stream' : 'plain'}-stall` as const;
    if (reading.kind === 'waiting') return observed([{ name, value: 'still-waiting' }]);
    if (!reading.answer) return observed([{ name, value: 'closed' }]);
    return observed([{ name, value: { kind: 'status', ...statusOf(reading.answer) } }]);
  }),
} satisfies Record<string, RelayCheck>;
