import { type ChoicePart, type ChoiceReading, endsChoice, type Piece } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { judged, shown, cutText, finding, broken } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, seeClause, type StreamView, whyNoEnd } from './stream-view.ts';

function findingsIn(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const end = parts.findIndex(endsChoice);
  // A choice without any finish_reason is stream.finishes.
  if (end === -1) return [];
  const wrong = ({ event, position, finish }: ChoicePart, mismatch: string, expected: string): Finding =>
    inEvent(stream, event, ['choices', position, 'finish_reason'], {
      mismatch,
      expected,
      actualType: finish?.type ?? 'absent',
      actual: finish?.text === undefined ? (finish?.type ?? 'no finish_reason') : shown(finish.text),
    });
  return parts.flatMap((part, place) => {
    const { finish } = part;
    if (finish === undefined) return place < end ? [wrong(part, 'absent', 'null before the choice has ended')] : [];
    if (finish.type === 'null') return [];
    if (finish.type !== 'string') return [wrong(part, 'type', 'null or a string')];
    if (finish.text === '') return [wrong(part, 'empty', 'null or a string that is not empty')];
    return place > end ? [wrong(part, 'again', 'one finish_reason for each choice')] : [];
  });
}

/** Part 1: clients stop at the first finish_reason that is set, and some read the member of every chunk. */
export const streamFinishOnce: Check = {
  summary: 'finish_reason is null until exactly one chunk for each choice sets it to a string that is not empty.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no choice has a finish_reason', 'stream.finishes');
      }
      return judged(choices.flatMap((choice) => findingsIn(stream, choice)));
    }),
};

/** The last finish_reason counts: where several are set, that is stream.finish-once, and not this clause as well. */
function textAfterEnd({ parts, text }: ChoiceReading): readonly Piece[] {
  const end = parts.findLast(endsChoice)?.event;
  return end === undefined ? [] : text.filter(({ event }) => event > end);
}

/** Part 1: clients stop adding up text once the choice has ended. */
export const streamNothingAfterFinish: Check = {
  summary: 'No text comes after the finish_reason of its choice.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no choice has a finish_reason', 'stream.finishes');
      }
      return judged(
        choices.flatMap(textAfterEnd).map(({ event, text }) =>
          inEvent(stream, event, [], {
            mismatch: 'after-finish',
            expected: 'no text after finish_reason',
            actualType: 'string',
            actual: cutText(text),
          }),
        ),
      );
    }),
};

/** Part 1: without it a client cannot tell a whole reply from half of one. */
export const streamFinishes: Check = {
  summary: 'A stream ends only after each choice had its finish_reason.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks } = stream;
      const open = chunks.choices.filter(({ parts }) => !parts.some(endsChoice));
      if (open.length === 0) return judged([]);
      return (
        whyNoEnd(stream) ??
        judged(
          open.map(({ index }) =>
            finding(exchange, {
              mismatch: 'absent',
              expected: 'a finish_reason for each choice before the stream ends',
              actualType: 'absent',
              actual: `no finish_reason for choice ${index}`,
            }),
          ),
        )
      );
    }),
};

/** Part 1: clients wait for [DONE] and stop reading there. One without its blank line counts. */
export const streamDone: Check = {
  summary: 'The stream ends with one [DONE], and no event comes after it.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks, end } = stream;
      const { done } = chunks;
      if (!done) {
        const parts = {
          mismatch: 'absent',
          expected: '[DONE] at the end of the stream',
          actualType: end,
          actual: end === 'held-open' ? 'the stream was held open without it' : 'the stream was closed without it',
        };
        return whyNoEnd(stream) ?? broken([finding(exchange, parts)]);
      }
      // Clients skip named events here as anywhere, all but an error.
      const heard = [...chunks.events, ...chunks.named.filter(({ name }) => name === 'error')];
      const after = heard.filter(({ index }) => index > done.index);
      return judged(
        after.map(({ data, index }) =>
          inEvent(stream, index, [], {
            mismatch: 'after-done',
            expected: 'nothing after [DONE]',
            actualType: data.trim() === '[DONE]' ? 'done' : 'event',
            actual: cutText(data),
          }),
        ),
      );
    }),
};
