/**
 * Exports a recording as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), for browsers and proxies. Every
 * attempt is an entry of its own.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { packageVersion } from '../../contract/package-files.ts';
import { type Answer, type Attempt, type Exchange, type Header, findHeader } from '../../exchange/exchange.ts';
import { readExchanges, type RecordedRun, type RecordingStart } from '../recording.ts';
import { LEFT_EARLY } from './har-reading.ts';

/** An unknown size or time, as HAR defines it. */
const UNKNOWN = -1;

export async function exportHar(recorded: RecordedRun) {
  const exchanges = await readExchanges(recorded);
  const entries = exchanges.flatMap((exchange) =>
    exchange.attempts.map((attempt, place) => entryOf(exchange, attempt, place, recorded.start)),
  );
  return {
    log: {
      version: '1.2',
      creator: { name: 'wirecheck', version: packageVersion() },
      pages: [],
      // "Sorting entries by startedDateTime (starting from the oldest) is preferred."
      entries: entries.toSorted((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1)),
      comment: `A run of wirecheck against ${recorded.start.settings.baseUrl}. Secrets are redacted.`,
    },
  };
}

/** `place`: of the attempt in its exchange. */
function entryOf({ id, request }: Exchange, { sentAt, outcome }: Attempt, place: number, start: RecordingStart) {
  const { method, path, headers, body } = request;
  const url = `${start.settings.baseUrl}${path}`;
  const answer = outcome.kind === 'answer' ? outcome.answer : undefined;
  const httpVersion = `HTTP/${answer?.httpVersion ?? '1.1'}`;
  const wait = answer?.headersAt ?? 0;
  const receive = answer ? Math.max(0, answer.endAt - answer.headersAt) : 0;
  return {
    startedDateTime: new Date(start.startedAt + sentAt).toISOString(),
    time: wait + receive,
    request: {
      method,
      url,
      httpVersion,
      cookies: [],
      headers: toPairs(headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(body !== undefined && {
        postData: { mimeType: findHeader(headers, 'content-type') ?? '', text: body, params: [] },
      }),
      headersSize: UNKNOWN,
      bodySize: Buffer.byteLength(body ?? ''),
    },
    response: responseOf(answer, answer ? httpVersion : ''),
    cache: {},
    timings: { blocked: UNKNOWN, dns: UNKNOWN, connect: UNKNOWN, ssl: UNKNOWN, send: 0, wait, receive },
    comment: commentOf(id, place, outcome),
  };
}

/** Without an answer, as browsers write it. */
function responseOf(answer: Answer | undefined, httpVersion: string) {
  const { status = 0, headers = [], body } = answer ?? {};
  const bytes = Buffer.from(body?.bytes ?? []);
  const isText = isUtf8(bytes);
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion,
    cookies: [],
    headers: toPairs(headers),
    content: {
      size: bytes.length,
      mimeType: findHeader(headers, 'content-type') ?? (answer ? '' : 'x-unknown'),
      text: bytes.toString(isText ? 'utf8' : 'base64'),
      ...(!isText && { encoding: 'base64' as const }),
    },
    redirectURL: findHeader(headers, 'location') ?? '',
    headersSize: UNKNOWN,
    // The size on the wire, where the body may have been compressed.
    bodySize: UNKNOWN,
    ...(body?.end.kind === 'aborted' && { _error: LEFT_EARLY }),
  };
}

function commentOf(id: string, place: number, outcome: Attempt['outcome']): string {
  const attempt = place === 0 ? id : `${id}, attempt ${place + 1}`;
  if (outcome.kind === 'answer') return attempt;
  return `${attempt}: no answer (${outcome.failure.kind}, ${outcome.failure.code})`;
}

function toPairs(headers: readonly Header[]) {
  return headers.map(([name, value]) => ({ name, value }));
}
