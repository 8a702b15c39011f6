/** Reads an entry of a HAR file. Never throws, whatever the entry contains. */

import { type Answer, type BodyEnd, findHeader, type Header, type SentRequest } from '../../exchange/exchange.ts';
import type { Unusable } from '../../exchange/notice.ts';
import { isObject, type JsonObject, memberOf, parseJson } from '../../json.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { usageError } from '../../usage-error.ts';
import { isBeyondLimits } from '../line-limits.ts';
import { readBytes } from '../read-lines.ts';

type EntryReading =
  | HarCall
  /** Not a request to one of the two endpoints. */
  | { readonly kind: 'other' }
  /** One of the two endpoints, but too much is missing to judge it. */
  | { readonly kind: 'unusable'; readonly baseUrl: string; readonly why: Unusable };

/** An exchange with one of the two endpoints as the file has it, secrets included. */
export interface HarCall {
  readonly kind: 'call';
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly request: Omit<SentRequest, 'key'>;
  /** False if the file says that more or other bytes were sent. */
  readonly isBodyWhole: boolean;
  readonly answer: Answer;
}

/** The text that Chromium writes for a response that its client stopped reading. */
export const LEFT_EARLY = 'net::ERR_ABORTED';

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
  const known =
    url && ENDPOINTS.find((candidate) => candidate.method === method && url.pathname.endsWith(candidate.path));
  if (!url || !known) return { kind: 'other' };
  const baseUrl = url.origin + url.pathname.slice(0, -known.path.length);
  const unusable = (why: Unusable): EntryReading => ({ kind: 'unusable', baseUrl, why });
  const status = numberOf(response['status']);
  if (status < 100) return unusable('no-answer');
  const body = requestBody(objectOf(request['postData']));
  if (known.endpoint === 'chat' && body === undefined) return unusable('no-request-body');
  const content = objectOf(response['content']);
  const answerHeaders = headersOf(response['headers']);
  const isStream = memberOf(parseJson(body), 'stream') === true;
  const bytes = answerBody(content, { status, isStream, headers: answerHeaders });
  if (!bytes) return unusable('no-answer-body');
  const headers = headersOf(request['headers']);
  const time = Math.max(0, numberOf(entry['time']));
  return {
    kind: 'call',
    baseUrl,
    startedAt: Date.parse(textOf(entry['startedDateTime']) ?? '') || 0,
    request: {
      endpoint: known.endpoint,
      mode: isStream ? 'stream' : 'plain',
      method,
      path: known.path + url.search,
      headers,
      ...(body !== undefined && { body }),
    },
    isBodyWhole: isWhole(body ?? '', headers, numberOf(request['bodySize'])),
    answer: {
      status,
      httpVersion: versionOf(textOf(response['httpVersion'])),
      headers: addContentType(answerHeaders, textOf(content['mimeType'])),
      interim: 0,
      body: {
        bytes,
        reads: [{ at: time, bytes: bytes.length }],
        end: endOf(bytes, response, isStream),
        maxDepth: DEFAULT_SETTINGS.limits.depth,
      },
      headersAt: Math.min(time, waitOf(objectOf(entry['timings']))),
      endAt: time,
      lateness: 0,
    },
  };
}

/** Some tools count other bytes than they store. A body that parses is complete. */
function endOf(bytes: Uint8Array, { _error: error, content }: JsonObject, isStream: boolean): BodyEnd {
  if (error === LEFT_EARLY && isStream) return { kind: 'aborted', why: 'client-left' };
  if (bytes.length >= numberOf(objectOf(content)['size'])) return { kind: 'complete' };
  const text = Buffer.from(bytes).toString('utf8');
  const isComplete = isStream ? /^data: ?\[DONE\]/m.test(text) : parseJson(text) !== undefined;
  return isComplete ? { kind: 'complete' } : { kind: 'aborted', why: 'the file has only a part of the body' };
}

export type Credentials = ReturnType<typeof credentialsIn>;

/** The parts that may hold credentials, for an entry of any API, since another answer may repeat them. */
export function credentialsIn(value: unknown) {
  const { request, response } = objectOf(value);
  return {
    headers: headersOf(objectOf(request)['headers']),
    answerHeaders: headersOf(objectOf(response)['headers']),
    /** The query of the request, without its path. */
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

/** A compressed body is not stored as it was sent, and some tools store only the start of a long one. */
function isWhole(body: string, headers: readonly Header[], size: number): boolean {
  const length = findHeader(headers, 'content-length') ?? '';
  const sent = Math.max(size, Number.parseInt(length, 10) || 0);
  return sent <= Buffer.byteLength(body) && !headers.some(([name]) => name === 'content-encoding');
}

type AnswerFacts = Pick<Answer, 'status' | 'headers'> & { readonly isStream: boolean };

/** Undefined if it was not stored. Browsers write that like an empty body, so an empty one needs proof. */
function answerBody(content: JsonObject, answer: AnswerFacts): Uint8Array | undefined {
  const text = textOf(content['text']);
  if (text === undefined || text === '') return isEmpty(content, answer) ? new Uint8Array() : undefined;
  return content['encoding'] === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
}

/** Statuses without a body (RFC 9110, 15.3.5 and 15.4.5). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

function isEmpty({ text, size, mimeType }: JsonObject, { status, isStream, headers }: AnswerFacts): boolean {
  if (WITHOUT_BODY.has(status)) return true;
  const length = findHeader(headers, 'content-length');
  if (length !== undefined) return Number(length) === 0 && numberOf(size) <= 0;
  const isEvents = /^text\/event-stream/i.test(findHeader(headers, 'content-type') ?? textOf(mimeType) ?? '');
  // Chrome does not store event streams, and writes them as empty.
  return text === '' && numberOf(size) <= 0 && !isStream && !isEvents;
}

function headersOf(value: unknown): readonly Header[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((pair: unknown): Header[] => {
    const [name, text] = [textOf(objectOf(pair)['name']), textOf(objectOf(pair)['value'])];
    // Browsers list the pseudo-headers of HTTP/2 among the headers.
    return name === undefined || text === undefined || name.startsWith(':') ? [] : [[name.toLowerCase(), text]];
  });
}

/** If the file has no headers, the content type comes from the content. */
function addContentType(headers: readonly Header[], mimeType: string | undefined): readonly Header[] {
  const hasType = headers.some(([name]) => name === 'content-type');
  return hasType || headers.length > 0 || !mimeType?.includes('/') ? headers : [['content-type', mimeType]];
}

/** `HTTP/1.1`, `http/2.0`, `h2`, `h3`. */
function versionOf(text: string | undefined): string {
  return /(\d(?:\.\d)?)\s*$/.exec(text ?? '')?.[1] ?? 'unknown';
}

/** The phases before the answer. One that does not apply is -1. */
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

/** Bytes, unpacked: the file is read whole, and takes several times as much memory. */
const MAX_SIZE = 256 * 1024 ** 2;
/** Some 20,000 entries of a browser. Empty lists fill the memory from a file of that size. */
const MAX_VALUES = 4_000_000;

/** The entries of a HAR file, unvalidated. `shown` is the path as the user wrote it. */
export async function readEntries(path: string, shown: string): Promise<readonly unknown[]> {
  const refuse = (message: string) => usageError.FILE_INVALID(`${shown} ${message}`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of readBytes(path, () => undefined)) {
    size += bytes.length;
    if (size > MAX_SIZE) throw refuse('has more than 256 MiB. Remove entries that have nothing to do with this API.');
    parts.push(bytes);
  }
  const text = new TextDecoder().decode(Buffer.concat(parts));
  if (isBeyondLimits(text, MAX_VALUES)) throw refuse('has too many values, or is nested too deeply. Remove entries.');
  const log = memberOf(parseJson(text), 'log');
  const version = textOf(memberOf(log, 'version')) ?? '';
  if (!/^(?:1(?:\.|$)|$)/.test(version))
    throw refuse(`has version ${JSON.stringify(version)} of the HAR format. Export it as version 1.2.`);
  const entries = memberOf(log, 'entries');
  if (Array.isArray(entries)) return entries;
  throw refuse('is not a complete HAR file: it is cut off, or log.entries is missing. Export it again.');
}
