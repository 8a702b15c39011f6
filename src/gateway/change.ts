/** Builds changes of values, chunks and events, so that most modifiers are one line: `completion: put('/usage/total_tokens', 3)`. */
import { bytesOf, type Piece, piece } from './answer.ts';
import { type Json, type JsonObject, isObject } from './json.ts';

export type Change = (value: JsonObject) => JsonObject;

/** Sets the value at a JSON pointer; `*` means every item of an array. A path that leads nowhere changes nothing. */
export function put(pointer: string, value: Json): Change {
  return alter(pointer, () => value);
}

export function drop(pointer: string): Change {
  return alter(pointer, () => undefined);
}

/** Replaces the value at a pointer with the result of the function; undefined removes it. */
export function alter(pointer: string, change: (old: Json | undefined) => Json | undefined): Change {
  const path = pointer.split('/').slice(1);
  return (value) => {
    const changed = at(value, path, change);
    return isObject(changed) ? changed : value;
  };
}

/** Applies several changes in turn. */
export function all(...changes: readonly Change[]): Change {
  return (value) => changes.reduce((changed, change) => change(changed), value);
}

function at(
  value: Json | undefined,
  path: readonly string[],
  change: (old: Json | undefined) => Json | undefined,
): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, index) => {
      if (name !== '*' && Number(name) !== index) return [item];
      const changed = at(item, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const changed = at(value[name], rest, change);
  const { [name]: _old, ...others } = value;
  // An existing member keeps its position.
  if (changed === undefined) return others;
  return name in value ? { ...value, [name]: changed } : { ...others, [name]: changed };
}

type ChunksHook = (chunks: readonly JsonObject[]) => readonly JsonObject[];

/** The chunk at an index; a negative one counts from the end. */
export function chunkAt(index: number, change: Change): ChunksHook {
  return (chunks) => chunks.map((chunk, at_) => (at_ === place(index, chunks.length) ? change(chunk) : chunk));
}

/** Inserts a chunk before the given index; -1 means after all chunks. */
export function insertChunk(index: number, make: (model: JsonObject) => JsonObject): ChunksHook {
  return (chunks) => chunks.toSpliced(place(index, chunks.length + 1), 0, make(chunks[0] ?? {}));
}

type EventsHook = (events: readonly Piece[]) => readonly Piece[];

/** The text of every event. */
export function eachEvent(change: (text: string, at: number) => string): EventsHook {
  return (events) => events.map(({ bytes, waitMs }, at_) => ({ bytes: change(String(bytes), at_), waitMs }));
}

export function eventAt(index: number, change: (text: string) => string): EventsHook {
  return (events) =>
    events.map((event, at_) =>
      at_ === place(index, events.length) ? { ...event, bytes: change(String(event.bytes)) } : event,
    );
}

/** Inserts text before the event at the given index; -1 means after `[DONE]`. */
export function insertEvent(index: number, bytes: string): EventsHook {
  return (events) => events.toSpliced(place(index, events.length + 1), 0, piece(bytes));
}

function place(index: number, length: number): number {
  return index < 0 ? length + index : index;
}

/** Letters beyond ASCII, as JSON may spell them. */
export function escapeLetters(text: string): string {
  return text.replaceAll(/[\u0080-\uFFFF]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same bytes in pieces of a given size, which splits lines and characters. `pause`: before each of them, in milliseconds. */
export const cutEvery =
  (size: number, pause: (at: number) => number) =>
  (events: readonly Piece[]): readonly Piece[] => {
    const bytes = bytesOf(events);
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => ({
      bytes: bytes.subarray(at * size, (at + 1) * size),
      waitMs: pause(at),
    }));
  };
