/**
 * The part of CycloneDX 1.6 that we write, as a schema of our own. Objects are closed, as in the standard's own schema, which
 * has many more members.
 */
const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const text = { type: 'string', minLength: 1 };

const hash = {
  oneOf: [
    closed({ alg: { const: 'SHA-256' }, content: { type: 'string', pattern: '^[0-9a-f]{64}$' } }),
    closed({ alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[0-9a-f]{128}$' } }),
  ],
};

const component = closed(
  {
    type: { enum: ['application', 'container', 'library', 'platform'] },
    'bom-ref': text,
    name: text,
    version: text,
    hashes: listOf(hash, { minItems: 1 }),
    // Ids of https://spdx.org/licenses that our packages have.
    licenses: listOf(closed({ license: closed({ id: { enum: ['MIT', 'ISC', 'BSD-3-Clause', 'BSD-2-Clause'] } }) })),
    cpe: { type: 'string', pattern: String.raw`^cpe:2\.3:a:[^:]+:[^:]+:[^:]+(?::\*){7}$` },
    purl: { type: 'string', pattern: String.raw`^pkg:(?:npm|generic|deb)/[\w.%+/-]+@[\w.%-]+(?:\?arch=\w+)?$` },
    properties: listOf(closed({ name: text, value: text })),
    components: listOf({ $ref: '#/$defs/component' }),
  },
  ['type', 'bom-ref', 'name', 'version'],
);

export const SBOM_SCHEMA = {
  $defs: { component },
  ...closed({
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { const: 1 },
    metadata: closed({ component: { $ref: '#/$defs/component' } }),
    components: listOf({ $ref: '#/$defs/component' }, { minItems: 1 }),
    dependencies: listOf(closed({ ref: text, dependsOn: listOf(text, { uniqueItems: true }) })),
  }),
};
