import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import { type Ask, type Case, type Edit, type EditKind, isValidKey, KEY_USES } from './case.ts';
import { loadSuites } from './read-suites.ts';
import { BUILT_IN_SUITES } from './suite-names.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wirecheck-suite-'))));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function casesOf(cases: string): readonly Case[] {
  const file = join(folder, `own-${files++}.yaml`);
  writeFileSync(file, `suite: own\ntitle: Own\ncases:\n${cases}`);
  return loadSuites([file], loadContract()).flatMap((suite) => suite.cases);
}

const EXPECT = 'expect: [{ clause: limits.temperature, check: refused }]';

function only(cases: string): Case {
  const [testCase, ...more] = casesOf(cases);
  if (!testCase || more.length > 0) throw new Error('not one case');
  return testCase;
}

function askOf(keys: string): Ask {
  const { ask } = only(`  - { id: one, title: One, ${keys}, ${EXPECT} }\n`);
  if (!ask) throw new Error('it asks for nothing');
  return ask;
}

describe('edits', () => {
  const edits: Record<EditKind, readonly [string, Edit]> = {
    set: ['set: { /temperature: 2.1 }', { kind: 'set', pointer: '/temperature', value: 2.1 }],
    add: ['add: { /messages/-: { role: user } }', { kind: 'add', pointer: '/messages/-', value: { role: 'user' } }],
    remove: ['remove: /model', { kind: 'remove', pointer: '/model' }],
    raw: ["raw: ''", { kind: 'raw', text: '' }],
    rawNumber: ["rawNumber: { /top_p: '1e400' }", { kind: 'rawNumber', pointer: '/top_p', text: '1e400' }],
    spelling: ['spelling: [escapes]', { kind: 'spelling', spellings: ['escapes'] }],
    header: ['header: { Content-Type: null }', { kind: 'header', name: 'Content-Type', value: null }],
    key: ['key: unknown', { kind: 'key', use: 'unknown' }],
    method: ['method: PUT', { kind: 'method', method: 'PUT' }],
    path: ['path: /models/', { kind: 'path', path: '/models/' }],
    query: ['query: a=1', { kind: 'query', query: 'a=1' }],
  };

  it.each(Object.entries(edits))('%s becomes an edit of the control', (_, [yaml, edit]) => {
    expect(askOf(`control: chat, ${yaml}`)).toMatchObject({ base: { name: 'chat' }, edits: [edit], control: 'chat' });
  });

  it('A case that must be answered may have any number of edits', () => {
    const ask = askOf('request: chat, set: { /temperature: 1, /top_p: 1 }, remove: /max_tokens');
    expect(ask.edits.map(({ kind }) => kind)).toEqual(['set', 'set', 'remove']);
    expect(ask.control).toBeUndefined();
  });

  it('null is a value to set, not a missing one', () => {
    expect(askOf('control: chat, set: { /stream: null }').edits).toEqual([
      { kind: 'set', pointer: '/stream', value: null },
    ]);
  });
});

describe('expansion', () => {
  it('for makes one case per control, labelled with its name', () => {
    const cases = casesOf(`  - { id: one, title: 'No \${label}', for: [models, chat-stream], key: none, ${EXPECT} }\n`);
    expect(cases.map(({ id, title, ask }) => [id, title, ask?.base.name, ask?.control])).toEqual([
      ['own/one[models]', 'No models', 'models', 'models'],
      ['own/one[chat-stream]', 'No chat-stream', 'chat-stream', 'chat-stream'],
    ]);
  });

  it('each overrides the fields of the case for every label', () => {
    const each = '{ a: { control: chat, set: { /x: 1 } }, d: { request: chat, title: Other } }';
    const cases = casesOf(`  - { id: one, title: 'With \${label}', each: ${each}, ${EXPECT} }\n`);
    expect(cases.map(({ id, title, ask }) => [id, title, ask?.control, ask?.edits.length])).toEqual([
      ['own/one[a]', 'With a', 'chat', 1],
      ['own/one[d]', 'Other', undefined, 0],
    ]);
  });

  it('A request with a control of its own names that one as the control', () => {
    expect(askOf('control: chat-brief, header: { content-type: null }')).toMatchObject({
      base: { name: 'chat-brief' },
      control: 'chat',
    });
  });

  it('A schema expands to each of its clauses', () => {
    const { expect: expectations } = only(
      '  - { id: one, title: One, over: [lists], expect: [{ schema: v1/model-list }] }\n',
    );
    expect(expectations.map(({ clause }) => clause)).toEqual(loadContract().clausesOf('v1/model-list'));
    expect(new Set(expectations.map(({ check }) => check))).toEqual(new Set(['schema']));
  });

  it('A refused edit also needs a status below 500, unless it edits the path or method', () => {
    const clauses = (keys: string) =>
      only(`  - { id: one, title: One, ${keys}, ${EXPECT} }\n`).expect.map(({ clause }) => clause);
    expect(clauses('control: chat, set: { /temperature: 3 }')).toEqual([
      'limits.temperature',
      'errors.no-server-error',
    ]);
    expect(clauses('control: models, path: /other')).toEqual(['limits.temperature']);
    expect(clauses('control: models, method: PUT')).toEqual(['limits.temperature']);
    expect(clauses('request: chat, set: { /temperature: 2 }')).toEqual(['limits.temperature']);
  });

  it('Options of a check are kept, without clause, check and schema', () => {
    const { expect: expectations } = only(
      '  - { id: one, title: One, request: chat, expect: [{ clause: request.null-optional, check: acceptance, what: null as a text }, { clause: errors.code, check: schema, schema: v1/error }] }\n',
    );
    expect(expectations.map(({ options }) => options)).toEqual([{ what: 'null as a text' }, { schema: 'v1/error' }]);
  });
});

describe('cases that depend on others', () => {
  const first = `  - { id: first, title: First, request: chat, set: { /temperature: 0, /top_p: 0 }, ${EXPECT} }\n`;
  const second = (keys: string) => casesOf(`${first}  - { id: second, title: Second, ${keys}, ${EXPECT} }\n`)[1]?.ask;

  it('An edit of an edit has the same control: the edit itself should be refused', () => {
    const edit = `  - { id: edit, title: Edit, control: own/first, set: { /temperature: 3 }, ${EXPECT} }\n`;
    const streamed = `  - { id: streamed, title: Streamed, control: own/edit, set: { /stream: true }, ${EXPECT} }\n`;
    expect(casesOf(first + edit + streamed)[2]?.ask).toMatchObject({
      control: 'own/first',
      edits: [{ value: 0 }, { value: 0 }, { value: 3 }, { pointer: '/stream', value: true }],
    });
  });

  it('A control that names a case starts from the request of that case', () => {
    expect(second('control: own/first, set: { /temperature: 3 }')).toMatchObject({
      base: { name: 'chat' },
      control: 'own/first',
      edits: [{ value: 0 }, { value: 0 }, { value: 3 }],
    });
  });

  it('A request that names a case starts from it too, and has no control', () => {
    const ask = second('request: own/first');
    expect(ask?.edits).toHaveLength(2);
    expect(ask?.control).toBeUndefined();
  });

  it('basis, coveredBy and confirm are kept', () => {
    expect(second('request: chat, basis: own/first')?.basis).toBe('own/first');
    expect(second('request: chat, coveredBy: own/first')?.coveredBy).toBe('own/first');
    expect(second('request: chat-stream, confirm: own/first')?.confirms).toBe('own/first');
  });

  it('over names earlier or later cases of any suite, and sends nothing', () => {
    const [testCase] = casesOf(`  - { id: one, title: One, over: [own/first, streams], ${EXPECT} }\n${first}`);
    expect(testCase?.over).toEqual(['own/first', 'streams']);
    expect(testCase?.ask).toBeUndefined();
  });

  it('sample, repeat, wave and needs are kept', () => {
    const testCase = only(
      `  - { id: one, title: One, request: chat, sample: true, wave: closing, repeat: { until: 429, most: 3 }, needs: [limited-key], ${EXPECT} }\n`,
    );
    expect(testCase.needs).toEqual(['limited-key']);
    expect(testCase.ask).toMatchObject({ sample: true, closing: true, repeat: { until: 429, most: 3 } });
  });
});

describe('the suites of the package', () => {
  it.each(BUILT_IN_SUITES)('can be chosen alone: %s', (name) => {
    const [suite] = loadSuites([name], loadContract());
    expect(suite?.cases.length).toBeGreaterThan(0);
  });

  it('can be named in any order', () => {
    const names = (chosen: readonly string[]) => loadSuites(chosen, loadContract()).map(({ name }) => name);
    expect(names(['parameters', 'chat'])).toEqual(['chat', 'parameters']);
  });

  it('are all read in order, with the place of each case', () => {
    const suites = loadSuites([], loadContract());
    expect(suites.map(({ name }) => name)).toEqual(BUILT_IN_SUITES);
    const { source } = suites[1]?.cases[0] ?? {};
    expect(source).toEqual({ file: 'suites/auth.yaml', line: 4 });
  });

  it('can be combined with files', () => {
    const file = join(folder, 'more.yaml');
    writeFileSync(file, `suite: more\ntitle: More\ncases:\n  - { id: one, title: One, request: chat, ${EXPECT} }\n`);
    expect(loadSuites(['tolerance', file, file], loadContract()).map(({ name }) => name)).toEqual([
      'tolerance',
      'more',
    ]);
  });
});

it('Only real keys are valid', () => {
  expect(KEY_USES.filter(isValidKey)).toEqual(['full', 'restricted', 'exhausted', 'limited', 'second']);
});
