/** Faults in how requests are refused that are larger than the gateway takes. */
import { errorBody, jsonReply, piece, streamReply, textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import { errorAnswer, isChat, isStream } from '../change.ts';
import { type Fault, fault } from '../modifier.ts';
import { promptOf } from '../prompts.ts';
import { refusal } from '../refusals.ts';

const MiB = 1024 * 1024;
const NGINX_413 = '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>';
const TOO_LONG = refusal('invented', 400, 'context_length_exceeded', 'The prompt exceeds the context.');

const isLarger =
  (bytes: number) =>
  (call: Call): boolean =>
    isChat(call) && (call.text?.length ?? 0) > bytes;

/** Words. More than any prompt has that does not test the context. */
const CONTEXT = 5_000;

const exceedsContext = (call: Call): boolean => promptOf(call.body).split(' ').length > CONTEXT;

export const SIZE_FAULTS = {
  'error-large-body-html': fault('A proxy refuses a body of more than 1 MiB with a web page', 'errors.json', {
    source: 'https://github.com/alexazhou/gt_ai_gateway/issues/18',
    only: isLarger(MiB),
    before: () => textReply(413, 'text/html', NGINX_413),
  }),
  'error-larger-body-html': fault('A proxy refuses a body of more than 3 MiB with a web page', 'errors.json', {
    only: isLarger(3 * MiB),
    before: () => textReply(413, 'text/html', NGINX_413),
  }),
  'error-large-body-500': fault('A body of more than 1 MiB causes a 500', 'errors.no-server-error', {
    only: isLarger(MiB),
    before: () => errorAnswer(500),
  }),
  'error-large-body-200': fault('A body of more than 1 MiB is refused with status 200', 'limits.large-body', {
    only: isLarger(MiB),
    before: () => jsonReply(200, errorBody(refusal('invented', 413, 'request_too_large', 'The body is too large.'))),
  }),
  'error-context-500': fault('A prompt over the context causes a 500', 'errors.no-server-error', {
    source: 'https://github.com/ollama/ollama/issues/2208',
    only: exceedsContext,
    before: () => errorAnswer(500),
  }),
  'error-context-text': fault('A prompt over the context is refused in plain text', 'errors.json', {
    only: exceedsContext,
    before: () => textReply(400, 'text/plain', TOO_LONG.message),
  }),
  'error-context-200-stream': fault(
    'A prompt over the context is refused inside a stream with status 200',
    'errors.refusal-in-form',
    {
      source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2322',
      only: (call) => isStream(call) && exceedsContext(call),
      before: () => streamReply([piece(`data: ${JSON.stringify(errorBody(TOO_LONG))}\n\n`)]),
    },
  ),
} satisfies Record<string, Fault>;
