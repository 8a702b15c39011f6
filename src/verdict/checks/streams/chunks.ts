import type { Check } from '../../check.ts';
import { quoteText } from '../../../text/quote.ts';
import { brokenIfAny, NO_FIELD, valueFound } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { chunkFindings, couldBreak } from './chunk-findings.ts';
import { inEvent, judgeStreams, memberFound, type StreamView, whyNoEnd, seeClause } from './stream-view.ts';
import type { ChoicePart, ChoiceReading } from '../../../exchange/reading/choices.ts';

/** Only for a complete stream: in a partial one, a second choice may be yet to come. */
function findMisnumbered(stream: StreamView): readonly Finding[] {
  if (whyNoEnd(stream)) return [];
  return stream.chunks.misnumbered.map(({ event, position, index }) =>
    inEvent(stream, event, ['choices', position, 'index'], {
      mismatch: 'value',
      expected: { kind: 'single-choice-index' },
      actualType: 'integer',
      actual: valueFound(index),
    }),
  );
}

/** Part 1: the shape that stock clients rely on, one clause at a time. */
export const streamChunk: Check = {
  summary: 'Each chunk has the field of the clause, in the shape that existing clients expect.',
  // With `numbering`, the index of a single choice has to be 0 as well.
  options: { numbering: { type: 'boolean', default: false } },
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      // The schema names a clause for each of its parts.
      const ofSchema = chunkFindings(stream, input.run).get(input.clause) ?? [];
      if (ofSchema.length === 0 && !couldBreak(stream, input)) return NO_FIELD;
      if (input.options['numbering'] !== true) return brokenIfAny(ofSchema);
      const places = new Set(ofSchema.map(({ pointer }) => pointer));
      return brokenIfAny([...ofSchema, ...findMisnumbered(stream).filter(({ pointer }) => !places.has(pointer))]);
    }),
};

/** Part 1: clients group chunks by id. stream.chunk-id covers a missing or empty id. */
export const streamIdConstant: Check = {
  summary: 'The id is the same in all chunks of a stream.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const named = stream.chunks.chunks.filter(({ id }) => id?.text !== undefined && id.text !== '');
      if (named.length === 0) return NO_FIELD;
      const first = named[0]?.id?.text;
      return brokenIfAny(
        named
          .filter(({ id }) => id?.text !== first)
          .map((chunk) =>
            inEvent(stream, chunk, ['id'], {
              mismatch: 'changed',
              expected: { kind: 'first-id' },
              actualType: 'string',
              actual: { kind: 'changed', value: quoteText(chunk.id?.text ?? ''), first: quoteText(first ?? '') },
            }),
          ),
      );
    }),
};

const ROLE = 'assistant';

function findMisplacedRoles(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const wrong = ({ event, position, role }: ChoicePart, isFirst: boolean): Finding =>
    inEvent(stream, event, ['choices', position, 'delta', 'role'], {
      mismatch: role === undefined ? 'absent' : role.text === '' ? 'empty' : 'value',
      expected: { kind: isFirst ? 'role-first' : 'role-later' },
      actualType: role?.type ?? 'absent',
      actual: memberFound(role),
    });
  const deltas = parts.filter(({ hasDelta }) => hasDelta);
  return deltas.flatMap((part, place) => {
    const isFine = part.role === undefined ? place > 0 : part.role.text === ROLE;
    return isFine ? [] : [wrong(part, place === 0)];
  });
}

/** Part 1: clients begin a message with its role. One in every delta is odd but harmless. */
export const streamRoleFirst: Check = {
  summary: 'The first delta has the role assistant, and no later delta changes or blanks it.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(({ hasDelta }) => hasDelta))) {
        return seeClause('no-delta', 'stream.choice-delta');
      }
      return brokenIfAny(choices.flatMap((choice) => findMisplacedRoles(stream, choice)));
    }),
};

/** Part 1: an error in a choice looks like part of the reply. At the top of a chunk it is stream.no-error. */
export const streamNoChoiceError: Check = {
  summary: 'No choice of a chunk carries an error other than null.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const parts = stream.chunks.choices.flatMap((choice) => choice.parts);
      return brokenIfAny(
        parts
          .filter(({ hasError }) => hasError)
          .map(({ event, position }) =>
            inEvent(stream, event, ['choices', position, 'error'], {
              mismatch: 'error',
              expected: { kind: 'no-error-in-choice' },
              actualType: 'error',
              actual: { kind: 'choice-error' },
            }),
          ),
      );
    }),
};
