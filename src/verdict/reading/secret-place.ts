/** Where in an answer a secret was. By now it is overwritten, and the longest row of asterisks is its trace. */
import type { Answer, Attempt, SecretSeen } from '../../exchange/exchange.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { quoteHeaderName } from '../../exchange/reading/standard-headers.ts';
import { isObject, type Json, pointerOf } from '../../json.ts';
import type { Actual } from '../actual.ts';
import { jsonOf } from './answers.ts';

/** Characters. No shorter part of a secret is overwritten. */
const SHORTEST = 8;

interface Trace {
  readonly length: number;
  readonly tokens: readonly (string | number)[];
}

export function secretFound({ role, form, place }: SecretSeen, { outcome }: Attempt): Actual {
  const seen = { kind: 'secret', role, form, place } as const;
  if (outcome.kind === 'none' || place === 'status') return seen;
  const { answer } = outcome;
  if (place === 'header') {
    const [name] = answer.headers.toSorted(([, left], [, right]) => countStars(right) - countStars(left))[0] ?? [];
    return name === undefined ? seen : { ...seen, header: quoteHeaderName(name) };
  }
  const trace = traceIn(answer);
  return trace ? { ...seen, pointer: pointerOf(trace.tokens) } : seen;
}

function traceIn(answer: Answer): Trace | undefined {
  const json = jsonOf(answer);
  if (json !== undefined) return longestIn(json, []);
  const events = readChunks(answer).events.filter(({ data }) => countStars(data) >= SHORTEST);
  return longest(events.map((event) => longestIn(chunkValue(event), [event.index])));
}

/** The depth of an answer is limited where it is parsed. */
function longestIn(value: Json | undefined, tokens: Trace['tokens']): Trace | undefined {
  if (typeof value === 'string') {
    const length = countStars(value);
    return length < SHORTEST ? undefined : { length, tokens };
  }
  if (Array.isArray(value)) return longest(value.map((item: Json, index) => longestIn(item, [...tokens, index])));
  if (!isObject(value)) return undefined;
  return longest(Object.entries(value).map(([name, member]) => longestIn(member, [...tokens, name])));
}

function longest(traces: readonly (Trace | undefined)[]): Trace | undefined {
  return traces.reduce((best, next) => (next && next.length > (best?.length ?? 0) ? next : best), undefined);
}

function countStars(text: string): number {
  return Math.max(0, ...(text.match(/\*+/g) ?? []).map(({ length }) => length));
}
