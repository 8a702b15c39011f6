/** Reads the events of a stream as the chunks of a completion. Never throws, whatever the events contain. */
import { hasErrorMember, isObject, type Json, memberOf, parseJson } from '../../json.ts';
import type { Answer } from '../exchange.ts';
import { BodyMemo } from './body-memo.ts';
import { type ChoicePart, type ChoiceReading, describeMember, type Member, partsOf, sortChoices } from './choices.ts';
import { type ServerEvent, type StreamForm, type StreamReading, formOf, isDone, readEvents } from './event-stream.ts';
import { hasMoreValuesThan, isDeeperThan } from './json-text.ts';

export interface EventPlace {
  /** Number of the event in the stream, including named events. */
  readonly index: number;
  readonly at: number;
  readonly data: string;
}

/** A chunk without its choices. The values of a hostile stream would take many times its size, so few are kept. */
export interface Chunk extends EventPlace {
  readonly kind: 'chunk';
  readonly id: Member | undefined;
  readonly created: number | undefined;
  /** It has a `usage` that is an object. */
  readonly hasUsage: boolean;
  /** It has an `error` that is not null. */
  readonly hasError: boolean;
  readonly choices: number;
  /** It differs from the chunk before it in the text of its delta only. */
  readonly isAlike?: true;
}

/** An event without a name, or named `message`, which means the same; any name that carries the reply, if none of these does. */
type ChunkEvent =
  | Chunk
  /** `unread`: nested deeper than `max-depth` or with too many values, so not judged. */
  | (EventPlace & { readonly kind: 'done' | 'not-json' | 'empty' | 'unread' });

interface NamedEvent extends EventPlace {
  readonly name: string;
}

export interface ChunkReading {
  readonly form: StreamForm;
  readonly stream: StreamReading;
  readonly events: readonly ChunkEvent[];
  /** Events with other names, including those that carry the reply for want of usual ones. */
  readonly named: readonly NamedEvent[];
  /** The first end marker; `terminated` is false if its blank line is missing. */
  readonly done?: { readonly index: number; readonly terminated: boolean };
  /** Before the end marker: events named `error`, and chunks with an `error` that is not null. */
  readonly errors: readonly EventPlace[];
  /** Chunks before the end marker, without errors: what a client sees of the completion. */
  readonly chunks: readonly Chunk[];
  readonly choices: readonly ChoiceReading[];
  readonly misnumbered: readonly ChoicePart[];
}

/** The limit for a chunk: a hundred times what is usual. */
const MAX_VALUES = 20_000;

/** Parses a chunk each time; undefined if it is not JSON. */
export const chunkValue = ({ data }: Pick<EventPlace, 'data'>): Json | undefined => parseJson(data);

interface EventReading {
  readonly event: ChunkEvent;
  readonly parts: readonly ChoicePart[];
  /** Finds events that differ in their text only. */
  readonly pattern?: TextPattern | undefined;
}

function readEvent(source: ServerEvent, index: number, maxDepth: number): EventReading {
  const { at, data } = source;
  const place = { index, at, data };
  const other = (kind: Exclude<ChunkEvent['kind'], 'chunk'>): EventReading => ({
    event: { ...place, kind },
    parts: [],
  });
  if (isDone(data)) return other('done');
  if (data.trim() === '') return other('empty');
  if (isDeeperThan(data, maxDepth) || hasMoreValuesThan(data, MAX_VALUES)) return other('unread');
  const value = chunkValue(place);
  if (value === undefined) return other('not-json');
  const created = memberOf(value, 'created');
  const parts = partsOf(value, index, at);
  const event: Chunk = {
    index,
    at,
    data,
    kind: 'chunk',
    id: describeMember(memberOf(value, 'id')),
    created: typeof created === 'number' ? created : undefined,
    hasUsage: isObject(memberOf(value, 'usage')),
    hasError: hasErrorMember(value),
    choices: parts.length,
  };
  return { event, parts, pattern: patternOf(event, value, parts) };
}

/** The pattern of a chunk with a single choice, whose delta has a text. */
function patternOf({ data, hasError }: Chunk, value: Json, parts: readonly ChoicePart[]): TextPattern | undefined {
  const [part, ...others] = parts;
  if (!part || others.length > 0 || hasError) return undefined;
  const choices = memberOf(value, 'choices');
  const delta = memberOf(Array.isArray(choices) ? choices[part.position] : undefined, 'delta');
  // A list of parts may have the same text, but is written in another way.
  return memberOf(delta, 'content') === part.text ? textPattern(data, part.text) : undefined;
}

/** Undefined if the event differs from the one before in more than its text. */
function readAlike({ at, data }: ServerEvent, index: number, before: EventReading): EventReading | undefined {
  const text = before.pattern?.(data);
  const [part] = before.parts;
  if (text === undefined || !part || before.event.kind !== 'chunk') return undefined;
  // Named one by one: to copy an object and change it costs as much as to parse the event.
  const { id, created, hasUsage, hasError, choices } = before.event;
  const { position, index: number, hasDelta, role, finish, hasError: isFaulty, reasoning } = part;
  return {
    event: { index, at, data, kind: 'chunk', id, created, hasUsage, hasError, choices, isAlike: true },
    parts: [{ event: index, at, position, index: number, hasDelta, role, finish, hasError: isFaulty, text, reasoning }],
    pattern: before.pattern,
  };
}

function read(answer: Answer): ChunkReading {
  const stream = readEvents(answer.body);
  const readings: EventReading[] = [];
  const named: NamedEvent[] = [];
  let before: EventReading | undefined;
  stream.events.forEach((event, index) => {
    const { event: name, at, data } = event;
    if (stream.names.has(name)) {
      before = (before && readAlike(event, index, before)) ?? readEvent(event, index, answer.body.maxDepth);
      readings.push(before);
    }
    if (name !== undefined && name !== 'message') named.push({ index, at, data, name });
  });
  const marker = readings.find(({ event }) => event.kind === 'done')?.event.index;
  const end = marker ?? stream.events.length;
  const seen = readings.filter(({ event }) => event.index < end);
  const isError = ({ event }: EventReading): boolean => event.kind === 'chunk' && event.hasError;
  const good = seen.filter((reading) => !isError(reading));
  const errors = [
    ...named.filter(({ name, index }) => name === 'error' && index < end),
    ...seen.filter(isError).map(({ event }) => event),
  ];
  return {
    form: formOf(answer.body, stream),
    stream,
    events: readings.map(({ event }) => event),
    named,
    ...((marker !== undefined || isDone(stream.unterminated)) && {
      done: { index: end, terminated: marker !== undefined },
    }),
    errors: errors.toSorted((a, b) => a.index - b.index),
    chunks: good.map(({ event }) => event).filter((event) => event.kind === 'chunk'),
    ...sortChoices(good.flatMap(({ parts }) => parts)),
  };
}

const readings = new BodyMemo<ChunkReading>();
/** Memory of an event and of each choice in it, besides the text. */
const BYTES_OF_AN_EVENT = 200;
const BYTES_OF_A_CHOICE = 150;

export function readChunks(answer: Answer): ChunkReading {
  const { body } = answer;
  const known = readings.get(body);
  if (known) return known;
  const reading = read(answer);
  const choices = reading.chunks.reduce((sum, chunk) => sum + chunk.choices, 0);
  const weight = reading.events.length * BYTES_OF_AN_EVENT + choices * BYTES_OF_A_CHOICE;
  readings.set(body, reading, weight + (reading.stream.events.length > 0 ? body.bytes.length : 0));
  return reading;
}

/**
 * Most events of a stream differ from the one before in their text only. Whatever else they say is known then, and need
 * not be parsed again. Pure.
 */

/** What ends a JSON string, or may not stand in one as it is (RFC 8259 section 7). */
// oxlint-disable-next-line no-control-regex -- control characters are what is meant
const NOT_PLAIN = /["\\\u0000-\u001F]/;
/** Characters. Longer texts are rare, and their size is checked when they are parsed. */
const LONGEST = 8_192;

/** Finds the text in the same place of other data, if nothing else is different; never empty. */
type TextPattern = (data: string) => string | undefined;

/** `text`: a string value in the JSON text `data`. Undefined unless its place is certain. */
export function textPattern(data: string, text: string): TextPattern | undefined {
  // Without escapes, each value is written as it is.
  if (text === '' || data.length > LONGEST || data.includes('\\')) return undefined;
  const written = `"${text}"`;
  const at = data.indexOf(written);
  if (at === -1 || data.indexOf(written, at + 1) !== -1) return undefined;
  const [before, after] = [data.slice(0, at + 1), data.slice(at + 1 + text.length)];
  return (other) => {
    const end = other.length - after.length;
    if (end <= before.length || other.length > LONGEST) return undefined;
    // Equality of slices compares many characters at once; `startsWith` goes one by one.
    if (other.slice(0, before.length) !== before || other.slice(end) !== after) return undefined;
    const found = other.slice(before.length, end);
    return NOT_PLAIN.test(found) ? undefined : found;
  };
}
