/** Holds the chunks of a stream against their schema, once for the six clauses that it speaks of. */
import { MOST_CHOICES } from '../../../exchange/choices.ts';
import { type Chunk, type ChunkReading, chunkValue } from '../../../exchange/chunks.ts';
import { isObject } from '../../../json.ts';
import { itemsOf, memberOf } from '../../body-reading.ts';
import type { RunView } from '../../check.ts';
import { finding, fold } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import type { StreamView } from './stream-view.ts';

const SCHEMA = 'wire/chunk';

type ByClause = ReadonlyMap<string, readonly Finding[]>;

const known = new WeakMap<ChunkReading, ByClause>();

export function chunkFindings(stream: StreamView, run: RunView): ByClause {
  const findings = known.get(stream.chunks) ?? findingsOf(stream, run);
  known.set(stream.chunks, findings);
  return findings;
}

function findingsOf({ exchange, chunks }: StreamView, { contract }: RunView): ByClause {
  const byClause = new Map<string, readonly Finding[]>();
  for (const chunk of chunks.chunks) {
    for (const { clause, pointer, ...parts } of contract.validate(SCHEMA, boundedValue(chunk))) {
      const one = finding(exchange, { ...parts, pointer: `/${chunk.index}${pointer}` });
      byClause.set(clause, fold([...(byClause.get(clause) ?? []), one], [exchange]));
    }
  }
  return byClause;
}

/** Without the choices that are not looked at anywhere: a million of them would take minutes. */
function boundedValue(chunk: Chunk): unknown {
  const value = chunkValue(chunk);
  const choices = itemsOf(memberOf(value, 'choices'));
  if (!isObject(value) || choices.length <= MOST_CHOICES) return value;
  return { ...value, choices: choices.slice(0, MOST_CHOICES) };
}
