/** Clients that do not report failures. */
import { type FaultyClient, faultyClient } from '../client-modifier.ts';

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
    {
      failure: ({ kind, said }, { mode }) => (mode === 'stream' && kind === 'connection' ? said : undefined),
    },
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
