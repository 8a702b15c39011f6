/** Failures that a client has to report, beyond the faults of the reference gateway. */
import { jsonReply, piece, type Piece, piecesOf, type Reply, textReply } from '../answer.ts';
import { cutBody, errorAnswer, isChat, isStream, onSuccess, put, setHeader } from '../change.ts';
import type { Modifier } from '../modifier.ts';

const ERROR = { message: 'The provider went away.', type: 'server_error', code: 'provider_gone' };
const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Milliseconds in which what was sent before a break arrives: a reset may overtake it. */
const BEFORE_BREAK: Piece = { bytes: '', waitMs: 150 };

/** Only the first events of a stream, and then its end. A negative number counts from the end. */
function keepEvents(events: number, ending: Reply['ending']): NonNullable<Modifier['answer']> {
  return onSuccess(isStream, (reply) => {
    const kept = piecesOf(reply).slice(0, events);
    const breaks = ending === 'cut' || ending === 'reset';
    return { ...reply, body: { pieces: breaks ? [...kept, BEFORE_BREAK] : kept }, ending };
  });
}

export const FAILURE_BEHAVIOURS = {
  'retry-after': { title: 'The refusal has Retry-After: 1', answer: setHeader('retry-after', '1') },
  'retry-after-3': { title: 'The refusal has Retry-After: 3', answer: setHeader('retry-after', '3') },
  'error-type-new': {
    title: 'error.type and error.code have unknown values',
    error: (body) => put('/error/type', 'x_type')(put('/error/code', 'x_code')(body)),
  },
  'error-unknown-fields': {
    title: 'The error has unknown fields',
    error: (body) => put('/error/x_new', { list: [1, null] })(put('/x_new', true)(body)),
  },
  'html-502': {
    title: 'A proxy answers with its own page',
    answer: onSuccess(isChat, () => textReply(502, 'text/html', HTML)),
  },
  'html-200': {
    title: 'The status is 200, the body the page of a proxy',
    answer: onSuccess(isChat, () => textReply(200, 'text/html', HTML)),
  },
  'empty-200': {
    title: 'The status is 200, and there is no body',
    answer: onSuccess(isChat, () => textReply(200, 'application/json', '')),
  },
  'empty-500': { title: 'A 500 has no body', answer: onSuccess(isChat, () => textReply(500, '', '')) },
  'empty-429': { title: 'A 429 has no body', answer: onSuccess(isChat, () => textReply(429, '', '')) },
  'empty-503': { title: 'A 503 has no body', answer: onSuccess(isChat, () => textReply(503, '', '')) },
  'error-in-200': {
    title: 'The status is 200, the body an error',
    answer: onSuccess(isChat, () => jsonReply(200, { error: ERROR })),
  },
  'error-beside-choices': {
    title: 'A completion with an error beside empty choices',
    completion: (completion) => ({ ...completion, choices: [], error: ERROR }),
  },
  'body-cut': { title: 'The body breaks off', answer: onSuccess(isChat, cutBody) },
  'hang-up': {
    title: 'The connection closes without an answer',
    only: isChat,
    before: () => ({ kind: 'hang-up', how: 'close' }),
  },
  reset: {
    title: 'The connection is reset without an answer',
    only: isChat,
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  },
  silence: { title: 'No answer comes', only: isChat, before: () => ({ kind: 'silence' }) },
  'stream-cut': { title: 'The connection breaks mid-stream', answer: keepEvents(3, 'cut') },
  'stream-reset': { title: 'The connection is reset mid-stream', answer: keepEvents(3, 'reset') },
  'stream-cut-before-text': { title: 'The connection breaks before the first token', answer: keepEvents(1, 'cut') },
  'stream-ends-before-text': {
    title: 'The stream ends properly before its first token',
    answer: keepEvents(1, 'proper'),
  },
  'stream-cut-before-finish': { title: 'The connection breaks after the last token', answer: keepEvents(-2, 'cut') },
  'stream-ends-early': { title: 'The stream ends properly in the middle of the text', answer: keepEvents(3, 'proper') },
  'stream-ends-before-finish': {
    title: 'The stream ends properly before finish_reason',
    answer: keepEvents(-2, 'proper'),
  },
  'stream-empty': { title: 'The stream has no event at all', events: () => [] },
  'stream-stalls': { title: 'The stream stalls in the middle of the text', answer: keepEvents(3, 'held') },
  'stream-stalls-at-start': { title: 'The stream stalls before its first event', answer: keepEvents(0, 'held') },
  'error-event': {
    title: 'The stream ends with an error after some tokens',
    events: (events) => [
      ...events.slice(0, 3),
      piece(`data: ${JSON.stringify({ error: ERROR })}\n\n`),
      ...events.slice(-1),
    ],
  },
  'error-event-first': {
    title: 'The stream has an error in place of tokens',
    events: (events) => [piece(`data: ${JSON.stringify({ error: ERROR })}\n\n`), ...events.slice(-1)],
  },
  'error-event-last': {
    title: 'The stream ends with an error, without an end marker',
    events: (events) => [...events.slice(0, 3), piece(`data: ${JSON.stringify({ error: ERROR })}\n\n`)],
  },
  'error-event-alone': {
    title: 'The stream has nothing but an error',
    events: () => [piece(`data: ${JSON.stringify({ error: ERROR })}\n\n`)],
  },
  'error-event-named': {
    title: 'The stream ends with an event named error',
    events: (events) => [...events.slice(0, 3), piece(`event: error\ndata: ${JSON.stringify({ error: ERROR })}\n\n`)],
  },
  'error-event-in-chunk': {
    title: 'The stream ends with a chunk that has an error',
    chunks: (chunks) => [...chunks.slice(0, 3), { ...chunks[0], choices: [], error: ERROR }],
  },
  'server-error-once': {
    title: 'The first call gets a 503, later ones an answer',
    only: (call) => isChat(call) && call.ordinal === 1,
    before: () => errorAnswer(503),
  },
  'done-missing': { title: 'The stream ends properly without [DONE]', answer: keepEvents(-1, 'proper') },
  'open-after-done': {
    title: 'The connection stays open after [DONE]',
    answer: keepEvents(Number.MAX_SAFE_INTEGER, 'held'),
  },
} satisfies Record<string, Modifier>;
