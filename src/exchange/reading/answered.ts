/** Tells whether an exchange was answered: not a verdict, only what later steps and refusals depend on. */
import { hasErrorMember, isObject } from '../../json.ts';
import { readChunks } from './chunks.ts';
import type { Answer, Attempt, Exchange } from '../exchange.ts';
import { readJson } from './json-text.ts';
import { streamEnd } from './stream-end.ts';

export function lastAnswer({ attempts }: Pick<Exchange, 'attempts'>): Answer | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'answer' ? outcome.answer : undefined;
}

/** A 200 that is readable as what was requested, without an error. Wrong fields do not matter here. */
export function wasAnswered(exchange: Exchange): boolean {
  const last = exchange.attempts.at(-1);
  return last !== undefined && isAnswered(last, exchange.request);
}

export function isAnswered(attempt: Attempt, request: Pick<Exchange['request'], 'mode'>): boolean {
  if (attempt.outcome.kind !== 'answer') return false;
  const { answer } = attempt.outcome;
  if (answer.status !== 200) return false;
  return request.mode === 'stream' ? isWholeStream(answer) : isWholeObject(answer);
}

function isWholeObject(answer: Answer): boolean {
  if (answer.body.end.kind !== 'complete') return false;
  const reading = readJson(answer.body);
  return reading.kind === 'json' && isObject(reading.value) && !hasErrorMember(reading.value);
}

/** A stream stopped by one of our limits was answered too. */
function isWholeStream(answer: Answer): boolean {
  const end = streamEnd(answer);
  if (end === 'cut' || end === 'stalled' || end === 'aborted') return false;
  const { chunks, errors } = readChunks(answer);
  return errors.length === 0 && chunks.some(({ choices }) => choices > 0);
}
