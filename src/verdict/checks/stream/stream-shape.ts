import { MOST_CHOICES } from '../../../exchange/reading/choices.ts';
import { type Chunk, chunkValue } from '../../../exchange/reading/chunks.ts';
import { isObject, type Json, pointerOf } from '../../../json.ts';
import { itemsOf, memberOf } from '../../body-reading.ts';
import type { Check } from '../../check.ts';
import { seenValues } from '../../seen-values.ts';
import { observeStreams } from './stream-view.ts';

/** The fields that stock clients know. An error has clauses of its own. */
const KNOWN = {
  '': ['id', 'object', 'created', 'model', 'choices', 'usage', 'error'],
  '/choices/*': ['index', 'delta', 'finish_reason', 'error'],
  '/choices/*/delta': ['role', 'content'],
} as const satisfies Record<string, readonly string[]>;

function* unknownIn(value: Json | undefined, place: keyof typeof KNOWN): Generator<string> {
  const known: readonly string[] = KNOWN[place];
  for (const name of isObject(value) ? Object.keys(value) : []) {
    if (!known.includes(name)) yield `chunk ${place}${pointerOf([name])}`;
  }
}

function* unknownFields(chunks: readonly Chunk[]): Generator<string> {
  for (const chunk of chunks) {
    const value = chunkValue(chunk);
    yield* unknownIn(value, '');
    for (const choice of itemsOf(memberOf(value, 'choices')).slice(0, MOST_CHOICES)) {
      yield* unknownIn(choice, '/choices/*');
      yield* unknownIn(memberOf(choice, 'delta'), '/choices/*/delta');
    }
  }
}

/** Part 4: the shape of the events is not shown. */
export const streamShape: Check = {
  summary: 'Records the fields of chunks beyond the known, chunks without choices, and whether created changes.',
  execute: (input) =>
    observeStreams(input, 'event', ({ chunks: { chunks, choices } }) => [
      { name: 'fields beyond the contract', value: seenValues(unknownFields(chunks)) },
      { name: 'chunks without choices', value: chunks.filter((chunk) => chunk.choices === 0).length },
      { name: 'choices', value: choices.length },
      { name: 'created changes', value: new Set(chunks.flatMap(({ created }) => created ?? [])).size > 1 },
    ]),
};
