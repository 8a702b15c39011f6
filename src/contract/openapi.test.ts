/** The OpenAPI description, the JSON Schemas and the tables of the contract say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject } from '../json.ts';
import { packageRoot } from './package-root.ts';
import { parseYaml } from './yaml/yaml-document.ts';

type Node = Readonly<Record<string, unknown>>;

const folder = `${packageRoot()}/schemas/v1/`;
const openapi = node(parseYaml(readFileSync(`${folder}openapi.yaml`, 'utf8'), 'openapi.yaml').value);
const schemas = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.schema.json'))
    .map((file): Node => JSON.parse(readFileSync(folder + file, 'utf8')))
    .map((schema): [string, Node] => [String(schema['$id']), schema]),
);

function node(value: unknown, ...path: readonly string[]): Node {
  let here = value;
  for (const token of path) here = isObject(here) ? here[token] : undefined;
  if (!isObject(here)) throw new Error(`There is nothing at ${path.join('/')}.`);
  return here;
}

/** What both languages can say, in one form: a reference by the title of its target, a constant as an enum of one. */
function normal(schema: Node): unknown {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return { ref: schemas.get(reference)?.['title'] ?? reference.replace('#/components/schemas/', '') };
  }
  const { type, minimum, maximum, default: preset } = schema;
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return {
    type,
    minimum,
    maximum,
    preset,
    values: schema['const'] === undefined ? schema['enum'] : [schema['const']],
    required: schema['required'],
    items: isObject(schema['items']) ? normal(schema['items']) : undefined,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, normal(node(property))])),
    closed: schema['additionalProperties'],
  };
}

/** Every row of the tables in parts 2 and 7: type, whether it is required, and the clause that the type breaks. */
const ROWS: Readonly<
  Record<string, Readonly<Record<string, readonly [type: string, required: boolean, clause: string]>>>
> = {
  ChatCompletionRequest: {
    model: ['string', true, 'request.model-type'],
    messages: ['array of Message', true, 'request.messages-type'],
    max_tokens: ['integer', false, 'request.max-tokens-type'],
    temperature: ['number', false, 'request.temperature-type'],
    top_p: ['number', false, 'request.top-p-type'],
    stream: ['boolean', false, 'request.stream-type'],
  },
  Message: {
    role: ['string', true, 'message.role-type'],
    content: ['string', true, 'message.content-type'],
  },
  ChatCompletionResponse: {
    id: ['string', false, 'completion.id-type'],
    object: ['string', false, 'completion.object'],
    created: ['integer', false, 'completion.created-type'],
    model: ['string', false, 'completion.model-type'],
    choices: ['array of Choice', false, 'completion.choices-type'],
    usage: ['Usage', false, 'completion.usage-type'],
  },
  Choice: {
    index: ['integer', false, 'choice.index-type'],
    message: ['Message', false, 'choice.message-type'],
    finish_reason: ['string', false, 'choice.finish-reason-type'],
  },
  Usage: {
    prompt_tokens: ['integer', false, 'usage.prompt-tokens-type'],
    completion_tokens: ['integer', false, 'usage.completion-tokens-type'],
    total_tokens: ['integer', false, 'usage.total-tokens-type'],
  },
  ModelList: {
    object: ['string', false, 'list.object'],
    data: ['array of Model', true, 'list.data'],
  },
  Model: {
    id: ['string', true, 'model.id'],
    object: ['string', false, 'model.object'],
    owned_by: ['string', false, 'model.owned-by-type'],
  },
  Error: { error: ['object', true, 'errors.object'] },
  'Error.error': {
    message: ['string', true, 'errors.message'],
    type: ['string', true, 'errors.type'],
    code: ['string', true, 'errors.code'],
  },
};

function titleOf(reference: unknown): string {
  return String(schemas.get(String(reference))?.['title']);
}

function formatBodyType(schema: Node): string {
  if (schema['$ref'] !== undefined) return titleOf(schema['$ref']);
  return schema['type'] === 'array' ? `array of ${titleOf(node(schema, 'items')['$ref'])}` : String(schema['type']);
}

function rowsOf(schema: Node): unknown {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(node(schema, 'properties')).map(([name, value]) => {
      const property = node(value);
      const clause = property['x-clause'];
      return [name, [formatBodyType(property), required.includes(name), isObject(clause) ? clause['type'] : clause]];
    }),
  );
}

describe('the JSON Schemas', () => {
  it('have every row of the tables, with its type and its clause, and no other', () => {
    const byTitle = Object.fromEntries(
      [...schemas.values()].map((schema) => [String(schema['title']), rowsOf(schema)]),
    );
    const error = schemas.get('urn:wirecheck:schema:v1:error');
    expect({ ...byTitle, 'Error.error': rowsOf(node(error, 'properties', 'error')) }).toEqual(ROWS);
  });

  it('have a separate clause for a value that is not an object', () => {
    for (const schema of schemas.values())
      expect(schema).toMatchObject({ type: 'object', 'x-clause': expect.any(String) });
  });
});

describe('the OpenAPI description', () => {
  it('has the same shapes as the JSON Schemas', () => {
    const described = Object.entries(node(openapi, 'components', 'schemas')).map(([name, schema]) => [
      name,
      normal(node(schema)),
    ]);
    const judged = [...schemas.values()].map((schema) => [String(schema['title']), normal(schema)]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(judged));
  });

  it('is OpenAPI 3.0.3 of the interface version 1.0.0, with the bearer scheme on everything', () => {
    expect(openapi).toMatchObject({ openapi: '3.0.3', info: { version: '1.0.0' }, security: [{ bearer: [] }] });
    expect(node(openapi, 'components', 'securitySchemes', 'bearer')).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('has the two operations and no other', () => {
    const operations = Object.entries(node(openapi, 'paths')).flatMap(([path, methods]) =>
      Object.entries(node(methods)).map(([method, operation]) => [
        `${method} ${path}`,
        node(operation)['operationId'],
        Object.keys(node(operation, 'responses')),
      ]),
    );
    expect(operations).toEqual([
      ['post /chat/completions', 'createChatCompletion', ['200', '401', '402', '403', '429']],
      ['get /models', 'listModels', ['200', '401']],
    ]);
    expect(node(openapi, 'paths', '/chat/completions', 'post', 'requestBody')['required']).toBe(true);
  });

  it('refers only to parts of itself', () => {
    const references = [...JSON.stringify(openapi).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) expect(node(openapi, ...reference.split('/'))).toBeDefined();
    expect(JSON.stringify(openapi).match(/"\$ref"/g)).toHaveLength(references.length);
  });

  it('gives every refusal the error body', () => {
    expect(node(openapi, 'components', 'responses', 'Refusal', 'content', 'application/json', 'schema')).toEqual({
      $ref: '#/components/schemas/Error',
    });
    for (const [path, method] of [
      ['/chat/completions', 'post'],
      ['/models', 'get'],
    ] as const) {
      const { 200: answer, ...refusals } = node(openapi, 'paths', path, method, 'responses');
      expect(answer).toBeDefined();
      for (const refusal of Object.values(refusals))
        expect(refusal).toEqual({ $ref: '#/components/responses/Refusal' });
    }
  });
});
