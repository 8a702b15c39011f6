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
      if (body.end.limit === 'idle-timeout') return isEveryChoiceFinished(reading.events) ? 'held-open' : 'stalled';
      return body.end.limit === 'timeout' && wasKeptAlive(answer, reading.events) ? 'held-open' : 'limit';
  }
}

/** `[DONE]` as the data of an unnamed event; `message` is the default name. */
export function isEndMarker(event: ServerEvent): boolean {
  return (event.event === undefined || event.event === 'message') && isDone(event.data);
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
