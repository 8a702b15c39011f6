/** Tells how a stream ended. */
import { parseJson } from '../../json.ts';
import { endsChoice, partsOf, sortChoices } from './choices.ts';
import { readEvents, type ServerEvent } from './event-stream.ts';
import type { Answer, StreamEnd } from '../exchange.ts';

/** No target takes longer from the last chunk to `[DONE]`. Milliseconds. */
const MAX_PAUSE_BEFORE_DONE = 1_000;

/** An end marker counts anywhere, even without the blank line after it. */
export function streamEnd(answer: Answer): StreamEnd {
  const { body } = answer;
  const reading = readEvents(body);
  if (findEndMarker(reading.events) || isDone(reading.unterminated)) return 'done';
  switch (body.end.kind) {
    case 'complete':
      return 'closed';
    case 'cut':
    case 'undecodable':
      return 'cut';
    case 'aborted':
      return 'aborted';
    case 'limit':
      if (body.end.limit === 'idle-timeout') return isEveryChoiceFinished(reading.events) ? 'held-open' : 'stalled';
      return body.end.limit === 'timeout' && wasKeptAlive(answer, reading.events) ? 'held-open' : 'limit';
  }
}

/** A response that is still open this long after `[DONE]` was left open. Milliseconds. */
export const MAX_WAIT_FOR_CLOSE = 1_000;

/** `unknown`: reading ended too early, or the times of a foreign recording do not tell. */
export type Closing = 'closed' | 'open' | 'unknown';

/** Whether the response ended soon after `[DONE]`; undefined without `[DONE]`. */
export function closingOf({ body, endAt }: Answer): Closing | undefined {
  const { events, unterminated } = readEvents(body);
  const doneAt = findEndMarker(events)?.at ?? (isDone(unterminated) ? body.reads.at(-1)?.at : undefined);
  if (doneAt === undefined) return undefined;
  const { kind } = body.end;
  if (kind === 'limit' || kind === 'aborted') return endAt - doneAt >= MAX_WAIT_FOR_CLOSE ? 'open' : 'unknown';
  // A response that was received here ends a little later than its last bytes arrive.
  return endAt > doneAt ? 'closed' : 'unknown';
}

/** The names of events that carry the reply; undefined for no name. */
export type ReplyNames = ReadonlySet<string | undefined>;

/** `message` is the default name. */
const USUAL_NAMES: ReplyNames = new Set([undefined, 'message']);

/**
 * If no usual event has a choice, events of another name that have one carry the reply: stock clients read them, and the
 * name is a finding of its own.
 */
export function findReplyNames(events: readonly ServerEvent[]): ReplyNames {
  if (events.every(({ event }) => USUAL_NAMES.has(event))) return USUAL_NAMES;
  const hasChoice = ({ data, at }: ServerEvent): boolean => partsOf(parseJson(data), 0, at).length > 0;
  if (events.some((event) => USUAL_NAMES.has(event.event) && hasChoice(event))) return USUAL_NAMES;
  const others = events.filter(({ event }) => event !== undefined && event !== 'error');
  return new Set([...USUAL_NAMES, ...others.filter(hasChoice).map(({ event }) => event)]);
}

/** `[DONE]` as the data of an event that may carry the reply. */
export function isEndMarker({ event, data }: ServerEvent, names: ReplyNames): boolean {
  return names.has(event) && isDone(data);
}

/** The markers by the events of their streams: many checks ask how one ended. */
const endMarkers = new WeakMap<readonly ServerEvent[], { readonly marker: ServerEvent | undefined }>();

function findEndMarker(events: readonly ServerEvent[]): ServerEvent | undefined {
  const known = endMarkers.get(events);
  if (known) return known.marker;
  const names = findReplyNames(events);
  const marker = events.find((event) => isEndMarker(event, names));
  endMarkers.set(events, { marker });
  return marker;
}

function isDone(data: string | undefined): boolean {
  return data?.trim() === '[DONE]';
}

/** Comments reset the idle timeout, so only the timeout of the attempt ends a finished stream that keeps sending them. */
function wasKeptAlive({ endAt }: Answer, events: readonly ServerEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && endAt - last.at > MAX_PAUSE_BEFORE_DONE && isEveryChoiceFinished(events);
}

function isEveryChoiceFinished(events: readonly ServerEvent[]): boolean {
  const parts = events.flatMap(({ data, at }, index) => partsOf(parseJson(data), index, at));
  const { choices } = sortChoices(parts);
  return choices.length > 0 && choices.every((choice) => choice.parts.some(endsChoice));
}
