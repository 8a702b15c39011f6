/** A stream that nothing is wrong with, to be bent by one thing at a time, and the clauses that a stream breaks. */
import { loadContract } from '../../src/contract/read-contract.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';
import { itemsOf } from '../../src/verdict/reading/answers.ts';
import { ANSWERED_CONTROL, checkInput, type RunParts, type StreamParts, streamExchange } from './exchanges.ts';
import type { CheckResult } from '../../src/verdict/verdict.ts';
import type { Check } from '../../src/verdict/check.ts';
import { CHUNK_CHECKS } from '../../src/verdict/checks/streams/chunks.ts';
import { STREAM_END_CHECKS } from '../../src/verdict/checks/streams/endings.ts';
import { STREAM_FRAMING_CHECKS } from '../../src/verdict/checks/streams/framing.ts';
import { SEEN_STREAM_CHECKS } from '../../src/verdict/checks/streams/observed-streams.ts';
import { STREAM_REPLY_CHECKS } from '../../src/verdict/checks/streams/stream-replies.ts';
import { STREAM_TEXT_CHECKS } from '../../src/verdict/checks/streams/text.ts';

export const STREAM_CHECKS = {
  ...STREAM_REPLY_CHECKS,
  ...STREAM_FRAMING_CHECKS,
  ...CHUNK_CHECKS,
  ...STREAM_TEXT_CHECKS,
  ...STREAM_END_CHECKS,
  ...SEEN_STREAM_CHECKS,
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof STREAM_CHECKS;

/** Every clause that is judged, and the check that judges it. */
export const JUDGED: Readonly<Record<string, CheckName>> = {
  'stream.event-stream': 'event-stream',
  'stream.has-choices': 'stream-has-choices',
  'stream.completes': 'stream-completes',
  'stream.carries-text': 'stream-carries-text',
  'stream.labelled': 'stream-labelled',
  'stream.data-json': 'stream-data-json',
  'stream.data-not-empty': 'stream-data-not-empty',
  'stream.event-names': 'stream-event-names',
  'stream.block-data': 'stream-block-data',
  'stream.comment-after-id': 'stream-comment-after-id',
  'stream.line-ends': 'stream-line-ends',
  'stream.byte-order-mark': 'stream-byte-order-mark',
  'stream.field-names': 'stream-field-names',
  'stream.utf-8': 'stream-utf-8',
  'stream.done-spacing': 'stream-done-spacing',
  'stream.ends-in-order': 'stream-ends-in-order',
  'stream.whole-characters': 'stream-whole-characters',
  'stream.one-data-line': 'stream-one-data-line',
  'stream.chunk-object': 'stream-chunk',
  'stream.chunk-id': 'stream-chunk',
  'stream.chunk-model': 'stream-chunk',
  'stream.chunk-choices': 'stream-chunk',
  'stream.choice-index': 'stream-chunk',
  'stream.choice-delta': 'stream-chunk',
  'stream.delta-content': 'stream-chunk',
  'stream.id-constant': 'stream-id-constant',
  'stream.role-first': 'stream-role-first',
  'stream.increments': 'stream-increments',
  'stream.no-replacement-character': 'stream-no-replacement-character',
  'stream.finish-once': 'stream-finish-once',
  'stream.nothing-after-finish': 'stream-nothing-after-finish',
  'stream.done': 'stream-done',
  'stream.closes': 'stream-closes',
  'stream.finishes': 'stream-finishes',
  'stream.no-choice-error': 'stream-no-choice-error',
  'stream.no-error': 'stream-no-error',
  'stream.in-pieces': 'stream-in-pieces',
};

export interface ChunkParts {
  readonly delta?: JsonObject;
  readonly finish?: Json;
  /** Members of the choice, and of the chunk, beside or in place of the usual ones. */
  readonly choice?: JsonObject;
  readonly chunk?: JsonObject;
}

export function chunk({ delta = {}, finish = null, choice = {}, chunk: more = {} }: ChunkParts = {}): JsonObject {
  return {
    id: 'chatcmpl-7',
    object: 'chat.completion.chunk',
    created: 1_735_689_600,
    model: 'alpha',
    choices: [{ index: 0, delta, finish_reason: finish, ...choice }],
    ...more,
  };
}

export const ROLE = chunk({ delta: { role: 'assistant', content: '' } });
export const STOP = chunk({ finish: 'stop' });
export const DONE = '[DONE]';

export function say(...words: readonly string[]): readonly JsonObject[] {
  return words.map((content) => chunk({ delta: { content } }));
}

const GOOD_CHUNKS: readonly JsonObject[] = [ROLE, ...say('Hello', ' there', '.'), STOP];
export const GOOD: readonly Json[] = [...GOOD_CHUNKS, DONE];

/** The good stream with each of its chunks changed, given its place. */
export function each(change: (chunk: JsonObject, place: number) => Json): readonly Json[] {
  return [...GOOD_CHUNKS.map(change), DONE];
}

/** The same for the only choice of each chunk. */
export function eachChoice(change: (choice: JsonObject, place: number) => Json): readonly Json[] {
  return each((chunk, place) => ({
    ...chunk,
    choices: itemsOf(chunk['choices']).map((choice) => (isObject(choice) ? change(choice, place) : choice)),
  }));
}

/** Events as they stand in a body. */
export function wire(events: readonly Json[]): string {
  return events.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('');
}

/** The object without one of its members. */
export function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}

export function judge(clause: string, streams: Exchange | readonly Exchange[], run: RunParts = {}): CheckResult {
  const check = JUDGED[clause];
  if (!check) throw new Error(`No check judges ${clause}.`);
  return STREAM_CHECKS[check].execute(
    checkInput(streams, {
      clause,
      options: clause === 'stream.choice-index' ? { numbering: true } : {},
      run: { contract: loadContract(), refusalTimes: [5], exchanges: [ANSWERED_CONTROL], ...run },
    }),
  );
}

/** What every check says of one stream, by clause. */
export function results(parts: StreamParts): Readonly<Record<string, CheckResult>> {
  const stream = streamExchange({ step: 'chat-stream', ...parts });
  return Object.fromEntries(Object.keys(JUDGED).map((clause) => [clause, judge(clause, stream)]));
}

/** Sorted by name. */
export function clausesThat(kind: CheckResult['kind'], stream: StreamParts): readonly string[] {
  const matching = Object.entries(results(stream)).filter(([, result]) => result.kind === kind);
  return matching.map(([clause]) => clause.replace(/^stream\./, '')).toSorted();
}
