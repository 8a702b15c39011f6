/** The request of a client as evidence: bounded, and without the key. */
import type { IncomingMessage } from 'node:http';
import type { Header } from '../exchange/exchange.ts';
import type { Call } from '../gateway/call.ts';
import { rawHeaders, type ReceivedRequest } from '../scripted/received-call.ts';
import type { KeyUse } from '../suite/case.ts';

/** Characters of a body. No client sends as much in answer to a short question. */
const MAX_BODY = 1024 * 1024;

interface Given {
  /** The key that the client was given. */
  readonly key: string;
  readonly clean: (text: string) => string;
}

export function receivedRequest(call: Call, request: IncomingMessage, { key, clean }: Given): ReceivedRequest {
  const { endpoint, streamed, method, text = '', tooLarge } = call;
  const use = keyUseOf(call, key);
  const isTooLarge = tooLarge || text.length > MAX_BODY;
  const path = request.url ?? '/';
  return {
    request: {
      endpoint,
      mode: streamed ? 'stream' : 'plain',
      method,
      path: clean(path.startsWith(BASE_PATH) ? path.slice(BASE_PATH.length) : path),
      headers: headersOf(request, use).map(([name, value]) => [clean(name), clean(value)]),
      ...(text !== '' && !isTooLarge && { body: clean(text) }),
      ...(isTooLarge ? { unread: 'too-large' as const } : call.text === undefined && { unread: 'not-utf8' as const }),
      key: use,
    },
    secretsSeen: [],
  };
}

const BASE_PATH = '/v1';

/** Without the key. Of a credential in a wrong form, the scheme is enough: the rest may be a key. */
function headersOf(request: IncomingMessage, use: KeyUse): readonly Header[] {
  return rawHeaders(request).flatMap(([name, value]): readonly Header[] => {
    if (name.toLowerCase() !== 'authorization') return [[name, value]];
    const [scheme = ''] = value.split(' ');
    return use === 'full' ? [] : [[name, value.includes(' ') ? `${scheme} …` : '…']];
  });
}

/** How the client sent the key that it was given. */
function keyUseOf({ headers, bearer, query }: Call, key: string): KeyUse {
  if (bearer === key) return 'full';
  const { authorization } = headers;
  if (authorization === key) return 'bare';
  if (authorization?.startsWith('Basic ')) return 'basic';
  if (authorization !== undefined) return bearer === undefined ? 'token' : 'unknown';
  if (headers['x-api-key'] !== undefined) return 'x-api-key';
  return [...query.values()].includes(key) ? 'query' : 'none';
}
