/** Reads what was gathered at both ends: each call of the client with the upstream calls that it led to, and what each answer is. */
import { isSizeLimit, lastAnswer, lastFailure } from '../../../exchange/reading/answered.ts';
import { type ChoicePart, endsChoice, joinParts } from '../../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../../exchange/reading/chunks.ts';
import { type StreamForm, streamEnd } from '../../../exchange/reading/event-stream.ts';
import { isDeeperThan } from '../../../exchange/reading/json-text.ts';
import type { Answer, Exchange, Failure } from '../../../exchange/exchange.ts';
import {
  hasErrorMember,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
  withoutUndefined,
} from '../../../json.ts';
import { itemsOf, readBody } from '../../../verdict/reading/answers.ts';
import { firstDifference } from '../../../verdict/reading/forwarded.ts';
import { findWords, textsOf } from '../words.ts';

export interface UpstreamCall {
  readonly exchange: Exchange;
  /** What it was answered. */
  readonly reading: ReplyReading;
  /** What it asked. */
  readonly body: Json | undefined;
  /** The words in its reply, which no other reply has. */
  readonly marks: ReadonlySet<string>;
  /** Milliseconds since the run began, as all times here. */
  readonly arrivedAt: number;
  /** Absent if it was still open when the run ended. */
  readonly endedAt?: number;
  /** The gateway closed the connection before the answer was over. */
  readonly wasLeft: boolean;
}

/** One call of the client, and the upstream calls that it led to. */
export interface Asked {
  readonly front: Exchange;
  readonly reading: ReplyReading;
  readonly sentAt: number;
  /** When the answer ended, or the client stopped waiting for it. */
  readonly endedAt: number;
  /** The upstream calls in the order of arrival. */
  readonly calls: readonly UpstreamCall[];
}

/** JSON that is nested deeper is not parsed. */
const MAX_DEPTH = 200;

export function readUpstreamCall(exchange: Exchange): UpstreamCall {
  const { request, attempts } = exchange;
  const { body: text = '' } = request;
  // Its own indexes are what they say.
  const reading = readReply(exchange, true);
  const { sentAt: arrivedAt = 0, outcome } = attempts[0] ?? {};
  const lasted = durationOf(exchange);
  const end = outcome?.kind === 'answer' ? outcome.answer.body.end : undefined;
  const why = outcome?.kind === 'none' ? outcome.failure.code : end?.kind === 'aborted' ? end.why : '';
  return {
    exchange,
    reading,
    body: isDeeperThan(text, MAX_DEPTH) ? undefined : parseJson(text),
    marks: new Set([...reading.texts.values()].flatMap(findWords)),
    arrivedAt,
    ...(why !== 'open' && lasted !== undefined && { endedAt: arrivedAt + lasted }),
    wasLeft: why === 'left',
  };
}

export function readAsked(front: Exchange, calls: readonly UpstreamCall[]): Asked {
  const sentAt = front.attempts[0]?.sentAt ?? 0;
  const hasChoices = calls.some(({ reading }) => reading.texts.size > 1);
  return { front, reading: readReply(front, hasChoices), sentAt, endedAt: sentAt + (durationOf(front) ?? 0), calls };
}

/** Milliseconds; undefined if nobody knows. */
function durationOf({ attempts }: Exchange): number | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'answer' ? outcome.answer.endAt : outcome?.failure.at;
}

/** The upstream sent a whole reply. */
export function isWhole({ reading }: UpstreamCall): boolean {
  return reading.kind === 'reply';
}

/** The upstream call that gave this very reply, alone or as a continuation of what an earlier one had sent. */
export function sourceOf(asked: Asked): UpstreamCall | undefined {
  const { calls, reading } = asked;
  const text = reading.texts.get(0);
  const own = calls.findLast((call) => isWhole(call) && call.reading.texts.get(0) === text);
  const join = own || isJoined(asked) ? undefined : joinOf(asked);
  return join && isWhole(join.call) && join.head + join.call.reading.texts.get(0) === text ? join.call : own;
}

/** The first words of a text, which no other part of the scripted texts has. */
const FIRST_WORDS = 6;

/** Of two upstreams: where the text that one sent goes on with the text of another call. */
export function joinOf({ calls, reading }: Asked) {
  const text = reading.texts.get(0) ?? '';
  if (calls.length < 2 || !calls.every(({ exchange }) => exchange.upstream)) return undefined;
  const length = Math.max(...calls.map((call) => firstDifference(call.reading.texts.get(0) ?? '', text)));
  const [head, rest] = [text.slice(0, length), text.slice(length)];
  if (head === '' || rest === '') return undefined;
  const call = calls.find((each) => each.reading.texts.get(0)?.startsWith(rest.slice(0, FIRST_WORDS)));
  return call && { head, call };
}

/** The later call knew nothing of the text that was already sent. */
export function isJoined(asked: Asked): boolean {
  const join = joinOf(asked);
  return join !== undefined && !carries(join.call, join.head);
}

/** The call was told of text that the client already had, to go on from there. */
export function carries({ body }: UpstreamCall, text: string): boolean {
  return text !== '' && textsOf(body).some((each) => each.includes(text));
}

/** The call that a reply is compared with, even if its text was altered. */
export function comparedCall(asked: Asked): UpstreamCall | undefined {
  return sourceOf(asked) ?? asked.calls.findLast(isWhole);
}

/** Token counts that the upstream sent. */
export function usageSent({ reading: { usage } }: UpstreamCall): JsonObject | undefined {
  return isObject(usage) ? usage : undefined;
}

// What an answer is, at either end: a reply, an error, or neither.

/**
 * `reply`: a completion that looks whole; `error`: an error status, or an error in a 200; `cut`: the connection broke;
 * `closed`: a stream closed properly, without finish_reason and end marker; `empty`: a 200 without any choice; `garbled`: a 200 that is neither a
 * completion nor an error, or another status; `waiting`: still no end when the checker stopped waiting;
 * `unread`: larger than a limit of the checker.
 */
export type ReplyKind = 'reply' | 'error' | 'cut' | 'closed' | 'empty' | 'garbled' | 'waiting' | 'unread';

export interface ReplyReading {
  readonly kind: ReplyKind;
  /** Absent without an answer. */
  readonly answer?: Answer;
  readonly failure?: Failure;
  /** The text as far as it arrived, by the index of the choice. */
  readonly texts: ReadonlyMap<number, string>;
  /** The finish_reason of the first choice. */
  readonly finish?: string;
  readonly hasDone: boolean;
  readonly usage?: Json;
  /** The error object of an error. */
  readonly error?: Json;
  /** Arrivals of text of the first choice: time since the request, and the length so far. */
  readonly arrivals: readonly { readonly at: number; readonly length: number }[];
}

/** Stock clients take the text for the reply. Most of them also do if the stream just closes. */
export function looksWhole({ kind }: ReplyReading): boolean {
  return kind === 'reply' || kind === 'closed';
}

const NOTHING = { texts: new Map<number, string>(), hasDone: false, arrivals: [] } as const;

/** `hasChoices`: the upstream sent several choices, so that an index in a stream is what it says. */
export function readReply(exchange: Exchange, hasChoices = false): ReplyReading {
  const answer = lastAnswer(exchange);
  if (!answer) {
    const failure = lastFailure(exchange);
    const isWaiting = failure?.kind === 'aborted' || failure?.kind === 'timeout';
    return { ...NOTHING, kind: isWaiting ? 'waiting' : 'cut', ...(failure && { failure }) };
  }
  if (answer.status >= 400) return { ...NOTHING, kind: 'error', answer, ...errorOf(answer) };
  if (answer.status !== 200) return { ...NOTHING, kind: 'garbled', answer };
  return exchange.request.mode === 'stream' ? readStream(answer, hasChoices) : readPlain(answer);
}

function errorOf(answer: Answer): Pick<ReplyReading, 'error'> {
  const body = readBody(answer);
  const error = body.kind === 'json' ? memberOf(body.value, 'error') : undefined;
  return error === undefined ? {} : { error };
}

const UNREADABLE: Partial<Record<string, ReplyKind>> = { cut: 'cut', undecodable: 'cut', empty: 'empty' };

function readPlain(answer: Answer): ReplyReading {
  const body = readBody(answer);
  if (body.kind === 'aborted' || body.kind === 'limit') return { ...NOTHING, kind: kindOfStop(answer), answer };
  if (body.kind !== 'json') return { ...NOTHING, kind: UNREADABLE[body.kind] ?? 'garbled', answer };
  if (!isObject(body.value)) return { ...NOTHING, kind: 'garbled', answer };
  if (hasErrorMember(body.value)) return { ...NOTHING, kind: 'error', answer, ...errorOf(answer) };
  const choices = itemsOf(memberOf(body.value, 'choices')).filter(isObject);
  const texts = new Map(
    choices.map((choice, position) => {
      const index = memberOf(choice, 'index');
      const content = memberOf(memberOf(choice, 'message'), 'content');
      return [typeof index === 'number' ? index : position, joinParts(content)] as const;
    }),
  );
  const finish = memberOf(choices[0], 'finish_reason');
  const usage = memberOf(body.value, 'usage') ?? undefined;
  const kind = choices.length === 0 ? 'empty' : 'reply';
  const beside = withoutUndefined({ finish: typeof finish === 'string' ? finish : undefined, usage });
  return { ...NOTHING, kind, answer, texts, ...beside };
}

const NOT_STREAMED: readonly StreamForm[] = ['json', 'json-lines', 'text'];

const CHUNK_NAME = /^event: ?chunk\r?$/gm;

/**
 * The upstream gives some chunks a name. Their text is part of the reply at either end, whether the gateway passes the
 * name on or not. A comment of the same length leaves all places as they are.
 */
function withoutChunkNames(answer: Answer): Answer {
  const text = Buffer.from(answer.body.bytes).toString('latin1');
  const unnamed = text.replaceAll(CHUNK_NAME, (name) => `:${name.slice(1)}`);
  if (unnamed === text) return answer;
  return { ...answer, body: { ...answer.body, bytes: Buffer.from(unnamed, 'latin1') } };
}

function readStream(received: Answer, hasChoices: boolean): ReplyReading {
  const answer = withoutChunkNames(received);
  const reading = readChunks(answer);
  if (NOT_STREAMED.includes(reading.form)) {
    const plain = readPlain(answer);
    // A plain reply in place of a stream is not what the client can read.
    return plain.kind === 'reply' ? { ...NOTHING, kind: 'garbled', answer } : plain;
  }
  const merged = new Map(reading.choices.map(({ index, text }) => [index, text.map((piece) => piece.text).join('')]));
  const texts = hasChoices ? textsByIndex(reading.choices.flatMap(({ parts }) => parts)) : merged;
  const first = reading.choices.find(({ index }) => index === 0) ?? reading.choices[0];
  const finish = first?.parts.find(endsChoice)?.finish?.text;
  // The last one counts.
  const counted = reading.chunks.findLast(({ hasUsage }) => hasUsage);
  const usage = counted && memberOf(chunkValue(counted), 'usage');
  const failed = reading.errors[0] && chunkValue(reading.errors[0]);
  // An event named error has it as its data.
  const error = memberOf(failed, 'error') ?? failed;
  let length = 0;
  return {
    kind: kindOfStream(answer, reading.errors.length > 0, finish !== undefined),
    answer,
    texts,
    hasDone: reading.done !== undefined,
    arrivals: (first?.text ?? []).map(({ at, text }) => ({ at, length: (length += text.length) })),
    ...withoutUndefined({ finish, usage, error }),
  };
}

/** A gateway may drop the end of a choice that nobody asked for, which would otherwise be taken for a wrong index. */
function textsByIndex(parts: readonly ChoicePart[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { index, position, text } of parts) {
    const at = index ?? position;
    texts.set(at, (texts.get(at) ?? '') + text);
  }
  return texts;
}

function kindOfStream(answer: Answer, hasError: boolean, hasFinish: boolean): ReplyKind {
  if (hasError) return 'error';
  const end = streamEnd(answer);
  if (end === 'cut') return 'cut';
  if (end === 'stalled' || end === 'aborted' || end === 'limit') return hasFinish ? 'reply' : kindOfStop(answer);
  if (readChunks(answer).choices.length === 0) return 'empty';
  return end === 'closed' && !hasFinish ? 'closed' : 'reply';
}

/** Why the checker stopped reading: a size limit, or time. */
function kindOfStop({ body: { end } }: Answer): 'waiting' | 'unread' {
  return isSizeLimit(end) ? 'unread' : 'waiting';
}
