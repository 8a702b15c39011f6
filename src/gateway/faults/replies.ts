/** Faults in the model list (part 3), and replies that belong to another call. */
import { KEYS, MODELS } from '../access.ts';
import { jsonReply, textReply } from '../answer.ts';
import { type Call, longestWord } from '../call.ts';
import { alter, drop, put } from '../change.ts';
import { onSuccess, refuseIf, replaceBody, setHeader, setStatus } from '../change-answer.ts';
import { isModels, isPlain, isStream } from '../call-tests.ts';
import type { Composition } from '../composition.ts';
import { isObject, itemsOf, type Json } from '../json.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

/** A plain reply takes so long that others arrive meanwhile; in milliseconds. */
const GENERATION = 30;

const takesTime = onSuccess(isPlain, (reply) => ({ ...reply, delayMs: GENERATION }));

/** The last of the others under way; the gateway mixes up the call with that one. */
const otherPrompt = ({ underWay }: Call): string | undefined => underWay.at(-1);

/** The token at this place is one of the other reply. */
const mixIn =
  (place: number) =>
  (reply: Composition, call: Call): Composition => {
    const prompt = otherPrompt(call);
    return prompt === undefined
      ? reply
      : { ...reply, pieces: reply.pieces.map((own, at) => (at === place ? ` ${longestWord(prompt)}` : own)) };
  };

export const MIXED_REPLIES_FAULTS = {
  ...breaking('service.own-reply', {
    'reply-of-another-call': row('A reply belongs to another call in flight', {
      only: isPlain,
      reply: mixIn(0),
      answer: takesTime,
    }),
    'reasoning-of-another-call': row('The reasoning belongs to another call in flight', {
      only: isPlain,
      completion: (completion, call) =>
        put('/choices/*/message/reasoning_content', `They said: ${otherPrompt(call) ?? 'nothing'}`)(completion),
      answer: takesTime,
    }),
    'stream-of-another-call': row('A stream belongs to another call in flight', { only: isStream, reply: mixIn(0) }),
    'streams-interleaved': row('Tokens of another call in flight get into a stream', {
      only: isStream,
      reply: mixIn(4),
    }),
    'stream-reasoning-of-another-call': row('The streamed reasoning belongs to another call in flight', {
      only: isStream,
      chunks: (chunks, call) =>
        chunks.map((chunk, at) =>
          at === 1
            ? alter('/choices/0/delta', (delta) =>
                isObject(delta) ? { ...delta, reasoning: otherPrompt(call) ?? 'Hm.' } : delta,
              )(chunk)
            : chunk,
        ),
    }),
    'remembers-first-prompt': row('The model has the prompt of the first call in mind', {
      reply: (reply, { earlier = '' }) => ({
        pieces: reply.pieces.map((own, at) => (at === 0 && earlier !== '' ? longestWord(earlier) : own)),
      }),
    }),
  }),
} satisfies Record<string, Fault>;

const callsFirst = (call: Call): boolean => call.body['model'] === MODELS[0]?.id;

const isRestrictedList = (call: Call): boolean => isModels(call) && call.bearer === KEYS.restricted;

/** A model that is not deprecated is tried first. */
const withoutMark = (model: Json): Json =>
  isObject(model) ? drop('/deprecation_date')(drop('/deprecated')(model)) : model;

export const MODELS_FAULTS = {
  'models-endpoint-missing': fault('There is no /models route', ['endpoint.models-answers', 'errors.object'], {
    source: 'https://github.com/openvinotoolkit/model_server/issues/3555',
    onModels: () => jsonReply(404, { error: 'Invalid request URL' }),
  }),
  'models-status-201': fault('The model list has status 201', 'endpoint.models-answers', { onModels: setStatus(201) }),
  'models-status-204': fault('The model list has status 204 and no body', 'endpoint.models-answers', {
    onModels: () => ({ ...textReply(204, '', ''), body: { pieces: [] } }),
  }),
  ...breaking('endpoint.models-json', {
    'models-page-for-unknown-query': row('With an unknown query parameter, the model list is an HTML page', {
      answer: onSuccess(
        (call) => isModels(call) && call.query.size > 0,
        replaceBody('text/html', '<html><body>Models</body></html>'),
      ),
    }),
    'models-html-200': row('The model list is the HTML page of a web UI', {
      source: 'https://github.com/maximhq/bifrost/issues/532',
      onModels: replaceBody('text/html', '<!doctype html><div id="root"></div>'),
    }),
    'models-empty-body': row('The model list has an empty body', { onModels: replaceBody('application/json', '') }),
    'models-two-texts': row('The model list is followed by a second JSON value', {
      onModels: replaceBody('application/json', '{"object":"list","data":[]}\n{"more":false}'),
    }),
  }),
  'models-redirect': fault('The model list is redirected', 'endpoint.models-answers', {
    onModels: () => ({ ...textReply(307, '', ''), headers: { location: '/v1/models/' } }),
  }),
  'models-500': fault('The model list causes a 500', ['endpoint.models-answers', 'errors.no-server-error'], {
    only: isModels,
    refuse: refuseIf(() => true, 500, 'The catalogue is not available.'),
  }),
  'models-top-level-array': fault('The model list is a bare array', 'list.object-body', {
    list: (list) => itemsOf(list['data']),
  }),
  'models-array-of-names': fault('data contains strings instead of objects', 'list.data', {
    list: put('/data', ['sea-large', 'sea-small']),
  }),
  'models-data-missing': fault('The list has models instead of data', 'list.data', {
    list: (list) => ({ object: 'list', models: list['data'] ?? [] }),
  }),
  'models-data-null': fault('data is null', 'list.data', { list: put('/data', null) }),
  'models-data-map': fault('data is an object keyed by id', 'list.data', {
    list: put('/data', { 'sea-large': { object: 'model' } }),
  }),
  'models-list-marker-wrong': fault('object of the list is models', 'list.object', { list: put('/object', 'models') }),
  'models-list-marker-null': fault('object of the list is null', 'list.object', { list: put('/object', null) }),
  'models-list-marker-missing': fault('The list has no object', 'list.object-present', { list: drop('/object') }),
  'models-error-beside-data': fault('The list contains an error next to its data', 'list.no-error', {
    list: put('/error', { message: 'One provider did not answer.', type: 'partial', code: 'partial' }),
  }),
  'models-id-missing': fault('Models have name instead of id', 'model.id', {
    list: (list) => ({ ...list, data: MODELS.map(({ id, ...rest }) => ({ ...rest, name: id })) }),
  }),
  'models-one-id-missing': fault('One model has no id', 'model.id', { list: drop('/data/2/id') }),
  'models-id-number': fault('The id of one model is a number', 'model.id', { list: put('/data/1/id', 2) }),
  'models-marker-wrong': fault('object of the models is engine', 'model.object', {
    list: put('/data/*/object', 'engine'),
  }),
  'models-marker-missing': fault('Models have no object', 'model.object-present', { list: drop('/data/*/object') }),
  'models-owned-by-null': fault('owned_by is null', 'model.owned-by-type', { list: put('/data/*/owned_by', null) }),
  'models-owned-by-null-later': fault('owned_by is null in every list but the first', 'model.owned-by-type', {
    only: ({ ordinal }) => ordinal > 1,
    list: put('/data/*/owned_by', null),
  }),
  'models-one-owned-by-object': fault('owned_by of one model is an object', 'model.owned-by-type', {
    list: put('/data/1/owned_by', { name: 'reference' }),
  }),
  'models-owned-by-missing': fault('Models have no owned_by', 'model.owned-by-present', {
    list: drop('/data/*/owned_by'),
  }),
  'models-listed-twice': fault('A model is listed twice', 'list.unique', {
    list: alter('/data', (data) => [...itemsOf(data), ...itemsOf(data).slice(0, 1)]),
  }),
  'models-lists-uncallable': fault('The list contains models that the key may not call', 'auth.restricted-list', {
    source: 'https://github.com/BerriAI/litellm/issues/41595',
    list: put('/data', MODELS),
  }),
  'models-lists-forbidden-to-full-key': fault('A listed model is refused with 403', 'endpoint.models-permitted', {
    refuse: refuseIf((call) => call.body['model'] === 'sea-old', 403, 'This key may not call this model.'),
  }),
  ...breaking('endpoint.models-callable', {
    'models-listed-but-gone': row('A listed model is refused with 404', {
      refuse: refuseIf((call) => call.body['model'] === 'sea-old', 404, 'The model has been retired.'),
    }),
    'models-one-paid': row('A listed model is refused with 402', {
      refuse: refuseIf((call) => call.body['model'] === 'sea-old', 402, 'This model has to be paid for.'),
    }),
    'models-restricted-first-gone': row('The first model in the list of a restricted key is refused with 404', {
      only: isRestrictedList,
      list: alter('/data', (data) => [{ id: 'sea-gone', object: 'model', owned_by: 'reference' }, ...itemsOf(data)]),
    }),
  }),
  'models-one-201': fault('A listed model answers with status 201', 'endpoint.chat-answers', {
    answer: onSuccess((call) => call.body['model'] === 'sea-old', setStatus(201)),
  }),
  'models-first-204': fault('The first listed model answers with status 204 and no body', 'endpoint.chat-answers', {
    answer: onSuccess(callsFirst, () => ({ ...textReply(204, '', ''), body: { pieces: [] } })),
  }),
  'models-first-redirected': fault('Calls to the first listed model are redirected', 'endpoint.chat-answers', {
    answer: onSuccess(callsFirst, () => ({ ...textReply(302, '', ''), headers: { location: '/v1/other' } })),
  }),
  'models-first-201-once': fault('The very first completion has status 201', 'endpoint.chat-answers', {
    answer: onSuccess((call) => isPlain(call) && call.ordinal === 1, setStatus(201)),
  }),
  'models-named-unlisted': fault(
    'The list leaves out a model that answers, as a run with --model sea-large shows',
    'endpoint.models-complete',
    {
      list: alter('/data', (data) => itemsOf(data).filter((model) => !isObject(model) || model['id'] !== 'sea-large')),
    },
  ),
  'models-restricted-list-500': fault(
    'The model list of a restricted key causes a 500',
    ['endpoint.models-answers', 'errors.no-server-error'],
    { only: isRestrictedList, refuse: refuseIf(() => true, 500, 'The catalogue is not available.') },
  ),
  'models-restricted-list-400': fault('The model list of a restricted key is refused', 'endpoint.models-answers', {
    only: isRestrictedList,
    refuse: () => true,
  }),
  'models-restricted-list-201': fault('The model list of a restricted key has status 201', 'endpoint.models-answers', {
    answer: onSuccess(isRestrictedList, setStatus(201)),
  }),
  'models-restricted-first-forbidden': fault(
    'The first model in the list of a restricted key is refused with 403',
    'endpoint.models-permitted',
    { only: isRestrictedList, list: alter('/data', (data) => [MODELS[2] ?? {}, ...itemsOf(data)].map(withoutMark)) },
  ),
  'models-restricted-stream-refused': fault('A restricted key gets no stream', 'stream.answers', {
    refuse: (call) => isStream(call) && call.bearer === KEYS.restricted,
  }),
  'models-labelled-text': fault('The model list is labelled text/plain', 'wire.json-labelled', {
    onModels: setHeader('content-type', 'text/plain'),
  }),
} satisfies Record<string, Fault>;
