/** Says how a stream ended, in the words that the contract is read with. */
import { isObject } from '../../json.ts';
import { readEvents, type ServerEvent } from './event-stream.ts';
import type { Answer, StreamEnd } from '../exchange.ts';

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
      if (body.end.limit !== 'idle-timeout') return 'limit';
      return everyChoiceFinished(reading.events) ? 'held-open' : 'stalled';
  }
}

/** `[DONE]` as the data of an unnamed event; `message` is the name that the grammar gives to those. */
export function isEndMarker(event: ServerEvent): boolean {
  return (event.event === undefined || event.event === 'message') && isDone(event.data);
}

function isDone(data: string | undefined): boolean {
  return data?.trim() === '[DONE]';
}

function everyChoiceFinished(events: readonly ServerEvent[]): boolean {
  const finished = new Map<unknown, boolean>();
  for (const event of events) {
    for (const choice of choicesOf(event.data)) {
      if (!isObject(choice)) continue;
      const index = choice['index'] ?? 0;
      const ends = typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '';
      finished.set(index, ends || finished.get(index) === true);
    }
  }
  return finished.size > 0 && [...finished.values()].every(Boolean);
}

function choicesOf(data: string): readonly unknown[] {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return [];
  }
  return isObject(chunk) && Array.isArray(chunk['choices']) ? chunk['choices'] : [];
}
