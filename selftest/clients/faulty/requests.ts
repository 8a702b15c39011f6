/** Clients that send what the contract does not allow. */
import { type ClientModifier, type FaultyClient, faultyClient } from '../client-modifier.ts';

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
