import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { type Json } from '../../json.ts';
import { checkInput } from '../../../test/kit/exchanges.ts';
import { openapi } from './openapi.ts';
import {
  CLAUSES,
  type Changes,
  described,
  judge,
  post,
  brokenClauses,
  POST,
  GET,
  SCHEMAS,
  REQUEST,
  FIELDS,
  ANSWER,
} from '../../../test/kit/descriptions.ts';

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
    expect(judge(described({ [REQUEST]: { allOf: [...choices, ...choices] } }), 'agrees').kind).toBe('skipped');
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
