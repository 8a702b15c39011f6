/** The request of a gateway to its upstream as evidence, without its credential. */
import type { IncomingMessage } from 'node:http';
import type { Vault } from '../../exchange/secrets/vault.ts';
import type { Call } from '../../gateway/call.ts';
import { rawHeaders, type ReceivedRequest } from '../../scripted/received-call.ts';

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
