/** All clients that the self-test tries, with those that behave unusually and keep the contract. */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { type ClientModifier, type FaultyClient, oddClient } from './client-modifier.ts';
import { READING_CLIENTS, VALUE_CLIENTS } from './faulty-answers.ts';
import { FAILURE_CLIENTS, REQUEST_CLIENTS } from './faulty-calls.ts';

const FEW = [
  'client/plain',
  'client/plain-unicode',
  'client/plain-special-characters',
  'client/stream-crlf',
  'client/models-unusual-ids',
  'client/plain-401',
  'client/stream-cut',
  'client/request-*',
];

/** Clients in which a checker must find nothing broken. */
export const RIGHT_CLIENTS: Readonly<Record<string, ClientModifier>> = {
  'client-careful': oddClient('The client does everything as it should', {}),
  'client-retries-once': oddClient('Every failed call is made once more', { attempts: 2 }),
  'client-retries-for-ever': oddClient('The client retries a permanent failure for ever', {
    only: ['client/plain', 'client/plain-401', 'client/plain-500', 'client/stream', 'client/stream-500'],
    attempts: Number.POSITIVE_INFINITY,
    retryPause: 100,
  }),
  'client-extra-fields': oddClient('Requests have fields beyond the contract', {
    body: (usual) => ({ ...usual, n: 1, user: 'me', metadata: { trace: [1, null] }, stream_options: undefined }),
  }),
  'client-values-at-limits': oddClient('Parameters are at their limits', {
    body: (usual) => ({ ...usual, max_tokens: 1, temperature: 2, top_p: 0 }),
  }),
  'client-reads-slowly': oddClient('The client pauses between reads', { bytes: readSlowly }),
  'client-line-end-after-text': oddClient('The text of the reply gets a line end', { text: (text) => `${text}\n` }),
  'client-keeps-alive': oddClient('Connections are used again', { keepsAlive: true }),
  'client-many-headers': oddClient('Requests have many more headers', {
    headers: (usual) => ({
      ...usual,
      'user-agent': 'odd/1.0 (none)',
      'openai-organization': 'org-1',
      'x-stainless-lang': 'js',
      accept: 'text/event-stream, application/json;q=0.9, */*;q=0.1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    }),
  }),
  'client-label-with-charset': oddClient('The label of requests has a charset', {
    headers: (usual) =>
      'content-type' in usual ? { ...usual, 'content-type': 'Application/JSON; charset=utf-8' } : usual,
  }),
  'client-lists-first': oddClient('The client asks for the list of models before every call', { listsFirst: true }),
  'client-waits-for-close': oddClient('The client reads on after [DONE]', { waitsForClose: true }),
  'client-without-timeout': oddClient('The client waits as long as the connection is open', { hasTimeout: false }),
  'client-unpacks': oddClient('The client accepts gzip and unpacks it', {
    headers: (usual) => ({ ...usual, 'accept-encoding': 'gzip' }),
    bytes: (bytes, { headers }) =>
      headers['content-encoding'] === 'gzip' ? Readable.from(bytes).pipe(createGunzip()) : bytes,
  }),
  'client-list-in-other-order': oddClient('The list of models is sorted', { list: (ids) => ids.toSorted() }),
  'client-plain-calls-only': oddClient('The client makes plain calls only', { modes: ['plain'] }),
  'client-one-after-another': oddClient('The driver makes one call after another', { isSequential: true }),
  'client-chatty': oddClient('The driver prints other lines', { isChatty: true }),
  'client-process': oddClient('The client is a process per call', { isProcess: true, only: FEW }),
};

async function* readSlowly(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pauses = 0;
  for await (const part of bytes) {
    if (pauses++ < 5) await pause(5);
    yield part;
  }
}

/** Clients that break the contract, which a checker has to find. */
export const FAULTY_CLIENTS: Readonly<Record<string, FaultyClient>> = {
  ...REQUEST_CLIENTS,
  ...VALUE_CLIENTS,
  ...READING_CLIENTS,
  ...FAILURE_CLIENTS,
};

export function findClient(name: string): ClientModifier {
  const found = FAULTY_CLIENTS[name] ?? RIGHT_CLIENTS[name];
  if (found === undefined) throw new Error(`No client is named ${name}.`);
  return found;
}
