import type { Exchange } from '../../../exchange/exchange.ts';
import { type ChoiceReading, endsChoice, type ReplyPiece } from '../../../exchange/reading/choices.ts';
import { type Closing, closingOf } from '../../../exchange/reading/event-stream.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Check, RunView } from '../../check.ts';
import type { ExpectedPhrase } from '../../expected.ts';
import { finding, broken, brokenWith } from '../../finding.ts';
import { HOLDS, holdsIn, inconclusive, seeOtherClause, skipped } from '../../check-result.ts';
import type { Mismatch } from '../../mismatch.ts';
import { answerOutcome } from '../../reading/outcome.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, memberFound, seeClause, type StreamView, whyNoEnd } from './stream-view.ts';

function findingsIn(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const end = parts.findIndex(endsChoice);
  // A choice without any finish_reason is stream.finishes.
  if (end === -1) return [];
  return parts.flatMap(({ event, position, finish }, place) => {
    if (finish === undefined || finish.type === 'null') return [];
    const tokens = ['choices', position, 'finish_reason'];
    const wrong = (mismatch: Mismatch, expected: ExpectedPhrase): readonly Finding[] => [
      inEvent(stream, event, { mismatch, expected, ...memberFound(finish) }, tokens),
    ];
    if (finish.type !== 'string') return wrong('type', 'finish-type');
    if (finish.text === '') return wrong('empty', 'finish-not-empty');
    return place > end ? wrong('again', 'finish-once') : [];
  });
}

/** The last finish_reason counts. Several of them break stream.finish-once, not this clause. */
function textAfterEnd({ parts, text }: ChoiceReading): readonly ReplyPiece[] {
  const end = parts.findLast(endsChoice)?.event;
  return end === undefined ? [] : text.filter(({ event }) => event > end);
}

// The end marker as stock clients need it: exactly `[DONE]`, on a connection that then ends in order.

const NO_DONE = seeOtherClause('no-done', 'stream.done');

/** The data of the end marker, without the one blank that the grammar allows before it. */
function markerOf({ chunks: { done, events, stream } }: StreamView): string | undefined {
  if (!done) return undefined;
  return done.terminated ? events.find(({ index }) => index === done.index)?.data : stream.unterminated;
}

/** One open response may be an accident of the network. */
const ENOUGH = 2;

/** Responses left open, in this part of a long recording and in earlier ones. */
function countOpen({ carried }: RunView, here: number): number {
  const before = carried?.get('stream-closes') as number | undefined;
  const open = (before ?? 0) + here;
  carried?.set('stream-closes', open);
  return open;
}

function closingOfExchange(exchange: Exchange): Closing | undefined {
  const outcome = answerOutcome(exchange);
  return outcome.kind === 'answered' ? closingOf(outcome.answer) : undefined;
}

export const LEFT_OPEN = {
  mismatch: 'open',
  expected: 'end-after-done',
  actualType: 'open',
  actual: 'open-after-done',
} as const;

/** A check on the choices that have ended. */
function judgeEnded(judge: (stream: StreamView, choices: readonly ChoiceReading[]) => readonly Finding[]) {
  return judgeStreams('choice', (stream) => {
    const { choices } = stream.chunks;
    const hasEnd = choices.some(({ parts }) => parts.some(endsChoice));
    return hasEnd ? judge(stream, choices) : seeClause('no-finish-reason', 'stream.finishes');
  });
}

export const STREAM_END_CHECKS = {
  /** Part 1: clients stop at the first finish_reason that is set. */
  'stream-finish-once': {
    summary: 'The finish_reason of a choice is null or absent until exactly one chunk sets it to a non-empty string.',
    execute: judgeEnded((stream, choices) => choices.flatMap((choice) => findingsIn(stream, choice))),
  },
  /** Part 1: clients stop collecting text once the choice has ended. */
  'stream-nothing-after-finish': {
    summary: 'No text follows the finish_reason of its choice.',
    execute: judgeEnded((stream, choices) => {
      const parts = { mismatch: 'after-finish', expected: 'no-text-after-finish', actualType: 'string' } as const;
      const late = choices.flatMap(textAfterEnd);
      return late.map(({ event, text }) =>
        inEvent(stream, event, { ...parts, actual: { kind: 'text', text: quoteText(text) } }),
      );
    }),
  },
  /** Part 1: clients wait for [DONE] and stop reading there. The blank line after it may be missing. */
  'stream-done': {
    summary: 'The stream ends with one [DONE], and nothing follows it.',
    findsLostEndMarker: true,
    execute: judgeStreams('choice', (stream) => {
      const { exchange, chunks, end } = stream;
      const { done } = chunks;
      if (!done) {
        const actual = end === 'held-open' ? 'held-open' : 'closed';
        const parts = { mismatch: 'absent', expected: 'done', actualType: end, actual } as const;
        return whyNoEnd(stream) ?? brokenWith(exchange, parts);
      }
      // Clients skip named events, except for an error.
      const heard = [...chunks.events, ...chunks.named.filter(({ name }) => name === 'error')];
      const after = heard.filter(({ index }) => index > done.index);
      const parts = { mismatch: 'after-done', expected: 'nothing-after-done' } as const;
      return after.map((event) =>
        event.data.trim() === '[DONE]'
          ? inEvent(stream, event, { ...parts, actualType: 'done', actual: 'second-done' })
          : inEvent(stream, event, { ...parts, actualType: 'event', actual: 'later-event' }),
      );
    }),
  },
  /** Part 1: the official SDKs compare the data with [DONE], and parse anything else as JSON. */
  'stream-done-spacing': {
    summary: 'No white space but one blank stands between data: and [DONE].',
    execute: judgeStreams('choice', (stream) => {
      const marker = markerOf(stream);
      if (marker === undefined) return NO_DONE;
      if (!/^\s/u.test(marker)) return HOLDS;
      const actual = { kind: 'text', text: quoteText(JSON.stringify(`data: ${marker}`)) } as const;
      const parts = { mismatch: 'spacing', expected: 'bare-done', actualType: 'string', actual } as const;
      return [inEvent(stream, stream.chunks.done?.index ?? 0, parts)];
    }),
  },
  /** Part 1: stock clients read on to the end of the response, and throw if the connection breaks there. */
  'stream-ends-in-order': {
    summary: 'The connection is not cut after [DONE].',
    execute: judgeStreams('choice', ({ exchange, answer, chunks }) => {
      if (!chunks.done) return NO_DONE;
      if (answer.body.end.kind !== 'cut') return HOLDS;
      const parts = { mismatch: 'cut', expected: 'orderly-end', actualType: 'cut', actual: 'cut-after-done' } as const;
      return brokenWith(exchange, parts);
    }),
  },
  /** Part 1: some stock clients return only when the response has ended, whatever [DONE] says. */
  'stream-closes': {
    summary: 'A response ends within a second of [DONE]. It takes two open ones to break the clause.',
    execute: (input) => {
      const { exchanges, run } = input;
      const closings = exchanges.map(closingOfExchange);
      const exchangesThat = (closing: Closing) => exchanges.filter((_, place) => closings[place] === closing);
      const [open, closed] = [exchangesThat('open'), exchangesThat('closed')];
      if (countOpen(run, open.length) >= ENOUGH && open.length > 0) {
        const findings = open.map((exchange) => finding(exchange, LEFT_OPEN));
        // One alone breaks nothing, so that they are counted here.
        return { ...broken(findings, exchanges), answers: { kept: closed, broken: open } };
      }
      if (closed.length > 0) return holdsIn(closed);
      if (open.length > 0) return inconclusive('no-second-open-stream');
      if (closings.includes('unknown')) return skipped({ kind: 'recording-gap', gap: 'time-after-done' });
      return judgeStreams('choice', (stream) => whyNoEnd(stream) ?? NO_DONE)(input);
    },
  },
  /** Part 1: without it, a client cannot tell a complete reply from a partial one. */
  'stream-finishes': {
    summary: 'A stream ends only after each choice has its finish_reason.',
    execute: judgeStreams('choice', (stream) => {
      const open = stream.chunks.choices.filter(({ parts }) => !parts.some(endsChoice));
      if (open.length === 0) return HOLDS;
      const parts = { mismatch: 'absent', expected: 'finish-every-choice', actualType: 'absent' } as const;
      const findings = open.map(({ index }) =>
        finding(stream.exchange, { ...parts, actual: { kind: 'unfinished-choice', choice: index } }),
      );
      return whyNoEnd(stream) ?? findings;
    }),
  },
} satisfies Record<string, Check>;
