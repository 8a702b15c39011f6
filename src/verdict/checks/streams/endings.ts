import { type ChoicePart, type ChoiceReading, endsChoice, type Piece } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { brokenIfAny, finding, broken } from '../../finding.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Expected } from '../../expected.ts';
import type { Mismatch } from '../../mismatch.ts';
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

/** Part 1: clients stop at the first finish_reason that is set. */
export const streamFinishOnce: Check = {
  summary: 'The finish_reason of a choice is null or absent until exactly one chunk sets it to a non-empty string.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no-finish-reason', 'stream.finishes');
      }
      return brokenIfAny(choices.flatMap((choice) => findingsIn(stream, choice)));
    }),
};

/** The last finish_reason counts. Several of them break stream.finish-once, not this clause. */
function textAfterEnd({ parts, text }: ChoiceReading): readonly Piece[] {
  const end = parts.findLast(endsChoice)?.event;
  return end === undefined ? [] : text.filter(({ event }) => event > end);
}

/** Part 1: clients stop collecting text once the choice has ended. */
export const streamNothingAfterFinish: Check = {
  summary: 'No text follows the finish_reason of its choice.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
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
};

/** Part 1: without it, a client cannot tell a complete reply from a partial one. */
export const streamFinishes: Check = {
  summary: 'A stream ends only after each choice has its finish_reason.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
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
};

/** Part 1: clients wait for [DONE] and stop reading there. The blank line after it may be missing. */
export const streamDone: Check = {
  summary: 'The stream ends with one [DONE], and nothing follows it.',
  findsLostEndMarker: true,
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks, end } = stream;
      const { done } = chunks;
      if (!done) {
        const actual = { kind: end === 'held-open' ? 'held-open' : 'closed' } as const;
        const parts = { mismatch: 'absent', expected: { kind: 'done' }, actualType: end, actual } as const;
        return whyNoEnd(stream) ?? broken([finding(exchange, parts)]);
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
};
