/**
 * The part of SARIF 2.1.0 that we write, as a schema of our own. Objects are closed here although the standard's are
 * mostly open below `properties`: a misspelt member would otherwise be valid.
 */
const closed = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const text = { type: 'string', minLength: 1 };
const message = closed({ text }, ['text']);
const bag = { type: 'object', properties: { tags: listOf(text, { uniqueItems: true }) } };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const utc = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$` };

const rule = closed(
  {
    id: text,
    shortDescription: message,
    help: message,
    defaultConfiguration: closed({ level }, ['level']),
    properties: bag,
  },
  ['id', 'shortDescription', 'help', 'defaultConfiguration'],
);

const uri = { type: 'string', format: 'uri-reference', minLength: 1 };
const index = { type: 'integer', minimum: 0 };

const artifact = closed(
  { location: closed({ uri, uriBaseId: text }, ['uri']), mimeType: text, contents: closed({ text }, ['text']) },
  ['location', 'contents'],
);

const location = closed(
  {
    physicalLocation: closed(
      {
        artifactLocation: closed({ uri, uriBaseId: text, index }, ['uri']),
        region: closed({ startLine: { type: 'integer', minimum: 1 } }, ['startLine']),
      },
      ['artifactLocation', 'region'],
    ),
    logicalLocations: listOf(closed({ fullyQualifiedName: text }, ['fullyQualifiedName']), { minItems: 1 }),
  },
  ['physicalLocation'],
);

const result = closed(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: listOf(location, { minItems: 1 }),
    partialFingerprints: { type: 'object', additionalProperties: text },
    suppressions: listOf(closed({ kind: { enum: ['inSource', 'external'] }, justification: text }, ['kind']), {
      uniqueItems: true,
    }),
    baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
    occurrenceCount: { type: 'integer', minimum: 1 },
    properties: bag,
  },
  ['ruleId', 'level', 'message', 'locations'],
);

const invocation = closed(
  {
    executionSuccessful: { type: 'boolean' },
    exitCode: { type: 'integer' },
    startTimeUtc: utc,
    endTimeUtc: utc,
    toolExecutionNotifications: listOf(closed({ level, message }, ['level', 'message'])),
  },
  ['executionSuccessful'],
);

const driver = closed({ name: text, version: text, rules: listOf(rule, { uniqueItems: true }) }, ['name', 'rules']);

export const SARIF_SCHEMA = closed(
  {
    $schema: { type: 'string', format: 'uri' },
    version: { const: '2.1.0' },
    runs: listOf(
      closed(
        {
          tool: closed({ driver }, ['driver']),
          invocations: listOf(invocation),
          results: listOf(result),
          artifacts: listOf(artifact, { uniqueItems: true }),
          originalUriBaseIds: {
            type: 'object',
            additionalProperties: closed({ description: closed({ text }, ['text']) }, ['description']),
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          properties: bag,
        },
        ['tool', 'results'],
      ),
      { minItems: 1 },
    ),
  },
  ['$schema', 'version', 'runs'],
);
