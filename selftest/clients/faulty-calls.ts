/** Clients that make wrong calls, or that hide failures. */
import { type ClientModifier, type FaultyClient, faultyClient } from './client-modifier.ts';

/** A client's requests show in every scenario, so a few are enough. */
const FEW = [
  'client/plain',
  'client/plain-unknown-*',
  'client/stream',
  'client/stream-c*',
  'client/models*',
  'client/*-401',
  'client/request-*',
];

function badRequests(title: string, breaks: string, hooks: Pick<ClientModifier, 'headers' | 'body'>): FaultyClient {
  return faultyClient(title, breaks, { only: FEW, ...hooks });
}

export const REQUEST_CLIENTS = {
  'client-no-bearer': badRequests('The client sends no key', 'bearer', {
    headers: ({ authorization: _key, ...others }) => others,
  }),
  'client-no-bearer-for-list': badRequests('The client asks for the list of models without a key', 'bearer', {
    headers: ({ authorization: key = '', ...others }, { mode }) =>
      mode === 'models' ? others : { ...others, authorization: key },
  }),
  'client-bare-key': badRequests('The client sends its key without Bearer', 'bearer', {
    headers: (usual, { apiKey }) => ({ ...usual, authorization: apiKey }),
  }),
  'client-key-in-other-header': badRequests('The client sends its key as x-api-key', 'bearer', {
    headers: ({ authorization: _key, ...others }, { apiKey }) => ({ ...others, 'x-api-key': apiKey }),
  }),
  'client-text-content-type': badRequests('The client labels its requests text/plain', 'content-type', {
    headers: (usual) => ({ ...usual, 'content-type': 'text/plain;charset=UTF-8' }),
  }),
  'client-no-content-type': badRequests('The client does not label its requests', 'content-type', {
    headers: ({ 'content-type': _type, ...others }) => others,
  }),
  'client-form-body': badRequests('Plain requests are a form', 'json-body', {
    body: (usual, { mode, model, prompt }) =>
      mode === 'plain' ? new URLSearchParams({ model, prompt }).toString() : usual,
  }),
  'client-array-body': badRequests('Plain requests are an array', 'json-body', {
    body: (usual, { mode }) => (mode === 'plain' ? [usual] : usual),
  }),
  'client-no-messages': badRequests('The client sends a prompt in place of messages', 'request-fields', {
    body: (usual, { prompt }) => ({ ...usual, messages: undefined, prompt }),
  }),
  'client-no-model': badRequests('The client names no model', 'request-fields', {
    body: (usual) => ({ ...usual, model: undefined }),
  }),
  'client-temperature-as-text': badRequests('temperature is a string', 'request-fields', {
    body: (usual) => ({ ...usual, temperature: '0.7' }),
  }),
  'client-max-tokens-zero': badRequests('max_tokens is 0', 'request-limits', {
    body: (usual) => ({ ...usual, max_tokens: 0 }),
  }),
  'client-temperature-too-high': badRequests('temperature is 2.5', 'request-limits', {
    body: (usual) => ({ ...usual, temperature: 2.5 }),
  }),
  'client-top-p-negative': badRequests('top_p is below 0 in streamed calls', 'request-limits', {
    body: (usual, { mode }) => (mode === 'stream' ? { ...usual, top_p: -0.1 } : usual),
  }),
} satisfies Record<string, FaultyClient>;

const APOLOGY = 'Sorry, I have no answer.';
const NEVER = new Promise<string>(() => {});

export const FAILURE_CLIENTS = {
  'client-ignores-failures': faultyClient(
    'The client apologizes in place of every failure',
    [
      'errors-known',
      'server-error-known',
      'error-in-success-known',
      'broken-body-known',
      'broken-stream-known',
      'stall-known',
    ],
    { failure: () => APOLOGY },
  ),
  'client-swallows-429': faultyClient('A 429 is an empty reply', 'errors-known', {
    failure: ({ status }) => (status === 429 ? '' : undefined),
  }),
  'client-swallows-402': faultyClient('A 402 is an empty reply', 'errors-known', {
    failure: ({ status }) => (status === 402 ? '' : undefined),
  }),
  'client-list-401-empty': faultyClient('A 401 is an empty list of models', 'errors-known', {
    failure: ({ status }, { mode }) => (status === 401 && mode === 'models' ? '' : undefined),
  }),
  'client-error-body-as-text': faultyClient('The body of a refusal is the reply', 'errors-known', {
    failure: ({ kind, status = 0, message }) => (kind === 'status' && status < 500 ? message : undefined),
  }),
  'client-hangs-on-401': faultyClient('The client never returns from a 401', 'errors-known', {
    only: ['client/plain', 'client/plain-4*', 'client/plain-5*'],
    failure: ({ status }) => (status === 401 ? NEVER : undefined),
  }),
  'client-exits-well-on-errors': faultyClient('The process exits with 0 after a refusal', 'errors-known', {
    isProcess: true,
    only: ['client/plain', 'client/plain-401', 'client/plain-500', 'client/stream-crlf', 'client/request-*'],
    failure: ({ status = 0 }) => (status === 401 ? '' : undefined),
  }),
  'client-swallows-500': faultyClient('A server error is an empty reply', 'server-error-known', {
    failure: ({ status = 0 }) => (status >= 500 ? '' : undefined),
  }),
  'client-ignores-error-in-200': faultyClient('An error with status 200 is a reply', 'error-in-success-known', {
    failure: ({ kind, message }) => (kind === 'error-body' ? message : undefined),
  }),
  'client-cut-body-empty': faultyClient('A plain answer that breaks off is an empty reply', 'broken-body-known', {
    failure: ({ kind }, { mode }) => (kind === 'connection' && mode !== 'stream' ? '' : undefined),
  }),
  'client-torn-stream-is-whole': faultyClient(
    'The text of a stream that broke off or ended early is the reply',
    ['broken-stream-known', 'error-in-success-known'],
    {
      failure: ({ kind, said }, { mode }) =>
        mode === 'stream' && (kind === 'connection' || kind === 'early-end') ? said : undefined,
    },
  ),
  'client-cut-stream-is-whole': faultyClient(
    'The text of a stream that broke off is the reply',
    'broken-stream-known',
    { failure: ({ kind, said }, { mode }) => (mode === 'stream' && kind === 'connection' ? said : undefined) },
  ),
  'client-error-event-as-text': faultyClient('An error in a stream is part of the text', 'broken-stream-known', {
    failure: ({ kind, said, message }) => (kind === 'error-event' ? said + message : undefined),
  }),
  'client-error-event-ends-stream': faultyClient('An error in a stream ends the text', 'broken-stream-known', {
    failure: ({ kind, said }) => (kind === 'error-event' ? said : undefined),
  }),
  'client-timeout-is-an-end': faultyClient('The client returns what it has when the time is up', 'stall-known', {
    failure: ({ kind, said }) => (kind === 'timeout' ? said : undefined),
  }),
} satisfies Record<string, FaultyClient>;
