import { expect, it } from 'vitest';
import { loadReferenceDescription } from '../../contract/published-schemas.ts';
import {
  CLAUSES,
  type Clause,
  type Changes,
  described,
  judge,
  post,
  brokenClauses,
  pointersOf,
  POST,
  GET,
  SCHEMAS,
  REQUEST,
  FIELDS,
  ANSWER,
} from '../../../test/kit/descriptions.ts';

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
    'another type beside alternatives',
    { [`${ANSWER}/model`]: { type: 'integer', oneOf: [{ minimum: 1 }, { maximum: 0 }] } },
    'agrees',
    `${ANSWER}/model/type`,
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
