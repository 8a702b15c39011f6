import type { Exchange } from '../../../exchange/exchange.ts';
import { type ChoicePart, type ChoiceReading, endsChoice, type ReplyPiece } from '../../../exchange/reading/choices.ts';
import { type Closing, closingOf } from '../../../exchange/reading/stream-end.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Check, RunView } from '../../check.ts';
import type { Expected } from '../../expected.ts';
import { finding, mergeFindings } from '../../finding.ts';
import { broken, brokenIfAny, HOLDS, holdsIn, inconclusive, skipped, brokenWith } from '../../check-result.ts';
import type { Mismatch } from '../../mismatch.ts';
import { answerOutcome } from '../../reading/outcome.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, memberFound, seeClause, type StreamView, whyNoEnd } from './stream-view.ts';

function findingsIn(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const end = parts.findIndex(endsChoice);
  // A choice without any finish_reason is stream.finishes.
  if (end === -1) return [];
  const wrong = (
    { event, position, finish }: ChoicePart,
    mismatch: Mismatch,
    expected: Expected['kind'] & `finish-${string}`,
  ): Finding =>
    inEvent(stream, event, ['choices', position, 'finish_reason'], {
      mismatch,
      expected: { kind: expected },
      actualType: finish?.type ?? 'absent',
      actual: memberFound(finish),
    });
  return parts.flatMap((part, place) => {
    const { finish } = part;
    if (finish === undefined || finish.type === 'null') return [];
    if (finish.type !== 'string') return [wrong(part, 'type', 'finish-type')];
    if (finish.text === '') return [wrong(part, 'empty', 'finish-not-empty')];
    return place > end ? [wrong(part, 'again', 'finish-once')] : [];
  });
}

/** The last finish_reason counts. Several of them break stream.finish-once, not this clause. */
function textAfterEnd({ parts, text }: ChoiceReading): readonly ReplyPiece[] {
  const end = parts.findLast(endsChoice)?.event;
  return end === undefined ? [] : text.filter(({ event }) => event > end);
}

// The end marker as stock clients need it: exactly `[DONE]`, on a connection that then ends in order.

const NO_DONE = skipped({ kind: 'see-clause', because: 'no-done', clause: 'stream.done' });

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

/** Part 1: some stock clients return only when the response has ended, whatever [DONE] says. */
const streamCloses: Check = {
  summary: 'A response ends within a second of [DONE]. It takes two open ones to break the clause.',
  execute: (input) => {
    const { exchanges, run } = input;
    const closings = new Map(exchanges.map((exchange) => [exchange, closingOfExchange(exchange)]));
    const open = exchanges.filter((exchange) => closings.get(exchange) === 'open');
    if (countOpen(run, open.length) >= ENOUGH && open.length > 0) {
      const findings = open.map((exchange) =>
        finding(exchange, {
          mismatch: 'open',
          expected: { kind: 'end-after-done' },
          actualType: 'open',
          actual: { kind: 'open-after-done' },
        }),
      );
      return broken(mergeFindings(findings, exchanges));
    }
    const seen = new Set(closings.values());
    const closed = exchanges.filter((exchange) => closings.get(exchange) === 'closed');
    if (closed.length > 0) return holdsIn(closed);
    if (seen.has('open')) return inconclusive({ kind: 'no-second-open-stream' });
    if (seen.has('unknown')) return skipped({ kind: 'recording-gap', gap: 'time-after-done' });
    return judgeStreams('choice', (stream) => whyNoEnd(stream) ?? NO_DONE)(input);
  },
};

export const STREAM_END_CHECKS = {
  /** Part 1: clients stop at the first finish_reason that is set. */
  'stream-finish-once': {
    summary: 'The finish_reason of a choice is null or absent until exactly one chunk sets it to a non-empty string.',
    execute: judgeStreams('choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no-finish-reason', 'stream.finishes');
      }
      return brokenIfAny(choices.flatMap((choice) => findingsIn(stream, choice)));
    }),
  },
  /** Part 1: clients stop collecting text once the choice has ended. */
  'stream-nothing-after-finish': {
    summary: 'No text follows the finish_reason of its choice.',
    execute: judgeStreams('choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no-finish-reason', 'stream.finishes');
      }
      return brokenIfAny(
        choices.flatMap(textAfterEnd).map(({ event, text }) =>
          inEvent(stream, event, [], {
            mismatch: 'after-finish',
            expected: { kind: 'no-text-after-finish' },
            actualType: 'string',
            actual: { kind: 'text', text: quoteText(text) },
          }),
        ),
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
        const actual = { kind: end === 'held-open' ? 'held-open' : 'closed' } as const;
        const parts = { mismatch: 'absent', expected: { kind: 'done' }, actualType: end, actual } as const;
        return whyNoEnd(stream) ?? brokenWith(exchange, parts);
      }
      // Clients skip named events, except for an error.
      const heard = [...chunks.events, ...chunks.named.filter(({ name }) => name === 'error')];
      const after = heard.filter(({ index }) => index > done.index);
      return brokenIfAny(
        after.map(({ data, index }) =>
          inEvent(stream, index, [], {
            mismatch: 'after-done',
            expected: { kind: 'nothing-after-done' },
            ...(data.trim() === '[DONE]'
              ? { actualType: 'done', actual: { kind: 'second-done' } }
              : { actualType: 'event', actual: { kind: 'later-event' } }),
          }),
        ),
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
      return broken([
        inEvent(stream, stream.chunks.done?.index ?? 0, [], {
          mismatch: 'spacing',
          expected: { kind: 'bare-done' },
          actualType: 'string',
          actual,
        }),
      ]);
    }),
  },
  /** Part 1: stock clients read on to the end of the response, and throw if the connection breaks there. */
  'stream-ends-in-order': {
    summary: 'The connection is not cut after [DONE].',
    execute: judgeStreams('choice', (stream) => {
      const { exchange, answer, chunks } = stream;
      if (!chunks.done) return NO_DONE;
      const { end } = answer.body;
      if (end.kind !== 'cut') return HOLDS;
      return brokenWith(exchange, {
        mismatch: 'cut',
        expected: { kind: 'orderly-end' },
        actualType: 'cut',
        actual: { kind: 'cut-after-done' },
      });
    }),
  },
  'stream-closes': streamCloses,
  /** Part 1: without it, a client cannot tell a complete reply from a partial one. */
  'stream-finishes': {
    summary: 'A stream ends only after each choice has its finish_reason.',
    execute: judgeStreams('choice', (stream) => {
      const { exchange, chunks } = stream;
      const open = chunks.choices.filter(({ parts }) => !parts.some(endsChoice));
      if (open.length === 0) return brokenIfAny([]);
      return (
        whyNoEnd(stream) ??
        brokenIfAny(
          open.map(({ index }) =>
            finding(exchange, {
              mismatch: 'absent',
              expected: { kind: 'finish-every-choice' },
              actualType: 'absent',
              actual: { kind: 'unfinished-choice', choice: index },
            }),
          ),
        )
      );
    }),
  },
} satisfies Record<string, Check>;
