/** One call of the relay at its upstream. */
import { type IncomingMessage, request as send } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { JsonMap } from './relay-modifier.ts';

export interface UpstreamAnswer {
  readonly response: IncomingMessage;
  /** Decompressed. Ends with an error if the answer is cut off. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonMap;
  readonly signal: AbortSignal;
  readonly unpacks: boolean;
  /** Milliseconds of silence. */
  readonly timeout: number;
}

/** Rejects if there is no answer. */
export function callUpstream(request: UpstreamRequest): Promise<UpstreamAnswer> {
  const { url, headers, body, signal, unpacks, timeout } = request;
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const call = send(
      `${url}/chat/completions`,
      { method: 'POST', headers: { ...headers, 'Content-Length': String(Buffer.byteLength(text)) }, signal },
      (response) => {
        const isPacked = unpacks && response.headers['content-encoding'] === 'gzip';
        resolve({ response, bytes: isPacked ? response.pipe(createGunzip()) : response });
      },
    );
    call.on('error', reject);
    call.setTimeout(timeout, () => call.destroy(new Error('The upstream is silent.')));
    call.end(text);
  });
}

export async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}
