import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { checkFile, type FileSchemaName } from './file-schema.ts';
import { parseYaml } from './yaml/yaml-document.ts';

function check(name: FileSchemaName, text: string): string {
  try {
    checkFile(name, parseYaml(text, 'f.yaml'));
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'fine';
}

const EXPECT = 'expect: [{ clause: a.b, check: refused }]';

function caseOf(...lines: readonly string[]): string {
  return ['suite: s', 'title: t', 'cases:', '  - id: x', '    title: y', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );
}

describe('a suite', () => {
  it.each([
    [['control: chat', 'set: { /temperature: 2.1 }', EXPECT]],
    [['control: auth/restricted-allowed', "rawNumber: { /top_p: '1e400' }", EXPECT]],
    [['request: chat', 'set: { /a: null, /b: [1] }', 'header: { accept: x, content-type: null }', EXPECT]],
    [['for: [models, chat]', 'key: unknown', EXPECT]],
    [['control: chat', 'each: { zero: { set: { /max_tokens: 0 } }, broken: { raw: "" } }', EXPECT]],
    [["over: ['*']", 'expect: [{ schema: v1/error }, { clause: a.b, check: schema, schema: v1/error }]']],
    [['request: chat', 'key: limited', 'repeat: { until: 429, most: 20 }', 'needs: [limited-key]', EXPECT]],
    [['request: chat', 'coveredBy: chat/reply', EXPECT]],
    [['control: models', 'method: PUT', EXPECT]],
    [['control: models', 'path: /models/', EXPECT]],
    [['control: models', 'query: a=1', EXPECT]],
    [['control: chat', 'remove: /messages/0/role', EXPECT]],
    [['control: chat', 'add: { /messages/-: { role: user, content: x } }', EXPECT]],
    [['expect: [{ clause: a.b, check: acme/c, option: [1, { x: 2 }] }]']],
  ])('accepts %j', (lines) => {
    expect(check('suite', caseOf(...lines))).toBe('fine');
  });

  it.each([
    [['control: chat', 'expcet: []'], 'f.yaml:7: unknown key "expcet" in a case. Did you mean "expect"?'],
    [['control: chat'], 'f.yaml:4: a case needs expect.'],
    [['control: [chat]', EXPECT], 'f.yaml:6: control must be a string.'],
    [
      ['control: a', 'set: { temperature: 1 }', EXPECT],
      'f.yaml:7: "temperature" in set must be a JSON pointer such as /temperature.',
    ],
    [['control: a', 'rawNumber: { /x: 5 }', EXPECT], "f.yaml:7: /x must be a number as text, such as '1e400', not 5."],
    [['control: a', 'header: { x: 5 }', EXPECT], 'f.yaml:7: x must be a string or null.'],
    [
      ['control: a', 'key: unkown', EXPECT],
      /^f\.yaml:7: key must be one of full, .*, not "unkown"\. Did you mean "unknown"\?$/,
    ],
    [
      ['control: a', 'each: { b: { sett: {} } }', EXPECT],
      'f.yaml:7: unknown key "sett" in a variation of a case. Did you mean "set"?',
    ],
    [['needs: [limited]', EXPECT], /^f\.yaml:6: an item of needs must be one of restricted-key, .*, not "limited"\./],
    [['repeat: { until: 429 }', EXPECT], 'f.yaml:6: repeat needs most.'],
    [
      ['coveredBy: reply', EXPECT],
      'f.yaml:6: coveredBy must be the id of a case with its suite, such as chat/reply, not "reply".',
    ],
    [['method: get', EXPECT], 'f.yaml:6: method must be a method in capitals, such as GET, not "get".'],
    [['expect: []'], 'f.yaml:6: expect must not be empty.'],
    [['expect: [{ clause: a.b }]'], 'f.yaml:6: an expectation needs check.'],
    [['expect: [{ check: refused }]'], 'f.yaml:6: an expectation needs clause.'],
    [
      ['expect: [{ schema: v1/error, pointer: /x }]'],
      'f.yaml:6: unknown key "pointer" in an expectation with a schema alone.',
    ],
    [['expect: [{ schema: error }]'], 'f.yaml:6: schema must be the name of a schema, such as v1/error, not "error".'],
    [['expect: [5]'], 'f.yaml:6: an item of expect must be a map.'],
  ])('has a one-sentence error for %j', (lines, message) => {
    const said = check('suite', caseOf(...lines));
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it('reports every error at once, one for each line', () => {
    expect(check('suite', caseOf('key: 5', 'method: 6', EXPECT))).toBe(
      'f.yaml:6: key must be a string.\nf.yaml:7: method must be a method in capitals, such as GET, not 6.',
    );
  });

  it('must be a map, even if the file is empty', () => {
    expect(check('suite', '')).toBe('f.yaml:1: the file must be a map.');
    expect(check('suite', '- a\n')).toBe('f.yaml:1: the file must be a map.');
  });
});

describe('requests', () => {
  it('have a method and a path', () => {
    expect(check('requests', 'chat: { method: POST, path: /chat/completions, body: { model: x } }')).toBe('fine');
    expect(check('requests', 'broken: { method: POST, path: /x, headers: { a: b }, raw: "{", control: chat }')).toBe(
      'fine',
    );
    expect(check('requests', 'chat: { method: GET }')).toBe('f.yaml:1: a request needs path.');
    expect(check('requests', 'Chat: { method: GET, path: /x }')).toMatch(
      /^f\.yaml:1: "Chat" in the file must be a name/,
    );
  });
});

describe('the config file', () => {
  it.each([
    'timeout: 120000',
    'timeout: 500ms',
    'idleTimeout: 30s',
    'maxTime: 10m',
    'maxBody: 4MiB',
    'maxLine: 65536',
    'rate: 5/s',
    'rate: 0.5',
    'levels: { auth.key-echo: must }',
    'headers: { X-Team: red }',
    'reporters: [terminal, json=out.json]',
    'only: [auth/*]',
    'only: auth/*',
    '{}',
  ])('may contain %s', (text) => {
    expect(check('config', text)).toBe('fine');
  });

  it.each([
    ['base_url: x', 'f.yaml:1: unknown key "base_url" in the config file. Did you mean "baseUrl"?'],
    [
      'timeout: 5 parsecs',
      'f.yaml:1: timeout must be a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds, 100 or more), not "5 parsecs".',
    ],
    [
      'maxBody: 4 apples',
      'f.yaml:1: maxBody must be a size above zero such as 64KiB or 4MiB, at most 4GiB (a bare number is bytes), not "4 apples".',
    ],
    ['retries: -1', 'f.yaml:1: retries must be a whole number from 0 to 10, not -1.'],
    ['retries: 1.5', 'f.yaml:1: retries must be a whole number from 0 to 10, not 1.5.'],
    ['strict: 1', 'f.yaml:1: strict must be true or false, not 1.'],
    ['rate: 0', 'f.yaml:1: rate must be a number of requests per second such as 5/s or 0.5/s, not 0.'],
    ['model: x\nlevels: { a.b: never }', 'f.yaml:2: a.b must be one of must, should, observe, not "never".'],
    [
      'headers: { AUTHORIZATION: x }',
      /^f\.yaml:1: AUTHORIZATION must be left out: the key goes into WIRECHECK_API_KEY/,
    ],
    ['reporters: [xml]', /^f\.yaml:1: an item of reporters must be one of terminal, json, .*, not "xml"\.$/],
  ])('may not contain %s', (text, message) => {
    const said = check('config', text);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });
});

describe('a file that is not YAML', () => {
  it('is reported without a line', () => {
    expect(() => checkFile('config', { file: 'c.json', value: { modle: 'x' } })).toThrow(
      'c.json: unknown key "modle" in the config file. Did you mean "model"?',
    );
  });
});
