import { expect, it } from 'vitest';
import {
  CLAUSES,
  type Changes,
  described,
  judge,
  post,
  POST,
  GET,
  SCHEMAS,
  REQUEST,
  FIELDS,
  ANSWER,
} from '../../../test/kit/descriptions.ts';

/** A message of each role, as descriptions of larger interfaces have them. */
const ROLES = ['system', 'user', 'assistant', 'tool'].map((role) => ({
  type: 'object',
  required: role === 'tool' ? ['role', 'content', 'tool_call_id'] : ['role', 'content'],
  properties: {
    role: { type: 'string', enum: [role] },
    content: { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] },
  },
}));

const LEGAL: readonly (readonly [what: string, changes: Changes])[] = [
  [
    'the version segment in the paths',
    { '/paths/~1v1~1chat~1completions': { post }, '/paths/~1chat~1completions': undefined },
  ],
  [
    'a prefix in the paths, and other paths that end alike',
    {
      '/paths/~1gateway~1v1~1chat~1completions': { post },
      '/paths/~1chat~1completions': undefined,
      '/paths/~1admin~1models': { get: { operationId: 'listAll', security: [] } },
    },
  ],
  ['further endpoints', { '/paths/~1embeddings': { post: { operationId: 'createEmbedding' } } }],
  ['further request fields', { [`${FIELDS}/tools`]: { type: 'array' }, [`${FIELDS}/n`]: { type: 'integer' } }],
  [
    'further answer fields, required there',
    {
      [`${ANSWER}/system_fingerprint`]: { type: 'string', nullable: true },
      [`${SCHEMAS}/ChatCompletionResponse/required`]: ['id', 'system_fingerprint'],
    },
  ],
  ['fewer answer fields', { [`${ANSWER}/usage`]: undefined, [`${ANSWER}/created`]: undefined }],
  ['fewer request fields', { [`${FIELDS}/top_p`]: undefined }],
  ['a further role', { [`${SCHEMAS}/Message/properties/role/enum`]: ['system', 'user', 'assistant', 'tool'] }],
  ['wider ranges', { [`${FIELDS}/temperature/maximum`]: 5, [`${FIELDS}/max_tokens/minimum`]: 0 }],
  ['integers above 0', { [`${FIELDS}/max_tokens/minimum`]: 0, [`${FIELDS}/max_tokens/exclusiveMinimum`]: true }],
  [
    'limits of length and number, which part 8 leaves open',
    {
      [`${FIELDS}/messages/minItems`]: 1,
      [`${FIELDS}/messages/maxItems`]: 100,
      [`${SCHEMAS}/Message/properties/content/maxLength`]: 10_000,
      [`${FIELDS}/model/pattern`]: '^[a-z]+$',
    },
  ],
  [
    'whole numbers as far as they are the same everywhere',
    { [`${FIELDS}/max_tokens/maximum`]: 2 ** 31 - 1, [`${FIELDS}/max_tokens/multipleOf`]: 1 },
  ],
  ['bounds on what is no number', { [`${FIELDS}/model/maximum`]: 3, [`${FIELDS}/stream/multipleOf`]: 2 }],
  ['an optional request field that may be null', { [`${FIELDS}/temperature/nullable`]: true }],
  ['an integer of the request as a number', { [`${FIELDS}/max_tokens/type`]: 'number' }],
  ['the ids of the models', { [`${FIELDS}/model/enum`]: ['alpha', 'beta'] }],
  ['a request closed to other fields', { [`${REQUEST}/additionalProperties`]: false }],
  ['reasons by name', { [`${SCHEMAS}/Choice/properties/finish_reason/enum`]: ['stop', 'length'] }],
  ['types left open', { [`${ANSWER}/id`]: {}, [`${FIELDS}/stream`]: {} }],
  ['a schema for each role', { [`${FIELDS}/messages/items`]: { oneOf: ROLES } }],
  [
    'streamed and plain requests apart',
    {
      [REQUEST]: {
        oneOf: [false, true].map((stream) => ({
          required: ['model', 'messages'],
          properties: { stream: { enum: [stream] } },
        })),
      },
    },
  ],
  [
    'required fields in parts',
    { [REQUEST]: { allOf: [{ required: ['model'] }, { type: 'object', required: ['messages'] }] } },
  ],
  [
    'an answer of which one alternative agrees',
    { [`${ANSWER}/model`]: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
  ],
  ['alternatives, which are not judged', { [`${ANSWER}/model`]: { oneOf: [{ type: 'integer' }, { type: 'object' }] } }],
  [
    'a type that alternatives may narrow',
    { [`${ANSWER}/model`]: { type: 'string', nullable: true, oneOf: [{ type: 'string' }] } },
  ],
  [
    'a number made an integer by its other part',
    { [`${ANSWER}/created`]: { allOf: [{ type: 'number' }, { type: 'integer' }] } },
  ],
  [
    'a message that only the assistant sends',
    { [`${SCHEMAS}/Choice/properties/message`]: { properties: { role: { enum: ['assistant'] } } } },
  ],
  [
    'a read-only field that is required',
    { [`${REQUEST}/required`]: ['model', 'messages', 'id'], [`${FIELDS}/id`]: { readOnly: true } },
  ],
  [
    'optional and path parameters',
    {
      [`${POST}/parameters`]: [
        { in: 'query', name: 'trace' },
        { in: 'path', name: 'tenant', required: true },
        { in: 'header', name: 'Authorization', required: true },
      ],
    },
  ],
  [
    'another error for other statuses',
    {
      [`${POST}/responses/422`]: {
        content: { 'application/json': { schema: { properties: { detail: { type: 'array' } } } } },
      },
    },
  ],
  [
    'security on each operation, in any case',
    {
      '/security': undefined,
      [`${POST}/security`]: [{ bearer: [] }],
      [`${GET}/security`]: [{ other: [] }, { bearer: [] }],
      '/components/securitySchemes/bearer/scheme': 'Bearer',
    },
  ],
  [
    'a remote reference that has nothing to do with the contract',
    {
      '/paths/~1files': { $ref: 'files.yaml' },
      '/components/securitySchemes/other': { $ref: 'https://example.com/s.yaml' },
    },
  ],
  [
    'a chain of references',
    {
      [`${SCHEMAS}/Counts`]: { $ref: '#/components/schemas/Numbers' },
      [`${SCHEMAS}/Numbers`]: { type: 'object', properties: { total_tokens: { type: 'integer' } } },
      [`${ANSWER}/usage`]: { $ref: '#/components/schemas/Counts' },
    },
  ],
  [
    'a further field whose schema holds itself',
    {
      [`${SCHEMAS}/Tree`]: { properties: { below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
      [`${ANSWER}/trace`]: { $ref: '#/components/schemas/Tree' },
      [`${FIELDS}/trace`]: { $ref: '#/components/schemas/Tree' },
    },
  ],
  [
    'a request in parts of references',
    {
      [REQUEST]: { allOf: [{ $ref: '#/components/schemas/Base' }] },
      [`${SCHEMAS}/Base`]: { type: 'object', required: ['model', 'messages'] },
    },
  ],
  [
    'a reference with escapes',
    { [`${SCHEMAS}/A%b`]: { type: 'string' }, [`${ANSWER}/id`]: { $ref: '#/components/schemas/A%25b' } },
  ],
];

it.each(LEGAL)('%s is accepted', (_, changes) => {
  for (const clause of CLAUSES) expect(judge(described(changes), clause)).toEqual({ kind: 'holds' });
});
