/** What the answers to some requests show: their shapes, their times, and how their streams end. */
import type { ObservedAnswer, ObservedExchange, StreamTimes } from './observed-exchange.ts';
import { addToShapes, MAX_EXCHANGES, mergeShapes, type ObservedShapes } from './shapes.ts';

/** Values in milliseconds. */
export interface ObservedTimes {
  readonly values: number[];
  /** Of the first values, in the same order. */
  readonly exchanges: string[];
}

export interface Observations {
  readonly shapes: ObservedShapes;
  /** By what was measured. */
  readonly times: Map<string, ObservedTimes>;
  /** By exchange. */
  readonly streamTimes: Map<string, StreamTimes>;
  /** Streams with [DONE], and without. */
  readonly streams: { readonly done: string[]; readonly withoutMarker: string[] };
}

/** The time of refusals of chat requests. */
export const REFUSAL = 'refusal';
export const MODEL_LIST = 'model list';

export function noObservations(): Observations {
  return { shapes: new Map(), times: new Map(), streamTimes: new Map(), streams: { done: [], withoutMarker: [] } };
}

export function addObservation(known: Observations, exchange: ObservedExchange, answer: ObservedAnswer): void {
  const { id, endpoint, mode } = exchange;
  const { status, endAt, stream } = answer;
  addToShapes(known.shapes, exchange);
  if (mode === 'stream' && status === 200 && stream && stream.events.length > 0)
    (stream.isDone ? known.streams.done : known.streams.withoutMarker).push(id);
  if (endpoint === 'other') return;
  if (mode === 'stream' && status === 200) {
    if (stream) known.streamTimes.set(id, stream.times);
  } else if (status === 200) addTime(known, endpoint === 'models' ? MODEL_LIST : 'reply', endAt, id);
  else if (status >= 400 && status < 500 && endpoint === 'chat') addTime(known, REFUSAL, endAt, id);
}

function addTime({ times }: Observations, measure: string, milliseconds: number, id: string): void {
  const known = times.get(measure) ?? { values: [], exchanges: [] };
  times.set(measure, known);
  known.values.push(milliseconds);
  if (known.exchanges.length < MAX_EXCHANGES) known.exchanges.push(id);
}

export function mergeObservations(parts: readonly Observations[]): Observations {
  const whole = noObservations();
  for (const { shapes, times, streamTimes, streams } of parts) {
    mergeShapes(whole.shapes, shapes);
    for (const [measure, { values, exchanges }] of times) {
      const known = whole.times.get(measure) ?? { values: [], exchanges: [] };
      whole.times.set(measure, {
        values: [...known.values, ...values],
        exchanges: [...known.exchanges, ...exchanges].slice(0, MAX_EXCHANGES),
      });
    }
    for (const [id, each] of streamTimes) whole.streamTimes.set(id, each);
    whole.streams.done.push(...streams.done);
    whole.streams.withoutMarker.push(...streams.withoutMarker);
  }
  return whole;
}
