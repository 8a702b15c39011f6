/** The request of a gateway to its upstream as evidence, without its credential. */
import type { IncomingMessage } from 'node:http';
import type { Header } from '../../exchange/exchange.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import type { Call } from '../../gateway/call.ts';
import type { ReceivedRequest } from '../../scripted/received-call.ts';

export function receiveCall(
  { endpoint, streamed, method, text }: Call,
  request: IncomingMessage,
  vault: Vault,
): ReceivedRequest {
  const { path, headers, body, secretsSeen, hasCredential } = vault.receive({
    path: request.url ?? '',
    headers: rawHeaders(request),
    body: Buffer.from(text ?? ''),
  });
  return {
    request: {
      endpoint,
      mode: streamed ? 'stream' : 'plain',
      method,
      path,
      headers,
      body,
      key: hasCredential ? 'full' : 'none',
    },
    secretsSeen,
  };
}

export function rawHeaders({ rawHeaders: raw }: IncomingMessage): readonly Header[] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
