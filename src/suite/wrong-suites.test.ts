import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { plan } from '../run/run.ts';
import { UsageError } from '../usage-error.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { loadSuites } from './read-suites.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wirecheck-wrong-'))));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function write(text: string): string {
  const file = join(folder, `own-${files++}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** The error message without the file name. */
function complaint(act: () => unknown, file: string): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace(`${file}:`, '');
    throw error;
  }
  return 'no error';
}

const EXPECT = 'expect: [{ clause: limits.temperature, check: refused }]';
const HEAD = 'suite: own\ntitle: Own\ncases:\n';
const FIRST = `  - { id: first, title: First, request: chat, ${EXPECT} }\n`;

it.each<[what: string, cases: string, sentence: string]>([
  [
    'an unknown clause',
    '  - id: one\n    title: One\n    request: chat\n    expect:\n      - { clause: limits.temperature, check: answered }\n      - { clause: limits.temprature, check: answered }\n',
    '9: unknown clause "limits.temprature". Did you mean "limits.temperature"?',
  ],
  [
    'an unknown clause in a variation',
    '  - id: one\n    title: One\n    control: chat\n    each:\n      a:\n        set: { /x: 1 }\n        expect: [{ clause: error.code, check: refused }]\n    expect:\n      - { clause: limits.temperature, check: refused }\n',
    '10: unknown clause "error.code". Did you mean "errors.code"?',
  ],
  [
    'a clause that cannot be seen over the wire',
    '  - { id: one, title: One, request: chat, expect: [{ clause: service.single-gateway, check: answered }] }\n',
    '4: the clause service.single-gateway cannot be judged. Remove it. (Calls behind the gateway do not show in its answers.)',
  ],
  [
    'an unknown check',
    '  - id: one\n    title: One\n    request: chat\n    expect:\n      - clause: limits.temperature\n        check: answerd\n',
    '9: unknown check "answerd". Did you mean "answered"?',
  ],
  [
    'an unknown check in a variation',
    '  - { id: one, title: One, request: chat, each: { a: { expect: [{ clause: errors.code, check: refusd }] } }, expect: [{ clause: errors.code, check: refused }] }\n',
    '4: unknown check "refusd". Did you mean "refused"?',
  ],
  [
    'a check that resembles no other',
    '  - { id: one, title: One, request: chat, expect: [{ clause: errors.code, check: constructor }] }\n',
    '4: unknown check "constructor". See `npx --no-install wirecheck list checks`.',
  ],
  [
    'an option that the check does not have',
    '  - { id: one, title: One, request: chat, expect: [{ clause: errors.code, check: acceptance, waht: x }] }\n',
    '4: unknown key "waht" in an expectation with the check acceptance. Did you mean "what"?',
  ],
  [
    'an option for a check without any',
    '  - { id: one, title: One, request: chat, expect: [{ clause: errors.code, check: json-body, most: 3 }] }\n',
    '4: unknown key "most" in an expectation whose check has no options.',
  ],
  [
    'an unknown schema',
    '  - { id: one, title: One, request: chat, expect: [{ schema: v1/eror }] }\n',
    '4: unknown schema "v1/eror". Did you mean "v1/error"?',
  ],
  [
    'an unknown schema beside a clause',
    '  - { id: one, title: One, request: chat, expect: [{ clause: errors.code, check: schema, schema: v1/eror }] }\n',
    '4: unknown schema "v1/eror". Did you mean "v1/error"?',
  ],
  [
    'an unknown request',
    `  - { id: one, title: One, request: chta, ${EXPECT} }\n`,
    '4: own/one starts from "chta", which is neither a request nor an earlier case. Did you mean "chat"?',
  ],
  [
    'an unknown request in for',
    `  - { id: one, title: One, for: [modles], key: none, ${EXPECT} }\n`,
    '4: own/one[modles] starts from "modles", which is neither a request nor an earlier case. Did you mean "models"?',
  ],
  [
    'a control that is a later case',
    `  - { id: one, title: One, control: own/first, remove: /model, ${EXPECT} }\n${FIRST}`,
    '4: own/one starts from "own/first", which is neither a request nor an earlier case.',
  ],
  ...(['basis', 'coveredBy', 'confirm'] as const).map((key): [string, string, string] => [
    `${key} that is no earlier case`,
    `${FIRST}  - { id: one, title: One, request: chat, ${key}: own/frist, ${EXPECT} }\n`,
    '5: "own/frist" is not an earlier case. Did you mean "own/first"?',
  ]),
  [
    'over that names nothing',
    `  - { id: one, title: One, over: [stream], ${EXPECT} }\n`,
    '4: over names "stream", which is not a case. Did you mean "streams"?',
  ],
  [
    'an unknown key',
    `  - id: one\n    title: One\n    contrl: chat\n    ${EXPECT}\n`,
    '6: unknown key "contrl" in a case. Did you mean "control"?',
  ],
  [
    'a key use that does not exist',
    `  - { id: one, title: One, control: models, key: unknwon, ${EXPECT} }\n`,
    expect.stringMatching(/^4: key must be one of full, .*not "unknwon"\. Did you mean "unknown"\?$/),
  ],
  [
    'an id that is already used',
    `${FIRST}${FIRST}`,
    expect.stringMatching(/^5: the id own\/first is already used at .*:4\. Choose another\.$/),
  ],
  [
    'a label that is already used',
    `  - { id: one, title: One, for: [models, models], key: none, ${EXPECT} }\n`,
    expect.stringMatching(/^4: the id own\/one\[models\] is already used at .*:4\. Choose another\.$/),
  ],
  [
    'two edits of a control',
    `  - { id: one, title: One, control: chat, set: { /temperature: 3, /top_p: 2 }, ${EXPECT} }\n`,
    '4: own/one makes 2 edits to its control. Make exactly one.',
  ],
  [
    'two kinds of edit of a control',
    `  - { id: one, title: One, control: chat, remove: /model, key: none, ${EXPECT} }\n`,
    '4: own/one makes 2 edits to its control. Make exactly one.',
  ],
  [
    'a control without an edit',
    `  - { id: one, title: One, control: chat, ${EXPECT} }\n`,
    '4: own/one makes 0 edits to its control. Make exactly one.',
  ],
  [
    'both request and control',
    `  - { id: one, title: One, request: chat, control: chat, ${EXPECT} }\n`,
    '4: own/one has both request and control. Keep request if the case has to be answered, control if it edits one.',
  ],
  [
    'a control in a variation of a request',
    `  - { id: one, title: One, request: chat, each: { a: { control: chat, remove: /model } }, ${EXPECT} }\n`,
    '4: own/one[a] has both request and control. Keep request if the case has to be answered, control if it edits one.',
  ],
  [
    'both for and each',
    `  - { id: one, title: One, for: [chat], each: { a: { key: none } }, ${EXPECT} }\n`,
    '4: own/one has both for and each. Remove each: for already names the controls.',
  ],
  [
    'both for and control',
    `  - { id: one, title: One, for: [chat], control: models, key: none, ${EXPECT} }\n`,
    '4: own/one has both for and control. Remove control: for already names the controls.',
  ],
  [
    'an edit of nothing',
    `  - { id: one, title: One, key: none, ${EXPECT} }\n`,
    '4: own/one edits a request but names none. Add request or control.',
  ],
  [
    'a case that asks and looks over others',
    `${FIRST}  - { id: one, title: One, request: chat, over: [own/first], ${EXPECT} }\n`,
    '5: own/one sends a request and has over. Split it into two cases.',
  ],
  [
    'a case for every run that looks at one case',
    `${FIRST}  - { id: one, title: One, always: true, over: [own/first], ${EXPECT} }\n`,
    '5: own/one has always. Add over, with only selections such as *.',
  ],
  [
    'a wave for a case that asks for nothing',
    `  - { id: one, title: One, wave: closing, ${EXPECT} }\n`,
    '4: own/one has wave but sends nothing. Add request or control.',
  ],
  ['a case without expectations', '  - { id: one, title: One, request: chat }\n', '4: a case needs expect.'],
  [
    'an expectation without a check',
    '  - { id: one, title: One, request: chat, expect: [{ clause: errors.code }] }\n',
    '4: an expectation needs check.',
  ],
  ['YAML that does not parse', '  - { id: one\n', expect.stringMatching(/^4: the \{ that starts here has no clos/)],
])('%s is refused with file, line and the closest valid name', (_, cases, sentence) => {
  const file = write(HEAD + cases);
  expect(complaint(() => loadSuites([file], loadContract()), file)).toEqual(sentence);
});

it.each<[what: string, keys: string, sentence: string]>([
  [
    'a mistyped pointer',
    'control: chat, set: { /mesages/0/role: 5 }',
    '4: set /mesages/0/role leads nowhere in the body of chat. Correct the pointer.',
  ],
  [
    'removing a field that does not exist',
    'control: chat, remove: /temperature',
    '4: remove /temperature leads nowhere in the body of chat. Correct the pointer.',
  ],
  [
    'an item after the last one',
    'control: chat, set: { /messages/1/role: 5 }',
    '4: set /messages/1/role leads nowhere in the body of chat. Correct the pointer.',
  ],
  [
    'an edit below a text',
    'control: chat, set: { /model/x: 5 }',
    '4: set /model/x leads nowhere in the body of chat. Correct the pointer.',
  ],
  [
    'an edit of a body that is not JSON',
    'control: chat-malformed, set: { /x: 1 }',
    '4: set /x leads nowhere in the body of chat-malformed. Correct the pointer.',
  ],
  [
    'an edit of a request without a body',
    'control: models, set: { /x: 1 }',
    '4: set /x leads nowhere in the body of models. Correct the pointer.',
  ],
])('%s is refused when the run is planned, since it would judge the control', (_, keys, sentence) => {
  const file = write(`${HEAD}  - { id: one, title: One, ${keys}, ${EXPECT} }\n`);
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', suites: [file] };
  expect(complaint(() => plan(settings), file)).toBe(sentence);
});

const BLOCK = '  - title: One\n    id: one\n';
const BLOCK_EXPECT = '    expect:\n      - { clause: limits.temperature, check: refused }\n';

it.each<[what: string, lines: string, line: number]>([
  ['a control', '    control: chta\n    key: none\n', 6],
  ['a request', '    request: chta\n', 6],
  ['a second edit', '    control: chat\n    set: { /x: 1 }\n    remove: /model\n', 8],
  ['one of for', '    for:\n      - models\n      - modles\n    key: none\n', 8],
  [
    'a control in a variation',
    '    each:\n      a: { control: chat }\n      b:\n        control: chta\n    key: none\n',
    9,
  ],
  ['one of over', '    over:\n      - streams\n      - stream\n', 8],
  ['a basis', '    request: chat\n    basis: own/none\n', 7],
  ['both for and each', '    for: [chat]\n    each:\n      a: { key: none }\n', 7],
  ['an edit of nothing', '    needs: []\n    key: none\n', 7],
  ['over beside a request', '    request: chat\n    over: [streams]\n', 7],
  ['a wave of nothing', '    needs: []\n    wave: closing\n', 7],
  ['a pointer that leads nowhere', '    request: chat\n    set:\n      /temperature: 1\n      /a/b: 1\n', 9],
  ['a pointer to remove', '    control: chat\n    remove: /a\n', 7],
  [
    'a pointer in a variation',
    '    control: chat\n    each:\n      a: { set: { /x: 1 } }\n      b: { set: { /a/b: 1 } }\n',
    9,
  ],
  [
    'an id that is already used',
    `    request: chat\n${BLOCK_EXPECT}  - title: One\n    id: one\n    request: chat\n`,
    10,
  ],
])('%s that is wrong is reported with its line', (_, lines, line) => {
  const file = write(HEAD + BLOCK + lines + BLOCK_EXPECT);
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', suites: [file] };
  expect(complaint(() => plan(settings), file)).toMatch(new RegExp(`^${line}: `));
});

it('An unknown check is reported with the line of its expectation', () => {
  const clauses = ['{ clause: errors.code, check: answered }', '{ clause: errors.code, check: acme/fast }'];
  const file = write(
    `${HEAD}${BLOCK}    request: chat\n    expect:\n${clauses.map((clause) => `      - ${clause}\n`).join('')}`,
  );
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', suites: [file] };
  expect(complaint(() => plan(settings), file)).toMatch(/^9: /);
});

it('A custom check that is not passed to plan is refused before anything is sent', () => {
  const file = write(
    `${HEAD}  - { id: one, title: One, request: chat, expect: [{ clause: errors.code, check: acme/fast, below: 3 }] }\n`,
  );
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', suites: [file] };
  const check = { summary: 'It is fast.', execute: () => ({ kind: 'holds' }) as const };
  expect(complaint(() => plan(settings), file)).toBe(
    '4: own/one uses the unknown check "acme/fast". Checks of your own need the library: docs/programs.md#checks-of-your-own',
  );
  expect(plan(settings, [], { ...CHECKS, 'acme/fast': check }).cases[0]?.id).toBe('own/one');
});

it('An unknown suite and a missing suite file have different messages', () => {
  const load = (name: string) => complaint(() => loadSuites([name], loadContract()), name);
  expect(load('atuh')).toBe('Unknown suite "atuh". Did you mean "auth"?');
  expect(load('zzz')).toContain('Use one of models, auth,');
  expect(load(join(folder, 'none.yaml'))).toBe(
    `Cannot find the suite file ${join(folder, 'none.yaml')}. Check the path.`,
  );
});

it('All mistakes of a file are reported at once, and none that only follows from another', () => {
  const file = write(
    `${HEAD}${[
      '  - id: one',
      '    title: One',
      '    request: chatt',
      '    expect:',
      '      - { clause: limits.temprature, check: refused }',
      '      - { clause: error.code, check: refused }',
      `  - { id: two, title: Two, request: own/one, ${EXPECT} }`,
      `  - { id: three, title: Three, request: chat, ${EXPECT} }`,
      `  - { id: three, title: Three again, request: chat, ${EXPECT} }`,
    ].join('\n')}\n`,
  );
  const said = complaint(() => loadSuites([file], loadContract()), file).split('\n');
  expect(said.map((line) => line.replace(`${file}:`, ''))).toEqual([
    expect.stringMatching(/^6: .*"chatt"/),
    '8: unknown clause "limits.temprature". Did you mean "limits.temperature"?',
    '9: unknown clause "error.code". Did you mean "errors.code"?',
    expect.stringMatching(/^12: the id own\/three is already used at /),
  ]);
});

it('An unknown check and an unknown key are reported together', () => {
  const file = write(
    `${HEAD}  - id: one\n    titel: One\n    request: chat\n    expect:\n      - { clause: errors.code, check: refusd }\n`,
  );
  const said = complaint(() => loadSuites([file], loadContract()), file).replaceAll(`${file}:`, '');
  expect(said).toBe(
    '5: unknown key "titel" in a case. Did you mean "title"?\n8: unknown check "refusd". Did you mean "refused"?',
  );
});

it('Mistakes in form and in meaning are reported together, and none that only follows from another', () => {
  const file = write(
    `${HEAD}${[
      `  - { id: one, titel: One, request: chat, ${EXPECT} }`,
      `  - { id: two, title: Two, request: own/one, ${EXPECT} }`,
      `  - { id: three, title: Three, request: chatt, ${EXPECT} }`,
      `  - { title: Four, request: chat, ${EXPECT} }`,
      '  - { id: five, title: Five, over: [own/one, own/none], expect: [{ clause: errors.cod, check: refused }] }',
      '  - { id: six, title: Six, over: [own/one, own/none], expect: [{ clause: errors.code, check: refused }] }',
    ].join('\n')}\n`,
  );
  const said = complaint(() => loadSuites([file], loadContract()), file).split('\n');
  expect(said.map((line) => line.replace(`${file}:`, ''))).toEqual([
    '4: unknown key "titel" in a case. Did you mean "title"?',
    expect.stringMatching(/^6: .*"chatt"/),
    '7: a case needs id.',
    '8: unknown clause "errors.cod". Did you mean "errors.code"?',
    expect.stringMatching(/^8: over names "own\/none", which is not a case\./),
    expect.stringMatching(/^9: over names "own\/none", which is not a case\./),
  ]);
});

it('All mistakes of a case are reported at once, also with clauses of the file and a check that is wrong', () => {
  const file = write(
    [
      'suite: own',
      'title: Own',
      'clauses:',
      '  - { id: errors.own, level: must, summary: One. }',
      '  - { id: own.none, level: must, summary: Two. }',
      'cases:',
      '  - id: one',
      '    title: One',
      '    control: chta',
      '    basis: own/none',
      '    set: { /temperature: 3, /top_p: 2 }',
      '    each: { a: { query: a=1 }, b: { query: b=1 } }',
      '    expect:',
      '      - { clause: limits.temprature, check: refusd }',
      '      - { clause: errors.own, check: schema, schema: v1/eror }',
      '  - { id: two, title: Two, control: chat, key: none, expect: [{ clause: errors.cod, check: refused }] }',
      '  - { id: two, title: Two, control: chat, expect: [{ clause: errors.code, check: refused }] }',
      `  - { id: three, title: Three, control: own/one, set: { /x: 1, /y: 2 }, ${EXPECT} }`,
      `  - { id: four, title: Four, for: [chat], each: { a: { key: none } }, expect: [{ clause: a.b, check: refused }] }`,
    ].join('\n'),
  );
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', suites: [file] };
  const said = complaint(() => plan(settings), file).replaceAll(`${file}:`, '');
  expect(said.split('\n').map((line) => /^(\d+: .*?)[.,]( |$)/.exec(line)?.[1])).toEqual([
    '4: ids that start with errors',
    '5: no case judges own.none',
    '9: own/one[a] starts from "chta"',
    '10: "own/none" is not an earlier case',
    '12: own/one[a] makes 3 edits to its control',
    '14: unknown check "refusd"',
    '14: unknown clause "limits.temprature"',
    '15: unknown schema "v1/eror"',
    '16: unknown clause "errors.cod"',
    '17: the id own/two is already used at 16',
    '17: own/two makes 0 edits to its control',
    '18: own/three makes 2 edits to its control',
    '19: own/four has both for and each',
    '19: unknown clause "a.b"',
  ]);
});
