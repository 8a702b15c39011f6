/** Faults in the model list (parts 2, 4, 5.4). */
import { jsonReply, textReply } from '../answer.ts';
import { alter, drop, isModels, onStatus, put, refuseIf, replaceBody } from '../change.ts';
import type { Json } from '../json.ts';
import { MODELS } from '../models.ts';
import type { Fault } from '../modifier.ts';

const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

export const MODELS_FAULTS = {
  'models-endpoint-missing': {
    title: 'There is no /models route',
    source: 'https://github.com/openvinotoolkit/model_server/issues/3555',
    breaks: ['endpoint.models-answers', 'errors.object'],
    only: isModels,
    answer: onStatus(200, () => jsonReply(404, { error: 'Invalid request URL' })),
  },
  'models-status-201': {
    title: 'The model list has status 201',
    breaks: ['endpoint.models-answers'],
    only: isModels,
    answer: onStatus(200, (reply) => ({ ...reply, status: 201 })),
  },
  'models-status-204': {
    title: 'The model list has status 204 and no body',
    breaks: ['endpoint.models-answers'],
    only: isModels,
    answer: onStatus(200, () => ({ ...textReply(204, '', ''), body: { pieces: [] } })),
  },
  'models-page-for-unknown-query': {
    title: 'With an unknown query parameter, the model list is an HTML page',
    breaks: ['endpoint.models-json'],
    only: (call) => isModels(call) && call.query.size > 0,
    answer: onStatus(200, replaceBody('text/html', '<html><body>Models</body></html>')),
  },
  'models-redirect': {
    title: 'The model list is redirected',
    breaks: ['endpoint.models-answers'],
    only: isModels,
    answer: onStatus(200, () => ({ ...textReply(307, '', ''), headers: { location: '/v1/models/' } })),
  },
  'models-500': {
    title: 'The model list causes a 500',
    breaks: ['endpoint.models-answers'],
    only: isModels,
    refuse: refuseIf(() => true, 500, 'The catalogue is not available.'),
  },
  'models-html-200': {
    title: 'The model list is the HTML page of a web UI',
    source: 'https://github.com/maximhq/bifrost/issues/532',
    breaks: ['endpoint.models-json'],
    only: isModels,
    answer: onStatus(200, replaceBody('text/html', '<!doctype html><div id="root"></div>')),
  },
  'models-empty-body': {
    title: 'The model list has an empty body',
    breaks: ['endpoint.models-json'],
    only: isModels,
    answer: onStatus(200, replaceBody('application/json', '')),
  },
  'models-two-texts': {
    title: 'The model list is followed by a second JSON value',
    breaks: ['endpoint.models-json'],
    only: isModels,
    answer: onStatus(200, replaceBody('application/json', '{"object":"list","data":[]}\n{"more":false}')),
  },
  'models-top-level-array': {
    title: 'The model list is a bare array',
    breaks: ['list.object-body'],
    list: (list) => items(list['data']),
  },
  'models-array-of-names': {
    title: 'data contains strings instead of objects',
    breaks: ['list.data'],
    list: put('/data', ['sea-large', 'sea-small']),
  },
  'models-data-missing': {
    title: 'The list has models instead of data',
    breaks: ['list.data'],
    list: (list) => ({ object: 'list', models: list['data'] ?? [] }),
  },
  'models-data-null': {
    title: 'data is null',
    breaks: ['list.data'],
    list: put('/data', null),
  },
  'models-data-map': {
    title: 'data is an object keyed by id',
    breaks: ['list.data'],
    list: put('/data', { 'sea-large': { object: 'model' } }),
  },
  'models-list-marker-wrong': {
    title: 'object of the list is models',
    breaks: ['list.object'],
    list: put('/object', 'models'),
  },
  'models-list-marker-null': {
    title: 'object of the list is null',
    breaks: ['list.object'],
    list: put('/object', null),
  },
  'models-list-marker-missing': {
    title: 'The list has no object',
    breaks: ['list.object-present'],
    list: drop('/object'),
  },
  'models-error-beside-data': {
    title: 'The list contains an error besides its data',
    breaks: ['list.no-error'],
    list: put('/error', { message: 'One provider did not answer.', type: 'partial', code: 'partial' }),
  },
  'models-id-missing': {
    title: 'Models have name instead of id',
    breaks: ['model.id'],
    list: (list) => ({ ...list, data: MODELS.map(({ id, ...rest }) => ({ ...rest, name: id })) }),
  },
  'models-one-id-missing': {
    title: 'One model has no id',
    breaks: ['model.id'],
    list: drop('/data/2/id'),
  },
  'models-id-number': {
    title: 'The id of one model is a number',
    breaks: ['model.id'],
    list: put('/data/1/id', 2),
  },
  'models-marker-wrong': {
    title: 'object of the models is engine',
    breaks: ['model.object'],
    list: put('/data/*/object', 'engine'),
  },
  'models-marker-missing': {
    title: 'Models have no object',
    breaks: ['model.object-present'],
    list: drop('/data/*/object'),
  },
  'models-owned-by-null': {
    title: 'owned_by is null',
    breaks: ['model.owned-by-type'],
    list: put('/data/*/owned_by', null),
  },
  'models-owned-by-null-later': {
    title: 'owned_by is null in every list but the first',
    breaks: ['model.owned-by-type'],
    only: ({ ordinal }) => ordinal > 1,
    list: put('/data/*/owned_by', null),
  },
  'models-one-owned-by-object': {
    title: 'owned_by of one model is an object',
    breaks: ['model.owned-by-type'],
    list: put('/data/1/owned_by', { name: 'reference' }),
  },
  'models-owned-by-missing': {
    title: 'Models have no owned_by',
    breaks: ['model.owned-by-present'],
    list: drop('/data/*/owned_by'),
  },
  'models-listed-twice': {
    title: 'A model is listed twice',
    breaks: ['list.unique'],
    list: alter('/data', (data) => [...items(data), ...items(data).slice(0, 1)]),
  },
  'models-lists-uncallable': {
    title: 'The list contains models that the key may not call',
    source: 'https://github.com/BerriAI/litellm/issues/41595',
    breaks: ['auth.restricted-list'],
    list: put('/data', MODELS),
  },
  'models-lists-forbidden-to-full-key': {
    title: 'A listed model is refused with 403',
    breaks: ['endpoint.models-permitted'],
    refuse: refuseIf((call) => call.body['model'] === 'sea-old', 403, 'This key may not call this model.'),
  },
  'models-listed-but-gone': {
    title: 'A listed model is refused with 404',
    breaks: ['endpoint.models-callable'],
    refuse: refuseIf((call) => call.body['model'] === 'sea-old', 404, 'The model has been retired.'),
  },
  'models-labelled-text': {
    title: 'The model list is labelled text/plain',
    breaks: ['wire.json-labelled'],
    only: isModels,
    answer: onStatus(200, (reply) => ({ ...reply, headers: { 'content-type': 'text/plain' } })),
  },
} satisfies Record<string, Fault>;
