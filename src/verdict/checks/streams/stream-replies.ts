import type { ChunkReading } from '../../../exchange/reading/chunks.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Actual } from '../../actual.ts';
import type { ActualType } from '../../actual-type.ts';
import type { Mismatch } from '../../mismatch.ts';
import { jsonOf, statusClass } from '../../reading/answers.ts';
import { errorIn, formFound } from '../../reading/body-content.ts';
import { cutByEnd } from '../../reading/control.ts';
import type { Check, RunView } from '../../check.ts';
import { type BriefParts, finding, broken, brokenWith } from '../../finding.ts';
import { HOLDS, holdsIn, inconclusive, seeOtherClause, skipped } from '../../check-result.ts';
import { judgeStreams, NO_TEXT, seeClause, stoppedBy, type StreamView, whyNoEnd, whyNoEvents } from './stream-view.ts';
import { holdsFor, answerOutcome } from '../../reading/outcome.ts';
import { endsChoice, hasReplyText } from '../../../exchange/reading/choices.ts';
import { STEPS } from '../../../plan/known-steps.ts';
import { type Exchange, findHeader } from '../../../exchange/exchange.ts';
import { lastAnswer, wasAnswered } from '../../../exchange/reading/answered.ts';
import { contentsOf } from '../../reading/replies.ts';
import type { Finding } from '../../verdict.ts';

function insteadOf({ events, named, stream, done }: ChunkReading): Pick<BriefParts, 'actualType' | 'actual'> {
  const count = events.length + named.length;
  const comments = stream.comments.length;
  if (count === 0 && !done)
    return comments > 0
      ? { actualType: 'comments', actual: { kind: 'comments', count: comments } }
      : { actualType: 'nothing', actual: 'absent' };
  if (events.some(({ kind }) => kind !== 'done'))
    return { actualType: 'no-choices', actual: { kind: 'other-events', count } };
  return named.length === 0
    ? { actualType: 'done', actual: 'only-done' }
    : { actualType: 'named-events', actual: { kind: 'named-events', count: named.length } };
}

function makeFault(mismatch: Mismatch & ActualType, actual: Actual): BriefParts {
  return { mismatch, expected: 'whole-stream', actualType: mismatch, actual };
}

/** The first error in a stream. */
function findError({ errors }: ChunkReading): BriefParts | undefined {
  const [error] = errors;
  if (!error) return undefined;
  const fault = makeFault('error-event', { kind: 'error-event', content: errorIn(error.data) });
  return { ...fault, pointer: `/${error.index}`, more: errors.length - 1 };
}

/** A fault as bad as a 5xx, in a stream that began with 200. An error in a stream with text is stream.no-error. */
function findFault({ answer: { body }, chunks, end }: StreamView): BriefParts | undefined {
  const { stream, choices } = chunks;
  const error = hasReplyText(choices) ? undefined : findError(chunks);
  if (error) return error;
  // A stream with its end marker is complete, even if the compressed data is cut off.
  if (body.end.kind === 'undecodable' && (end !== 'done' || body.end.raw))
    return makeFault('undecodable', { kind: 'text', text: quoteText(body.end.detail) });
  if (end === 'cut') return makeFault('cut', { kind: 'stream-cut', count: stream.events.length });
  return end === 'stalled' ? makeFault('stalled', { kind: 'stalled', count: stream.events.length }) : undefined;
}

/** Parts 1 and 4. A stream that breaks off is retried like a 5xx; the last attempt counts. */
export const streamCompletes: Check = {
  summary: 'The stream runs to its end. It is not cut off, does not stall and has no error in place of text.',
  judgesWholeBodies: 'stream',
  ignoresCutAnswers: true,
  execute: judgeStreams('answer', (stream, input) => {
    const found = findFault(stream);
    const reason = found?.mismatch === 'cut' && cutByEnd(input.run, stream.exchange);
    if (reason) return inconclusive(reason);
    if (found) return brokenWith(stream.exchange, found);
    if (stream.end === 'limit' || stream.end === 'aborted') return inconclusive(stoppedBy(stream.answer));
    return whyNoEvents(stream.chunks) ?? holdsFor(stream.exchange);
  }),
};

/** Each round has one such request at most. */
function isInOtherWay({ step, occasion, number }: Exchange, first: Exchange): boolean {
  return occasion === 'other-accept' && step === first.step && number === (first.round ?? 1) && !first.occasion;
}

function refusedForAccept(exchange: Exchange): Finding {
  const status = lastAnswer(exchange)?.status ?? 0;
  const expected = { kind: 'success', condition: 'accept-json' } as const;
  const actual = { kind: 'status', status } as const;
  return finding(exchange, { mismatch: 'status', expected, actualType: statusClass(status), actual });
}

/** Whether the same request without stream was answered with text. */
function controlHadText(run: RunView): boolean {
  const control = run.exchange(STEPS.control);
  const outcome = control && answerOutcome(control);
  return outcome?.kind === 'answered' && contentsOf(jsonOf(outcome.answer)).some((text) => text.trim() !== '');
}

export const STREAM_REPLY_CHECKS = {
  /** Parts 1, 2 and 4. Judged by content, never by content type. */
  'event-stream': {
    summary: 'With stream true, a 200 is a stream of server-sent events.',
    findsLostStream: true,
    execute: judgeStreams('answer', ({ exchange, answer, chunks }) => {
      // No bytes, or comments only, is an event stream without a reply: stream.has-choices.
      if (chunks.form === 'events' || chunks.form === 'nothing') return HOLDS;
      const { end } = answer.body;
      // The first event may not have arrived yet.
      if (end.kind === 'cut' || end.kind === 'undecodable') return seeClause('body-cut', 'stream.completes');
      if (end.kind === 'limit' || end.kind === 'aborted') return inconclusive(stoppedBy(answer));
      const actual = formFound(chunks.form, answer);
      const actualType = chunks.form;
      return brokenWith(exchange, { mismatch: 'not-event-stream', expected: 'event-stream', actualType, actual });
    }),
  },
  /** Parts 1 and 4: the stream is the reply. */
  'stream-has-choices': {
    summary: 'The stream carries the reply: at least one chunk with a choice.',
    execute: judgeStreams('answer', (stream) => {
      const { exchange, chunks } = stream;
      if (chunks.choices.length > 0) return HOLDS;
      const unclear = whyNoEvents(chunks) ?? whyNoEnd(stream);
      if (unclear) return unclear;
      if (chunks.events.some(({ kind }) => kind === 'unread')) return inconclusive('event-not-read');
      return brokenWith(exchange, { mismatch: 'no-choice', expected: 'choice-chunk', ...insteadOf(chunks) });
    }),
  },
  'stream-completes': streamCompletes,
  /** Part 1: the reply has begun, so the error may be the report of a failure. Clients throw, and the rest is lost. */
  'stream-no-error': {
    summary: 'A stream with text has no error.',
    execute: judgeStreams('choice', ({ exchange, chunks }) => {
      if (!hasReplyText(chunks.choices)) return NO_TEXT;
      const error = findError(chunks);
      return error ? brokenWith(exchange, error) : HOLDS;
    }),
  },
  /** Part 1: a model may say nothing, so an empty reply counts only if the same request without stream got text. */
  'stream-carries-text': {
    summary: 'A stream that ends with stop carries text if the plain control did.',
    execute: judgeStreams('choice', (stream, input) => {
      const { exchange, chunks } = stream;
      if (hasReplyText(chunks.choices)) return HOLDS;
      const unended = whyNoEnd(stream);
      if (unended) return unended;
      const parts = chunks.choices.flatMap((choice) => choice.parts);
      if (!parts.some((part) => part.hasDelta)) return seeOtherClause('no-delta', 'stream.choice-delta');
      if (!parts.some((part) => endsChoice(part) && part.finish?.text === 'stop')) return skipped('no-stop');
      if (!controlHadText(input.run)) return skipped('control-without-text');
      const expected = 'text-as-without-stream';
      return brokenWith(exchange, { mismatch: 'no-text', expected, actualType: 'absent', actual: 'no-text' });
    }),
  },
  /** Part 1: stock clients send this header with streams too. The same request with another one was answered. */
  'stream-accept-json': {
    summary: 'A stream is not refused because of Accept: application/json.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const { exchanges, bindings } = run.traffic;
      const streams = exchanges.filter(({ request, seeks }) => request.mode === 'stream' && seeks === 'answer');
      const refused = streams.filter((stream) =>
        streams.some((other) => isInOtherWay(other, stream) && wasAnswered(other)),
      );
      if (bindings.acceptsOnlyStreams && refused.length > 0) return broken(refused.map(refusedForAccept), exchanges);
      const asked = streams.filter(({ request }) => findHeader(request.headers, 'accept') === 'application/json');
      const answered = asked.filter(wasAnswered);
      if (answered.length > 0) return holdsIn(answered);
      const isOtherwise = streams.length > 0 && asked.length === 0;
      return skipped(isOtherwise ? { kind: 'no-occasion', of: 'accept-json' } : { kind: 'no-stream' });
    },
  },
} satisfies Record<string, Check>;
