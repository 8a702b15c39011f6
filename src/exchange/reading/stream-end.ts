/** Says how a stream ended, in the words that the contract is read with. */
import type { Json } from '../../json.ts';
import { endsChoice, partsOf, sortChoices } from './choices.ts';
import { readEvents, type ServerEvent } from './event-stream.ts';
import type { Answer, StreamEnd } from '../exchange.ts';

/** Nobody takes longer from the last chunk to `[DONE]`. Milliseconds. */
const LONGEST_PAUSE_BEFORE_DONE = 1_000;

/** An end marker counts wherever it stands, and also when the blank line after it never came. */
export function streamEnd(answer: Answer): StreamEnd {
  const { body } = answer;
  const reading = readEvents(body);
  if (reading.events.some(isEndMarker) || isDone(reading.unterminated)) return 'done';
  switch (body.end.kind) {
    case 'complete':
      return 'closed';
    case 'cut':
    case 'undecodable':
      return 'cut';
    case 'aborted':
      return 'aborted';
    case 'limit':
      if (body.end.limit === 'idle-timeout') return everyChoiceFinished(reading.events) ? 'held-open' : 'stalled';
      return body.end.limit === 'timeout' && wasKeptAlive(answer, reading.events) ? 'held-open' : 'limit';
  }
}

/** `[DONE]` as the data of an unnamed event; `message` is the name that the grammar gives to those. */
export function isEndMarker(event: ServerEvent): boolean {
  return (event.event === undefined || event.event === 'message') && isDone(event.data);
}

function isDone(data: string | undefined): boolean {
  return data?.trim() === '[DONE]';
}

/** Comments reset the idle clock, so a finished stream that sends nothing else is ended only by the time of an attempt. */
function wasKeptAlive({ endAt }: Answer, events: readonly ServerEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && endAt - last.at > LONGEST_PAUSE_BEFORE_DONE && everyChoiceFinished(events);
}

function everyChoiceFinished(events: readonly ServerEvent[]): boolean {
  const parts = events.flatMap(({ data, at }, index) => partsOf(parsed(data), index, at));
  const { choices } = sortChoices(parts);
  return choices.length > 0 && choices.every((choice) => choice.parts.some(endsChoice));
}

function parsed(data: string): Json {
  try {
    const value: Json = JSON.parse(data);
    return value;
  } catch {
    return null;
  }
}
