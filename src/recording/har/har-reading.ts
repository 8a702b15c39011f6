/** One entry of a HAR that somebody else wrote: whatever is in it, this is total. */
import { isObject, type JsonObject } from '../../json.ts';
import type { Header } from '../../exchange/exchange.ts';

export type EntryReading =
  | { readonly kind: 'call'; readonly call: HarCall }
  /** Not one of the two endpoints. */
  | { readonly kind: 'other' }
  /** One of the two endpoints, but something is not there without which nothing can be judged. */
  | { readonly kind: 'unusable'; readonly baseUrl: string; readonly why: Unusable };

export const UNUSABLE = {
  'no-answer': 'without an answer',
  'no-request-body': 'without the body of the request',
  'no-answer-body': 'without the body of the answer',
} as const;
export type Unusable = keyof typeof UNUSABLE;

export interface HarCall {
  readonly baseUrl: string;
  readonly endpoint: 'models' | 'chat';
  readonly isStream: boolean;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body?: string;
  /** False where the file says that more or other bytes were sent. */
  readonly isBodyWhole: boolean;
  readonly status: number;
  readonly httpVersion: string;
  readonly answerHeaders: readonly Header[];
  readonly answerBody: Uint8Array;
  /** False where the file says that the body was longer. */
  readonly isWhole: boolean;
  /** Milliseconds since 1970; from the request to the headers, and to the end. */
  readonly startedAt: number;
  readonly headersAt: number;
  readonly endAt: number;
}

const ENDPOINTS = [
  { method: 'GET', path: '/models', endpoint: 'models' },
  { method: 'POST', path: '/chat/completions', endpoint: 'chat' },
] as const;

export function readEntry(value: unknown): EntryReading {
  const entry = objectOf(value);
  const request = objectOf(entry['request']);
  const response = objectOf(entry['response']);
  const url = urlOf(request['url']);
  const method = textOf(request['method'])?.toUpperCase() ?? '';
  const known = url && ENDPOINTS.find((one) => one.method === method && url.pathname.endsWith(one.path));
  if (!url || !known) return { kind: 'other' };
  const baseUrl = url.origin + url.pathname.slice(0, -known.path.length);
  const unusable = (why: Unusable): EntryReading => ({ kind: 'unusable', baseUrl, why });
  const status = numberOf(response['status']);
  if (status < 100) return unusable('no-answer');
  const body = requestBody(objectOf(request['postData']));
  if (known.endpoint === 'chat' && body === undefined) return unusable('no-request-body');
  const content = objectOf(response['content']);
  const answerHeaders = headersOf(response['headers']);
  const isStream = asksForStream(body);
  const bytes = answerBody(content, { status, isStream, headers: answerHeaders });
  if (!bytes) return unusable('no-answer-body');
  const headers = headersOf(request['headers']);
  const time = Math.max(0, numberOf(entry['time']));
  return {
    kind: 'call',
    call: {
      baseUrl,
      endpoint: known.endpoint,
      isStream,
      method,
      path: known.path + url.search,
      headers,
      isBodyWhole: isWhole(body ?? '', headers, numberOf(request['bodySize'])),
      ...(body !== undefined && { body }),
      status,
      httpVersion: versionOf(textOf(response['httpVersion'])),
      answerHeaders: withType(answerHeaders, textOf(content['mimeType'])),
      answerBody: bytes,
      isWhole: bytes.length >= numberOf(content['size']),
      startedAt: Date.parse(textOf(entry['startedDateTime']) ?? '') || 0,
      headersAt: Math.min(time, waitOf(objectOf(entry['timings']))),
      endAt: time,
    },
  };
}

export type Credentials = Pick<HarCall, 'headers' | 'answerHeaders' | 'path' | 'status'>;

/** Where an entry may hold credentials, whichever API it is of: an answer of ours may repeat them. */
export function credentialsIn(value: unknown): Credentials {
  const { request, response } = objectOf(value);
  return {
    headers: headersOf(objectOf(request)['headers']),
    answerHeaders: headersOf(objectOf(response)['headers']),
    path: urlOf(objectOf(request)['url'])?.search ?? '',
    status: numberOf(objectOf(response)['status']),
  };
}

function urlOf(value: unknown): URL | undefined {
  const text = textOf(value) ?? '';
  return URL.canParse(text) ? new URL(text) : undefined;
}

function requestBody(postData: JsonObject): string | undefined {
  const text = textOf(postData['text']);
  return text !== undefined && postData['encoding'] === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

/** A packed body is not kept as it was sent, and some tools keep only the beginning of a long one. */
function isWhole(body: string, headers: readonly Header[], size: number): boolean {
  const told = headers.find(([name]) => name === 'content-length')?.[1] ?? '';
  const sent = Math.max(size, Number.parseInt(told, 10) || 0);
  return sent <= Buffer.byteLength(body) && !headers.some(([name]) => name === 'content-encoding');
}

interface AnswerFacts {
  readonly status: number;
  readonly isStream: boolean;
  readonly headers: readonly Header[];
}

/** None where it was not kept: browsers write the same for that as for a body that is empty, unless something shows that it is. */
function answerBody(content: JsonObject, answer: AnswerFacts): Uint8Array | undefined {
  const text = textOf(content['text']);
  if (text === undefined || text === '') return isEmpty(content, answer) ? new Uint8Array() : undefined;
  return content['encoding'] === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
}

/** RFC 9110, 15.3.5 and 15.4.5: these have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

function isEmpty({ text, size, mimeType }: JsonObject, { status, isStream, headers }: AnswerFacts): boolean {
  if (WITHOUT_BODY.has(status)) return true;
  const header = (name: string): string | undefined => headers.find(([known]) => known === name)?.[1];
  const length = header('content-length');
  if (length !== undefined) return Number(length) === 0 && numberOf(size) <= 0;
  const isEvents = /^text\/event-stream/i.test(header('content-type') ?? textOf(mimeType) ?? '');
  // Chrome keeps nothing of an event stream, and writes it as empty.
  return text === '' && numberOf(size) <= 0 && !isStream && !isEvents;
}

function asksForStream(body: string | undefined): boolean {
  try {
    return objectOf(JSON.parse(body ?? 'null'))['stream'] === true;
  } catch {
    return false;
  }
}

function headersOf(value: unknown): readonly Header[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): Header[] => {
    const [name, text] = [textOf(objectOf(one)['name']), textOf(objectOf(one)['value'])];
    // Browsers list what HTTP/2 has in place of the request line and the status line among the headers.
    return name === undefined || text === undefined || name.startsWith(':') ? [] : [[name.toLowerCase(), text]];
  });
}

/** Where headers were left out of the file, the type of the content says as much. */
function withType(headers: readonly Header[], mimeType: string | undefined): readonly Header[] {
  const isThere = headers.some(([name]) => name === 'content-type');
  return isThere || headers.length > 0 || !mimeType?.includes('/') ? headers : [['content-type', mimeType]];
}

/** `HTTP/1.1`, `http/2.0`, `h2`, `h3`. */
function versionOf(text: string | undefined): string {
  return /(\d(?:\.\d)?)\s*$/.exec(text ?? '')?.[1] ?? 'unknown';
}

/** What comes before the answer; what does not apply is -1. */
function waitOf(timings: JsonObject): number {
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait'].map((name) => Math.max(0, numberOf(timings[name])));
  return parts.reduce((sum, part) => sum + part, 0);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
