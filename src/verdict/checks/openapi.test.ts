import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { loadReferenceDescription } from '../../contract/published-schemas.ts';
import { type Json, pointerTokens } from '../../json.ts';
import { checkInput } from '../../../test/kit/exchanges.ts';
import type { CheckResult } from '../verdict.ts';
import { openapi } from './openapi.ts';

const CLAUSES = ['version', 'interface-version', 'operations', 'bearer', 'agrees'] as const;
type Clause = (typeof CLAUSES)[number];

type Changes = Readonly<Record<string, Json | undefined>>;

/** Our own description with some places set anew; `undefined` takes one away. */
function described(changes: Changes): Json {
  const document = structuredClone(loadReferenceDescription()) as Record<string, unknown>;
  for (const [pointer, value] of Object.entries(changes)) {
    const tokens = pointerTokens(pointer);
    const last = tokens.pop() ?? '';
    let here = document;
    for (const token of tokens) here = (here[token] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete here[last];
    else here[last] = value;
  }
  return document as Json;
}

function judge(value: Json, clause: Clause): CheckResult {
  const description = { kind: 'document', source: 'openapi.yaml', value } as const;
  return openapi.execute(
    checkInput([], {
      options: { part: clause === 'agrees' ? 'agreement' : clause },
      run: { traffic: { description } },
    }),
  );
}

function brokenClauses(value: Json): readonly Clause[] {
  return CLAUSES.filter((clause) => judge(value, clause).kind === 'broken');
}

function pointersOf(result: CheckResult): readonly (string | undefined)[] {
  return result.kind === 'broken' ? result.findings.map(({ pointer }) => pointer) : [];
}

const POST = '/paths/~1chat~1completions/post';
const GET = '/paths/~1models/get';
const SCHEMAS = '/components/schemas';
const REQUEST = `${SCHEMAS}/ChatCompletionRequest`;
const FIELDS = `${REQUEST}/properties`;
const ANSWER = `${SCHEMAS}/ChatCompletionResponse/properties`;
const post = structuredClone(
  (loadReferenceDescription() as Record<string, Record<string, Record<string, Json>>>)['paths']?.[
    '/chat/completions'
  ]?.['post'],
) as Json;

it('The contract’s own description agrees with the contract', () => {
  for (const clause of CLAUSES) expect(judge(loadReferenceDescription(), clause)).toEqual({ kind: 'holds' });
});

/** What was changed, what it breaks, and where the first finding points. */
const BREAKING: readonly (readonly [what: string, changes: Changes, breaks: Clause, pointer: string])[] = [
  ['another version of OpenAPI', { '/openapi': '3.1.0' }, 'version', '/openapi'],
  ['no version of OpenAPI', { '/openapi': undefined, '/swagger': '2.0' }, 'version', '/openapi'],
  ['another interface version', { '/info/version': '1.0.1' }, 'interface-version', '/info/version'],
  ['an interface version that is a number', { '/info/version': 1 }, 'interface-version', '/info/version'],
  ['no list of models', { '/paths/~1models': undefined }, 'operations', '/paths'],
  ['another operation id', { [`${POST}/operationId`]: 'chat' }, 'operations', `${POST}/operationId`],
  ['no operation id', { [`${GET}/operationId`]: undefined }, 'operations', `${GET}/operationId`],
  ['no security scheme', { '/components/securitySchemes': undefined }, 'bearer', '/components/securitySchemes'],
  [
    'a key in a header in place of the bearer scheme',
    { '/components/securitySchemes/bearer': { type: 'apiKey', in: 'header', name: 'Authorization' } },
    'bearer',
    '/components/securitySchemes',
  ],
  ['a scheme that is not applied', { '/security': undefined }, 'bearer', '/security'],
  ['an operation that needs no key', { [`${GET}/security`]: [] }, 'bearer', `${GET}/security`],
  ['a number that is described as a text', { [`${FIELDS}/top_p/type`]: 'string' }, 'agrees', `${FIELDS}/top_p/type`],
  [
    'a number narrowed to integers',
    { [`${FIELDS}/temperature/type`]: 'integer' },
    'agrees',
    `${FIELDS}/temperature/type`,
  ],
  ['an integer in an answer as a number', { [`${ANSWER}/created/type`]: 'number' }, 'agrees', `${ANSWER}/created/type`],
  ['a field of an answer that may be null', { [`${ANSWER}/id/nullable`]: true }, 'agrees', `${ANSWER}/id/nullable`],
  [
    'a code of an error as a number',
    { [`${SCHEMAS}/Error/properties/error/properties/code/type`]: 'integer' },
    'agrees',
    `${SCHEMAS}/Error/properties/error/properties/code/type`,
  ],
  [
    'an error that is a text',
    { [`${SCHEMAS}/Error/properties/error`]: { type: 'string' } },
    'agrees',
    `${SCHEMAS}/Error/properties/error/type`,
  ],
  [
    'a list that is a bare array',
    { [`${SCHEMAS}/ModelList`]: { type: 'array' } },
    'agrees',
    `${SCHEMAS}/ModelList/type`,
  ],
  ['another kind marker', { [`${ANSWER}/object/enum`]: ['completion'] }, 'agrees', `${ANSWER}/object/enum`],
  [
    'a role that is missing from the request',
    { [`${SCHEMAS}/Message/properties/role/enum`]: ['user', 'assistant'] },
    'agrees',
    `${SCHEMAS}/Message/properties/role/enum`,
  ],
  ['a stream that can only be false', { [`${FIELDS}/stream/enum`]: [false] }, 'agrees', `${FIELDS}/stream/enum`],
  ['a few values for max_tokens', { [`${FIELDS}/max_tokens/enum`]: [16, 32] }, 'agrees', `${FIELDS}/max_tokens/enum`],
  ['a temperature of at most 1', { [`${FIELDS}/temperature/maximum`]: 1 }, 'agrees', `${FIELDS}/temperature/maximum`],
  [
    'a temperature above 0',
    { [`${FIELDS}/temperature/exclusiveMinimum`]: true },
    'agrees',
    `${FIELDS}/temperature/minimum`,
  ],
  [
    'a top_p above 0, as 3.1 writes it',
    { [`${FIELDS}/top_p/exclusiveMinimum`]: 0 },
    'agrees',
    `${FIELDS}/top_p/exclusiveMinimum`,
  ],
  ['max_tokens of at most 4096', { [`${FIELDS}/max_tokens/maximum`]: 4096 }, 'agrees', `${FIELDS}/max_tokens/maximum`],
  [
    'max_tokens below a number',
    { [`${FIELDS}/max_tokens/exclusiveMaximum`]: 4096 },
    'agrees',
    `${FIELDS}/max_tokens/exclusiveMaximum`,
  ],
  ['even max_tokens', { [`${FIELDS}/max_tokens/multipleOf`]: 2 }, 'agrees', `${FIELDS}/max_tokens/multipleOf`],
  [
    'temperatures in steps',
    { [`${FIELDS}/temperature/multipleOf`]: 0.1 },
    'agrees',
    `${FIELDS}/temperature/multipleOf`,
  ],
  ['a few temperatures', { [`${FIELDS}/temperature/enum`]: [0, 1, 2] }, 'agrees', `${FIELDS}/temperature/enum`],
  ['max_tokens of at least 2', { [`${FIELDS}/max_tokens/minimum`]: 2 }, 'agrees', `${FIELDS}/max_tokens/minimum`],
  [
    'another required field',
    { [`${REQUEST}/required`]: ['model', 'messages', 'max_tokens'] },
    'agrees',
    `${REQUEST}/required`,
  ],
  ['model not required', { [`${REQUEST}/required`]: ['messages'] }, 'agrees', `${REQUEST}/required`],
  ['nothing required', { [`${REQUEST}/required`]: undefined }, 'agrees', REQUEST],
  [
    'a name required in messages',
    { [`${SCHEMAS}/Message/required`]: ['role', 'content', 'name'] },
    'agrees',
    `${SCHEMAS}/Message/required`,
  ],
  [
    'a required query parameter',
    { [`${POST}/parameters`]: [{ in: 'query', name: 'api-version', required: true }] },
    'agrees',
    `${POST}/parameters/0/required`,
  ],
  [
    'an answer closed to new fields',
    { [`${SCHEMAS}/Usage/additionalProperties`]: false },
    'agrees',
    `${SCHEMAS}/Usage/additionalProperties`,
  ],
  [
    'an answer closed in one of the parts it is made of',
    { [`${SCHEMAS}/Model`]: { allOf: [{ type: 'object' }, { additionalProperties: false }] } },
    'agrees',
    `${SCHEMAS}/Model/allOf/1/additionalProperties`,
  ],
  [
    'a choice of types none of which is right',
    { [`${ANSWER}/model`]: { oneOf: [{ type: 'integer' }, { type: 'object' }] } },
    'agrees',
    `${ANSWER}/model/oneOf/0/type`,
  ],
  [
    'a schema for each role but one',
    {
      [`${FIELDS}/messages/items`]: {
        oneOf: ['user', 'assistant'].map((role) => ({
          required: ['role', 'content'],
          properties: { role: { enum: [role] }, content: { type: 'string' } },
        })),
      },
    },
    'agrees',
    `${FIELDS}/messages/items/oneOf/0/properties/role/enum`,
  ],
];

it.each(BREAKING)('%s is reported under its clause only, with its place', (_, changes, clause, pointer) => {
  const document = described(changes);
  expect(brokenClauses(document)).toEqual([clause]);
  expect(pointersOf(judge(document, clause))[0]).toBe(pointer);
});

it.each([
  ['method', { [POST]: undefined, '/paths/~1chat~1completions/put': post }, '/paths/~1chat~1completions/put'],
  ['path', { '/paths/~1chat~1completions': undefined, '/paths/~1chat': { post } }, '/paths/~1chat/post'],
])('An operation with another %s is both missing and a contradiction', (_, changes, pointer) => {
  const document = described(changes);
  expect(brokenClauses(document)).toEqual(['operations', 'agrees']);
  expect(pointersOf(judge(document, 'agrees'))).toEqual([pointer]);
});

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

describe('A reference that cannot be followed', () => {
  it.each([
    ['out of the document', 'https://example.com/error.yaml'],
    ['to nothing', '#/components/schemas/Nowhere'],
    ['to itself', '#/components/schemas/Usage'],
  ])('%s is not judged, and reported as such', (_, $ref) => {
    const result = judge(described({ [`${SCHEMAS}/Usage`]: { $ref } }), 'agrees');
    expect(result).toMatchObject({
      kind: 'skipped',
      reason: { kind: 'reference-not-followed', first: quoteText(`${ANSWER}/usage`), more: 0 },
    });
  });

  it('does not hide errors elsewhere', () => {
    const changes = { [`${SCHEMAS}/Usage`]: { $ref: 'usage.yaml' }, [`${FIELDS}/top_p/maximum`]: 0.5 };
    expect(brokenClauses(described(changes))).toEqual(['agrees']);
  });

  it('leaves open whether an operation exists', () => {
    const document = described({ '/paths/~1models': { $ref: 'models.yaml' } });
    expect(judge(document, 'operations')).toMatchObject({
      kind: 'skipped',
      reason: { kind: 'reference-not-followed', first: quoteText('/paths/~1models') },
    });
  });
});

describe('A hostile description', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `f${index}`);
  const chain = Object.fromEntries(
    names.map((name, index) => [name, { allOf: [{ $ref: `#/components/schemas/f${index + 1}` }] }]),
  );
  const choices = Array.from({ length: 40 }, () => ({ oneOf: [{ type: 'object' }, { required: ['x'] }] }));
  let deep: Json = { type: 'string' };
  for (let level = 0; level < 5_000; level += 1) deep = { allOf: [deep], properties: { model: deep } };

  it.each<[string, Json]>([
    [
      'no object at the places it should have them',
      { paths: [], components: 1, info: null, security: {}, openapi: [] },
    ],
    [
      'members of the language',
      JSON.parse('{"__proto__":{"openapi":"3.0.3"},"paths":{"__proto__":{"post":{}}},"constructor":{}}') as Json,
    ],
    [
      'schemas in circles',
      described({ [REQUEST]: { allOf: [{ $ref: `#${REQUEST}` }], oneOf: [{ $ref: `#${REQUEST}` }] } }),
    ],
    [
      'a long chain of references',
      described({
        ...Object.fromEntries(Object.entries(chain).map(([name, schema]) => [`${SCHEMAS}/${name}`, schema])),
        [REQUEST]: { $ref: '#/components/schemas/f0' },
      }),
    ],
    ['a million alternatives', described({ [REQUEST]: { allOf: choices } })],
    ['choices within choices', described({ [REQUEST]: nest(8) })],
    ['a deep schema', described({ [REQUEST]: deep })],
    [
      'long lists',
      described({
        [`${REQUEST}/required`]: names,
        [`${FIELDS}/stream/enum`]: names,
        [`${REQUEST}/oneOf`]: names.map(() => ({})),
      }),
    ],
    ['many paths', { paths: Object.fromEntries(names.map((name) => [`/${name}/chat/completions`, { post }])) }],
    [
      'long names',
      { paths: { [`/${'x'.repeat(2_000_000)}/chat/completions`]: { post: { operationId: 'y'.repeat(2_000_000) } } } },
    ],
    [
      'values of every other type',
      described({
        [REQUEST]: { type: {}, enum: {}, required: [1, null], properties: [], items: 3, allOf: {}, minimum: '0' },
      }),
    ],
  ])('with %s is judged within bounds', (_, document) => {
    for (const clause of CLAUSES) {
      const text = JSON.stringify(judge(document, clause));
      expect(text.length).toBeLessThan(20_000);
    }
  });

  it('that is too large to check completely is not reported as agreeing', () => {
    expect(judge(described({ [REQUEST]: { allOf: choices } }), 'agrees').kind).toBe('skipped');
    expect(
      judge(described({ [`${FIELDS}/model/enum`]: Array.from({ length: 200_000 }, () => 'x') }), 'agrees').kind,
    ).toBe('skipped');
  });
});

/** Each level offers eight of the next, under the names that the contract has. */
function nest(levels: number): Json {
  if (levels === 0) return { type: 'boolean' };
  const below = nest(levels - 1);
  return { oneOf: Array.from({ length: 8 }, () => ({ properties: { messages: { items: below } } })) };
}

const ERROR: Json = { content: { 'application/json': { schema: { type: 'string' } } } };

describe('Without a document', () => {
  it('that could be fetched, the reason and the URL are reported', () => {
    const description = {
      kind: 'unavailable',
      source: 'https://x.example/o.json',
      problem: { kind: 'empty' },
    } as const;
    const result = openapi.execute(checkInput([], { options: { part: 'version' }, run: { traffic: { description } } }));
    expect(result).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'description-unavailable', source: 'https://x.example/o.json', problem: { kind: 'empty' } },
    });
  });

  it.each<[string, Changes, readonly string[]]>([
    [
      'a request in another form than JSON',
      { [`${POST}/requestBody/content`]: { 'text/plain': { schema: { type: 'string' } } } },
      ['the request of POST /chat/completions'],
    ],
    ['no list', { [`${GET}/responses/200`]: undefined }, ['the 200 of GET /models']],
    [
      'no schemas',
      { [`${POST}/requestBody`]: undefined, [`${POST}/responses/200/content/application~1json/schema`]: undefined },
      ['the request of POST /chat/completions', 'the 200 of POST /chat/completions'],
    ],
  ])('that has anything to compare, nothing is reported as agreeing: %s', (_what, changes, missing) => {
    expect(judge(described(changes), 'agrees')).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'no-json-schema', bodies: missing },
    });
    const wrong = { ...changes, [`${POST}/responses/401`]: ERROR };
    expect(judge(described(wrong), 'agrees').kind).toBe('broken');
  });

  it('that has either operation, there is nothing to compare', () => {
    expect(judge({ openapi: '3.0.3', paths: {} }, 'agrees').kind).toBe('skipped');
  });
});
