import { MOST_CHOICES } from '../../../exchange/choices.ts';
import { type Chunk, type ChunkReading, chunkValue } from '../../../exchange/chunks.ts';
import { isObject } from '../../../json.ts';
import { itemsOf, memberOf } from '../../body-reading.ts';
import type { Check, RunView } from '../../check.ts';
import { finding, fold, judged } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, type StreamView, whyNoEnd } from './stream-view.ts';

const SCHEMA = 'wire/chunk';
const INDEX_CLAUSE = 'stream.choice-index';
/** Null in a delta counts as absent. */
const IN_DELTA = /^\/choices\/\d+\/delta\/./;

/** Without the choices that are not looked at anywhere: a million of them would take minutes. */
function boundedValue(chunk: Chunk): unknown {
  const value = chunkValue(chunk);
  const choices = itemsOf(memberOf(value, 'choices'));
  return isObject(value) && choices.length > MOST_CHOICES
    ? { ...value, choices: choices.slice(0, MOST_CHOICES) }
    : value;
}

type ByClause = ReadonlyMap<string, readonly Finding[]>;

// One check serves six clauses; the chunks are held against their schema once.
const known = new WeakMap<ChunkReading, ByClause>();

function findingsOf({ exchange, chunks }: StreamView, { contract }: RunView): ByClause {
  const byClause = new Map<string, readonly Finding[]>();
  for (const chunk of chunks.chunks) {
    for (const { clause, pointer, ...parts } of contract.validate(SCHEMA, boundedValue(chunk))) {
      if (parts.actualType === 'null' && IN_DELTA.test(pointer)) continue;
      const one = finding(exchange, { ...parts, pointer: `/${chunk.index}${pointer}` });
      byClause.set(clause, fold([...(byClause.get(clause) ?? []), one], [exchange]));
    }
  }
  known.set(chunks, byClause);
  return byClause;
}

/** Only in a stream that came to its end: before that, a second choice may not have shown yet that it is one. */
function misnumbered(stream: StreamView): readonly Finding[] {
  if (whyNoEnd(stream)) return [];
  return stream.chunks.misnumbered.map(({ event, position, index }) =>
    inEvent(stream, event, ['choices', position, 'index'], {
      mismatch: 'value',
      expected: '0, as there is a single choice',
      actualType: 'integer',
      actual: String(index),
    }),
  );
}

/** Part 1: the shape that stock clients rely on, for the clause that it is asked about. */
export const streamChunk: Check = {
  summary: 'Each chunk has the shape that stock clients rely on, as far as the clause speaks of it.',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      const ofSchema = (known.get(stream.chunks) ?? findingsOf(stream, input.run)).get(input.clause) ?? [];
      return judged(input.clause === INDEX_CLAUSE ? [...ofSchema, ...misnumbered(stream)] : ofSchema);
    }),
};
