/** The schemas of our own files are made from types by `npm run schemas`. */
/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of this name */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';

const load = (name: string): Promise<unknown> =>
  import(new URL(`../scripts/schemas/${name}.mjs`, import.meta.url).href);
const { makeSchemas } = (await load('make-schemas')) as {
  makeSchemas: (folder: string) => ReadonlyMap<string, string>;
};
const { writeUnion } = (await load('unions')) as { writeUnion: (schema: object, definitions: object) => object };
const { writeJson } = (await load('write-json')) as { writeJson: (value: object) => string };

const FOLDER = join(packageRoot(), 'schemas/files');
const schemas = makeSchemas(packageRoot());
const REFERENCE = /"\$ref": "(?:urn:wirecheck:schema:files:(\w+))?#\/\$defs\/(\w+)"/g;

function definitionsOf(name: string): object {
  const { $defs = {} } = JSON.parse(schemas.get(name) ?? '{}') as { readonly $defs?: object };
  return $defs;
}

describe('the schemas of our own files', () => {
  it.each([...schemas])('%s is the one that the types give', async (name, text) => {
    await expect(text).toMatchFileSnapshot(join(FOLDER, `${name}.schema.json`));
  });

  it('are all made from types, except for the config file, which has its own test', () => {
    const made = ['config', ...schemas.keys()].map((name) => `${name}.schema.json`);
    expect(readdirSync(FOLDER).toSorted()).toEqual(made.toSorted());
  });

  it('are valid JSON Schemas, with no reference that leads nowhere', () => {
    const ajv = new Ajv2020();
    for (const [name, text] of schemas) {
      expect(ajv.validateSchema(JSON.parse(text) as object), `${name}: ${ajv.errorsText()}`).toBe(true);
      for (const [, file = name, definition = ''] of text.matchAll(REFERENCE))
        expect(definitionsOf(file), `${name} refers to ${definition}`).toHaveProperty(definition);
    }
  });
});

describe('a union', () => {
  const object = (properties: Readonly<Record<string, object>>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  const text = { type: 'string' };
  const kind = (name: string) => ({ type: 'string', const: name });

  it('of objects with a tag is told apart by the tag, and members that differ only in it become one', () => {
    const definitions = { Both: { anyOf: [object({ kind: kind('b') }), object({ kind: kind('c'), x: text })] } };
    const anyOf = [object({ kind: kind('a') }), { $ref: '#/definitions/Both' }];
    expect(writeUnion({ title: 'it', anyOf }, definitions)).toEqual({
      title: 'it',
      type: 'object',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [
        { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] },
        { properties: { kind: { const: 'c' }, x: text }, required: ['kind', 'x'] },
      ],
    });
  });

  it('of other objects is told apart by a field that only one of them has', () => {
    const [first, second] = [object({ a: text }), object({ b: text })];
    expect(writeUnion({ anyOf: [first, second] }, {})).toEqual({
      type: 'object',
      if: { required: ['a'] },
      then: first,
      else: second,
    });
  });

  it('of several types is told apart by the type', () => {
    const first = object({ a: text });
    expect(writeUnion({ anyOf: [text, first, { type: 'null' }] }, {})).toEqual({
      type: ['string', 'object', 'null'],
      if: { type: 'object' },
      then: first,
    });
  });

  it('of words is one list', () => {
    const definitions = { Level: { type: 'string', enum: ['must', 'should'] } };
    expect(writeUnion({ anyOf: [{ $ref: '#/definitions/Level' }, kind('none')] }, definitions)).toEqual({
      type: 'string',
      enum: ['must', 'should', 'none'],
    });
  });
});

it('A schema has on one line what fits there', () => {
  const words = Array.from({ length: 30 }, () => 'word');
  const written = writeJson({ a: { type: ['x'], b: {} }, words });
  expect(written).toBe(
    `{\n  "a": { "type": ["x"], "b": {} },\n  "words": [\n${words.map((word) => `    "${word}"`).join(',\n')}\n  ]\n}\n`,
  );
});
