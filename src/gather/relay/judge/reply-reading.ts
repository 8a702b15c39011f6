/** What an answer is, at either end: a reply, an error, or neither. */
import { isSizeLimit, lastAnswer } from '../../../exchange/reading/answered.ts';
import { type ChoicePart, endsChoice } from '../../../exchange/reading/choices.ts';
import type { StreamForm } from '../../../exchange/reading/event-stream.ts';
import { type Chunk, chunkValue, readChunks } from '../../../exchange/reading/chunks.ts';
import { streamEnd } from '../../../exchange/reading/stream-end.ts';
import type { Answer, Exchange, Failure } from '../../../exchange/exchange.ts';
import { hasErrorMember, isObject, type Json, memberOf, withoutUndefined } from '../../../json.ts';
import { itemsOf, readBody } from '../../../verdict/reading/answers.ts';
import { messageText } from '../words.ts';

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
  const outcome = exchange.attempts.at(-1)?.outcome;
  if (!answer) {
    const failure = outcome?.kind === 'none' ? outcome.failure : undefined;
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

function readPlain(answer: Answer): ReplyReading {
  const body = readBody(answer);
  if (body.kind === 'cut' || body.kind === 'undecodable') return { ...NOTHING, kind: 'cut', answer };
  if (body.kind === 'aborted' || body.kind === 'limit') return { ...NOTHING, kind: kindOfStop(answer), answer };
  if (body.kind === 'empty') return { ...NOTHING, kind: 'empty', answer };
  if (body.kind !== 'json' || !isObject(body.value)) return { ...NOTHING, kind: 'garbled', answer };
  if (hasErrorMember(body.value)) return { ...NOTHING, kind: 'error', answer, ...errorOf(answer) };
  const choices = itemsOf(memberOf(body.value, 'choices')).filter(isObject);
  const texts = new Map(
    choices.map((choice, position) => {
      const index = memberOf(choice, 'index');
      const content = memberOf(memberOf(choice, 'message'), 'content');
      return [typeof index === 'number' ? index : position, messageText(content)] as const;
    }),
  );
  const finish = memberOf(choices[0], 'finish_reason');
  const usage = memberOf(body.value, 'usage') ?? undefined;
  return {
    kind: choices.length === 0 ? 'empty' : 'reply',
    answer,
    texts,
    hasDone: false,
    arrivals: [],
    ...(typeof finish === 'string' && { finish }),
    ...(usage !== undefined && { usage }),
  };
}

const NOT_STREAMED: readonly StreamForm[] = ['json', 'json-lines', 'text'];

const CHUNK_NAME = /^event: ?chunk\r?$/gm;

/**
 * The upstream gives some chunks a name. Their text is part of the reply at either end, whether the gateway passes the
 * name on or not. A comment of the same length leaves all places as they are.
 */
function withoutChunkNames(answer: Answer): Answer {
  const text = Buffer.from(answer.body.bytes).toString('latin1');
  if (text.search(CHUNK_NAME) === -1) return answer;
  const bytes = Buffer.from(
    text.replaceAll(CHUNK_NAME, (name) => `:${name.slice(1)}`),
    'latin1',
  );
  return { ...answer, body: { ...answer.body, bytes } };
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
  const usage = usageIn(reading.chunks);
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

/** The last one counts. */
function usageIn(chunks: readonly Chunk[]): Json | undefined {
  const chunk = chunks.findLast(({ hasUsage }) => hasUsage);
  return chunk && memberOf(chunkValue(chunk), 'usage');
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
  const hasChoice = readChunks(answer).choices.length > 0;
  if (!hasChoice) return 'empty';
  return end === 'closed' && !hasFinish ? 'closed' : 'reply';
}

/** Why the checker stopped reading: a size limit, or time. */
function kindOfStop({ body: { end } }: Answer): 'waiting' | 'unread' {
  return isSizeLimit(end) ? 'unread' : 'waiting';
}
