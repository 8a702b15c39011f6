/** Composes the answer of the scripted upstream to one call: head, writes and end. */
import { gzipSync } from 'node:zlib';
import type { Break, PlainForm, Reply, Script } from '../script.ts';
import { composeChunks, type Piece } from './compose-chunks.ts';
import { type CallFacts, sendsUsage, textsOf, type Usage, usageOf } from './reply-parts.ts';

export interface Write {
  readonly bytes: Buffer;
  /** Milliseconds to wait before it. */
  readonly pause: number;
  /** How much of the text of the first choice has been written with it; absent if it adds none. */
  readonly textLength?: number;
}

/** `complete`: as HTTP prescribes, whether or not the reply is whole. */
export type AnswerEnd = 'complete' | 'reset' | 'cut' | 'stall';

export interface ComposedAnswer {
  /** Absent if the connection ends before the head. */
  readonly head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
  readonly writes: readonly Write[];
  readonly end: AnswerEnd;
  /** Milliseconds before the head. */
  readonly delay: number;
  /** The text of every choice, as far as it is sent; empty for a failure. */
  readonly texts: readonly string[];
  /** The reply is sent to its end. */
  readonly isWhole: boolean;
  readonly finish?: string;
  readonly usage?: Usage;
  /** The body before it was compressed. */
  readonly unpacked?: Buffer;
}

const HTML = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n';

export function composeAnswer(script: Script, facts: CallFacts): ComposedAnswer {
  const { breaks, status, delay } = script;
  if (breaks?.at === 'arrival') return { writes: [], end: endOf(breaks), delay, texts: [], isWhole: false };
  if (script.body !== 'reply') return { ...composeFailure(script), delay, texts: [], isWhole: false };
  return status === 200 && facts.mode === 'stream' ? composeStream(script, facts) : composePlain(script, facts);
}

export function endOf({ how }: Break): AnswerEnd {
  return how === 'reset' || how === 'cut' || how === 'stall' ? how : 'complete';
}

function composeFailure({ status, headers, body }: Script): Pick<ComposedAnswer, 'head' | 'writes' | 'end'> {
  const types = { error: 'application/json', html: 'text/html', nothing: 'application/json' } as const;
  if (body === 'reply') throw new Error('A reply is not a failure.');
  const text = { error: errorBody(status), html: HTML, nothing: '' }[body];
  const bytes = Buffer.from(text);
  return {
    head: {
      status,
      headers: { 'Content-Type': types[body], 'Content-Length': String(bytes.length), ...headers },
    },
    writes: bytes.length === 0 ? [] : [{ bytes, pause: 0 }],
    end: 'complete',
  };
}

const KINDS: Readonly<Record<number, readonly [type: string, code: string, message: string]>> = {
  200: ['server_error', 'internal_error', 'The model failed while it was answering.'],
  401: ['authentication_error', 'invalid_api_key', 'The key is not valid.'],
  402: ['insufficient_quota', 'payment_required', 'There is no credit left.'],
  403: ['permission_error', 'model_forbidden', 'The key may not call this model.'],
  404: ['invalid_request_error', 'model_not_found', 'There is no such model.'],
  408: ['timeout_error', 'request_timeout', 'The request took too long.'],
  413: ['invalid_request_error', 'request_too_large', 'The request is too large.'],
  429: ['rate_limit_error', 'rate_limit_exceeded', 'Too many requests.'],
  500: ['server_error', 'internal_error', 'The model failed.'],
  503: ['server_error', 'overloaded', 'The model is overloaded.'],
};

/** A proper error body, also for the error event in mid-stream. */
export function errorBody(status: number): string {
  const [type, code, message] = KINDS[status] ?? KINDS[500]!;
  return JSON.stringify({ error: { message, type, code, param: null } });
}

function composePlain(script: Script, facts: CallFacts): ComposedAnswer {
  const { reply, plain, breaks, headers, delay } = script;
  const texts = textsOf(reply, facts.mark);
  const isPacked = plain.gzip && facts.acceptsGzip;
  const json = writeJson(completionOf(reply, facts, texts), plain);
  const bytes = isPacked ? gzipSync(json) : Buffer.from(json);
  const writes = cutBytes(bytes, plain.cut);
  const usage = usageOf(reply);
  const whole: ComposedAnswer = {
    head: {
      status: script.status,
      headers: {
        'Content-Type': 'application/json',
        ...(plain.cut === 0 && { 'Content-Length': String(bytes.length) }),
        ...(isPacked && { 'Content-Encoding': 'gzip' }),
        ...headers,
      },
    },
    writes,
    end: 'complete',
    delay,
    texts,
    isWhole: true,
    ...(isPacked && { unpacked: Buffer.from(json) }),
    ...(!reply.bare && { finish: reply.finish }),
    ...(usage && !reply.bare && { usage }),
  };
  if (!breaks) return whole;
  const { finish: _finish, usage: _usage, ...begun } = whole;
  const half = breaks.at === 'head' ? [] : [{ bytes: bytes.subarray(0, Math.floor(bytes.length / 2)), pause: 0 }];
  // A plain body that stops early is cut off, even if the connection ends in good order.
  const end = breaks.how === 'reset' || breaks.how === 'stall' ? breaks.how : 'cut';
  return { ...begun, writes: half, end, texts: [], isWhole: false };
}

function completionOf(reply: Reply, { model }: CallFacts, texts: readonly string[]): object {
  const { bare, unknownFields, nullFields, reasoning } = reply;
  const usage = usageOf(reply);
  const unknown = unknownFields && { x_unknown: { a: [1, null, 'x'] } };
  return {
    ...(!bare && { id: 'chatcmpl-upstream', object: 'chat.completion', created: Math.floor(Date.now() / 1000), model }),
    ...(nullFields && { system_fingerprint: null, service_tier: null }),
    ...unknown,
    choices: texts.map((content, index) => ({
      ...(!bare && { index }),
      message: {
        role: 'assistant',
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        content,
        ...(nullFields && { refusal: null, annotations: null }),
        ...unknown,
      },
      ...(nullFields && { logprobs: null }),
      ...unknown,
      ...(!bare && { finish_reason: reply.finish }),
    })),
    ...(!bare && usage && { usage: { ...usage, ...unknown } }),
  };
}

function writeJson(value: object, { spaced, escaped }: PlainForm): string {
  const text = spaced ? `\n\n  ${JSON.stringify(value, undefined, 3)}\n\n` : JSON.stringify(value);
  return escaped ? escapeText(text) : text;
}

function escapeText(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e\n]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function composeStream(script: Script, facts: CallFacts): ComposedAnswer {
  const { reply, events, breaks, headers, delay } = script;
  const texts = textsOf(reply, facts.mark);
  const composed = composeChunks(script, facts, texts);
  const sent = breaks ? breakOff(composed, breaks) : composed;
  const isWhole = breaks === undefined;
  const usage = sendsUsage(events, facts) ? usageOf(reply) : undefined;
  const shown = sent.at(-1)?.sofar ?? 0;
  return {
    head: { status: 200, headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...headers } },
    writes: writeEvents(sent, events.cut),
    end: breaks ? endOf(breaks) : 'complete',
    delay,
    texts: isWhole ? texts : [texts[0]?.slice(0, shown) ?? ''],
    isWhole,
    ...(isWhole && events.finish !== 'absent' && { finish: reply.finish }),
    ...(isWhole && usage && { usage }),
  };
}

/** Everything up to the place of the break, and the error event if that is how it breaks. */
function breakOff(events: readonly Piece[], { how, at }: Break): readonly Piece[] {
  const texts = events.filter(({ isText }) => isText).length;
  const wanted = at === 'text' ? Math.max(1, Math.floor(texts / 2)) : 0;
  let seen = 0;
  let kept = 0;
  for (const [index, event] of events.entries()) {
    if (at === 'head' || (event.isText && seen === wanted) || event.isEnding) break;
    if (event.isText) seen++;
    kept = index + 1;
  }
  const begun = events.slice(0, kept);
  const sofar = begun.at(-1)?.sofar ?? 0;
  const error = errorBody(200);
  // The pause lets what was sent before the break arrive.
  const last = (text: string): Piece => ({ text, pause: BREAK_PAUSE, isText: false, isEnding: true, sofar });
  if (how === 'error-event') return [...begun, last(`data: ${error}\n\n`)];
  if (how === 'named-error-event') return [...begun, last(`event: error\ndata: ${error}\n\n`)];
  return begun.length === 0 ? begun : [...begun, last('')];
}

const BREAK_PAUSE = 150;

function writeEvents(events: readonly Piece[], cut: number): readonly Write[] {
  if (cut < 0) {
    const bytes = Buffer.from(events.map(({ text }) => text).join(''));
    return [{ bytes, pause: 0, textLength: events.at(-1)?.sofar ?? 0 }];
  }
  return events.flatMap(({ text, pause, isText, sofar }) => {
    const parts = cutBytes(Buffer.from(text), cut);
    return parts.map((part, index) => ({
      bytes: part.bytes,
      pause: index === 0 ? pause : part.pause,
      ...(isText && index === parts.length - 1 && { textLength: sofar }),
    }));
  });
}

/** Milliseconds that keep the network from joining two parts again. */
const CUT_PAUSE = 25;
const CR = 0x0d;
const LF = 0x0a;

/**
 * At least one part, so that a pause without bytes is kept. A cut within a character, between CR and LF or in the middle
 * of the bytes is followed by a pause, so that the gateway really reads the parts one by one.
 */
function cutBytes(bytes: Buffer, size: number): readonly Write[] {
  if (size <= 0 || bytes.length <= size) return [{ bytes, pause: 0 }];
  const middle = Math.ceil(bytes.length / 2 / size);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
    const at = index * size;
    const isHard = isWithinCharacter(bytes, at) || (bytes[at - 1] === CR && bytes[at] === LF) || index === middle;
    return { bytes: bytes.subarray(at, at + size), pause: index > 0 && isHard ? CUT_PAUSE : 0 };
  });
}

/** A byte that continues a character of UTF-8. */
function isWithinCharacter(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}
