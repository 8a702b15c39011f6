import type { Body } from '../../../exchange/exchange.ts';
import { type ChoiceReading, MAX_CHOICES } from '../../../exchange/reading/choices.ts';
import { type Chunk, chunkValue } from '../../../exchange/reading/chunks.ts';
import { isObject, memberOf } from '../../../json.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Check, CheckInput, RunView } from '../../check.ts';
import { issueFound, mergeFindings, valueFound } from '../../finding.ts';
import { NO_FIELD } from '../../check-result.ts';
import { itemsOf } from '../../reading/answers.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, memberFound, seeClause, type StreamView, whyNoEnd } from './stream-view.ts';

/** Only a complete stream is judged: in a partial one, a second choice may be yet to come. */
function findMisnumbered(stream: StreamView): readonly Finding[] {
  if (whyNoEnd(stream)) return [];
  return stream.chunks.misnumbered.map(({ event, position, index }) => {
    const parts = { mismatch: 'value', expected: 'single-choice-index', actualType: 'integer' } as const;
    return inEvent(stream, event, { ...parts, actual: valueFound(index) }, ['choices', position, 'index']);
  });
}

const ROLE = 'assistant';

function findMisplacedRoles(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const deltas = parts.filter(({ hasDelta }) => hasDelta);
  return deltas.flatMap(({ event, position, role }, place) => {
    if (role === undefined ? place > 0 : role.text === ROLE) return [];
    const mismatch = role === undefined ? 'absent' : role.text === '' ? 'empty' : 'value';
    const expected = place === 0 ? 'role-first' : 'role-later';
    const tokens = ['choices', position, 'delta', 'role'];
    return [inEvent(stream, event, { mismatch, expected, ...memberFound(role) }, tokens)];
  });
}

// Validates the chunks of a stream once for all six clauses of their schema.

const SCHEMA = 'wire/chunk';

type ByClause = ReadonlyMap<string, readonly Finding[]>;

/** The key is the body: parsed large streams are evicted early, while their findings are small. */
const known = new WeakMap<Body, ByClause>();

function chunkFindings({ exchange, answer: { body }, chunks }: StreamView, { contract }: RunView): ByClause {
  const before = known.get(body);
  if (before) return before;
  const byClause = new Map<string, Finding[]>();
  const seen = new Map<string, { readonly place: number; readonly of: Finding[] }>();
  let isLastFine = false;
  for (const chunk of chunks.chunks) {
    // The schema says nothing about a text but that it is one.
    if (chunk.isAlike && isLastFine) continue;
    const issues = contract.validate(SCHEMA, boundedValue(chunk));
    isLastFine = issues.length === 0;
    for (const issue of issues) {
      const { clause, pointer, mismatch, actualType } = issue;
      // Counted here, since thousands of chunks may have the same fault; `mergeFindings` merges the rest.
      const key = `${clause} ${mismatch} ${actualType} ${pointer}`;
      const first = seen.get(key);
      if (first) {
        const { place, of } = first;
        of[place] = { ...of[place]!, more: of[place]!.more + 1 };
        continue;
      }
      const of = byClause.get(clause) ?? [];
      byClause.set(clause, of);
      seen.set(key, { place: of.length, of });
      of.push(issueFound(exchange, { ...issue, pointer: `/${chunk.index}${pointer}` }));
    }
  }
  const merged = new Map([...byClause].map(([clause, findings]) => [clause, mergeFindings(findings, [exchange])]));
  known.set(body, merged);
  return merged;
}

/** Whether a chunk has what the clause is about. */
function couldBreak({ chunks }: StreamView, { clause, run }: CheckInput): boolean {
  return chunks.chunks.some((chunk) => run.contract.couldBreak(SCHEMA, clause, boundedValue(chunk)));
}

/** Choices beyond the limit are left out: a million of them would take minutes. */
function boundedValue(chunk: Chunk): unknown {
  const value = chunkValue(chunk);
  const choices = itemsOf(memberOf(value, 'choices'));
  if (!isObject(value) || choices.length <= MAX_CHOICES) return value;
  return { ...value, choices: choices.slice(0, MAX_CHOICES) };
}

export const CHUNK_CHECKS = {
  /** Part 1: the shape that stock clients rely on, one clause at a time. */
  'stream-chunk': {
    summary: 'Each chunk has the field of the clause, in the shape that existing clients expect.',
    // With `numbering`, the index of a single choice has to be 0 as well.
    options: { numbering: { type: 'boolean', default: false } },
    execute: judgeStreams('event', (stream, input) => {
      // The schema names a clause for each of its parts.
      const ofSchema = chunkFindings(stream, input.run).get(input.clause) ?? [];
      if (ofSchema.length === 0 && !couldBreak(stream, input)) return NO_FIELD;
      if (input.options['numbering'] !== true) return ofSchema;
      const places = new Set(ofSchema.map(({ pointer }) => pointer));
      return [...ofSchema, ...findMisnumbered(stream).filter(({ pointer }) => !places.has(pointer))];
    }),
  },
  /** Part 1: clients group chunks by id. stream.chunk-id covers a missing or empty id. */
  'stream-id-constant': {
    summary: 'The id is the same in all chunks of a stream.',
    execute: judgeStreams('choice', (stream) => {
      const named = stream.chunks.chunks.flatMap(({ index, id }) => (id?.text ? [{ index, id: id.text }] : []));
      const [first] = named;
      if (!first) return NO_FIELD;
      const parts = { mismatch: 'changed', expected: 'first-id', actualType: 'string' } as const;
      const others = named.filter(({ id }) => id !== first.id);
      return others.map((chunk) => {
        const actual = { kind: 'changed', value: quoteText(chunk.id), first: quoteText(first.id) } as const;
        return inEvent(stream, chunk, { ...parts, actual }, ['id']);
      });
    }),
  },
  /** Part 1: clients begin a message with its role. One in every delta is odd but harmless. */
  'stream-role-first': {
    summary: 'The first delta has the role assistant, and no later delta changes or blanks it.',
    execute: judgeStreams('choice', (stream) => {
      const { choices } = stream.chunks;
      const hasDelta = choices.some(({ parts }) => parts.some((part) => part.hasDelta));
      if (!hasDelta) return seeClause('no-delta', 'stream.choice-delta');
      return choices.flatMap((choice) => findMisplacedRoles(stream, choice));
    }),
  },
  /** Part 1: an error in a choice looks like part of the reply. At the top of a chunk it is stream.no-error. */
  'stream-no-choice-error': {
    summary: 'No choice of a chunk carries an error other than null.',
    execute: judgeStreams('choice', (stream) => {
      const wrong = stream.chunks.choices.flatMap(({ parts }) => parts.filter(({ hasError }) => hasError));
      const found = {
        mismatch: 'error',
        expected: 'no-error-in-choice',
        actualType: 'error',
        actual: 'choice-error',
      } as const;
      return wrong.map(({ event, position }) => inEvent(stream, event, found, ['choices', position, 'error']));
    }),
  },
} satisfies Record<string, Check>;
