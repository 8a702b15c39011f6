/* oxlint-disable max-lines -- one table: a row for each kind of mistake */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../usage-error.ts';
import { digestOf } from '../digest.ts';
import { builtInProfiles, loadProfile, readProfile } from './read-profile.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: acme
title: Acme
cases:
  - id: request-id
    title: Every answer has it
    over: ['*']
    expect: [{ clause: acme.request-id, check: header-present, name: x-request-id }]
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = "profile: acme\nversion: '3'\nbasedOn: v1\n";
/** The first change is on line 5. */
const withChanges = (...changes: readonly string[]): string =>
  `${HEAD}changes:\n${changes.map((change) => `  - ${change}\n`).join('')}`;

const read = (text: string) => readProfile(text, 'p.yaml', folder);

function complaint(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
}

const OWN = '{ clause: acme.request-id, level: must, summary: It has it., why: Support needs it. }';

describe('a profile that is wrong is refused in a sentence at its line', () => {
  it.each<[what: string, text: string, sentence: string]>([
    ['no name', "version: '3'\nbasedOn: v1\nchanges: []", 'p.yaml:1: a profile needs profile.'],
    ['a name in capitals', withChanges().replace('acme', 'Acme'), 'p.yaml:1: profile must be a name in lower case'],
    [
      'a version that is a number',
      `${HEAD}changes: []`.replace("'3'", '3'),
      'p.yaml:2: version must be a version in quotes',
    ],
    ['another base', withChanges(OWN).replace('basedOn: v1', 'basedOn: v2'), 'p.yaml:3: basedOn must be "v1"'],
    ['the name of v1', withChanges(OWN).replace('acme', 'v1'), 'p.yaml:1: v1 is the contract itself.'],
    [
      'the name of a profile of the package',
      withChanges(OWN).replace('acme', 'common-servers'),
      "p.yaml:1: common-servers is a profile of wirecheck's. Choose another name.",
    ],
    [
      'a level for what no case can break',
      withChanges('{ clause: errors.codes, level: must, why: Old. }'),
      'p.yaml:5: errors.codes is only observed: no case of wirecheck can break it',
    ],
    [
      'an added field inside another',
      withChanges('{ add: { /a: 1 }, why: Old. }', '{ add: { /a/b: 1 }, why: Old. }'),
      'p.yaml:6: add /a is already on line 5. Keep one of the two.',
    ],
    [
      'ids of models that no request can name',
      withChanges('{ field: model.id, types: [integer], why: Old. }'),
      'p.yaml:5: model.id must allow string. Add it.',
    ],
    ['no change', `${HEAD}changes: []`, 'p.yaml:4: changes must not be empty.'],
    [
      'an unknown key',
      withChanges('{ clause: errors.code, levle: should, why: x y }'),
      'p.yaml:5: unknown key "levle" in a change. Did you mean "level"?',
    ],
    ['no why', withChanges('{ clause: errors.code, level: should }'), 'p.yaml:5: a change needs why.'],
    [
      'an empty why',
      withChanges("{ clause: errors.code, level: should, why: '' }"),
      'p.yaml:5: why must not be empty.',
    ],
    [
      'TODO as why',
      withChanges('{ clause: errors.code, level: should, why: TODO later }'),
      'p.yaml:5: why must give the reason for the change. Write it in a sentence.',
    ],
    [
      'a why without a word',
      withChanges("{ clause: errors.code, level: should, why: '???' }"),
      'p.yaml:5: why must give the reason',
    ],
    [
      'nothing that changes',
      withChanges('{ level: should, why: Old. }'),
      'p.yaml:5: a change needs one of clause, limit, required, field, add.',
    ],
    [
      'two changes in one',
      withChanges('{ clause: errors.code, limit: top_p, why: Old. }'),
      'p.yaml:5: a change has both clause and limit. Make two changes of it.',
    ],
    [
      'a stray key',
      withChanges('{ required: max_tokens, max: 3, why: Old. }'),
      'p.yaml:5: max does not belong to a change of required. Remove it.',
    ],
    ['no level', withChanges('{ clause: errors.code, why: Old. }'), 'p.yaml:5: the change of errors.code needs level.'],
    [
      'an unknown level',
      withChanges('{ clause: errors.code, level: never, why: Old. }'),
      'p.yaml:5: level must be one of must, should, observe, not "never".',
    ],
    [
      'an unknown clause',
      withChanges('{ clause: errors.cdoe, level: should, why: Old. }'),
      'p.yaml:5: unknown clause "errors.cdoe". Did you mean "errors.code"?',
    ],
    [
      'an unknown clause without summary',
      withChanges('{ clause: acme.request-id, level: must, why: Old. }'),
      'p.yaml:5: unknown clause "acme.request-id". A clause of your own needs summary.',
    ],
    [
      'a clause that cannot be judged',
      withChanges('{ clause: events.webhooks, level: must, why: Old. }'),
      'p.yaml:5: events.webhooks cannot be judged',
    ],
    [
      'the level of v1',
      withChanges('{ clause: errors.code, level: must, why: Old. }'),
      'p.yaml:5: errors.code is must in v1 already. Remove the change.',
    ],
    [
      'a new summary for a clause of v1',
      withChanges('{ clause: errors.code, level: should, summary: Mine., why: Old. }'),
      'p.yaml:5: errors.code is a clause of v1, so its summary stays. Remove summary.',
    ],
    [
      'an own clause with a name of v1',
      withChanges('{ clause: errors.mine, level: must, summary: Mine., why: Old. }'),
      'p.yaml:5: ids that start with errors. belong to v1.',
    ],
    [
      'an own clause with a bad id',
      withChanges('{ clause: acme, level: must, summary: Mine., why: Old. }'),
      'p.yaml:5: the id "acme" must be two lower-case names joined by a dot',
    ],
    [
      'an own clause without a suite',
      withChanges(OWN),
      'p.yaml:5: no case judges acme.request-id. Name the suite that does, as suite.',
    ],
    [
      'an own clause that the suite does not judge',
      `suite: suite.yaml\n${withChanges(OWN.replace('request-id', 'other'))}`,
      'p.yaml:6: no case judges acme.other. Add one to the suite.',
    ],
    [
      'a suite that is not there',
      `suite: nowhere.yaml\n${withChanges(OWN)}`,
      'p.yaml:1: Cannot read the suite nowhere.yaml: there is no such file.',
    ],
    [
      'a limit without min and max',
      withChanges('{ limit: top_p, why: Old. }'),
      'p.yaml:5: the limit of top_p needs min or max.',
    ],
    [
      'min above max',
      withChanges('{ limit: top_p, min: 0.9, max: 0.1, why: Old. }'),
      'p.yaml:5: the minimum of top_p (0.9) is above its maximum (0.1).',
    ],
    [
      'min above the max of v1',
      withChanges('{ limit: top_p, min: 3, why: Old. }'),
      'p.yaml:5: the minimum of top_p (3) is above its maximum (1).',
    ],
    [
      'a limit that v1 does not have',
      withChanges('{ limit: top_k, max: 3, why: Old. }'),
      'p.yaml:5: v1 has no limit for "top_k". Did you mean "top_p"?',
    ],
    [
      'a side that v1 does not limit',
      withChanges('{ limit: max_tokens, max: 4096, why: Old. }'),
      'p.yaml:5: v1 has no max of max_tokens. Remove it.',
    ],
    [
      'the limit of v1',
      withChanges('{ limit: temperature, max: 2, why: Old. }'),
      'p.yaml:5: the max of temperature is 2 in v1 already. Remove it.',
    ],
    [
      'a fraction of a token',
      withChanges('{ limit: max_tokens, min: 1.5, why: Old. }'),
      'p.yaml:5: the min of max_tokens must be a whole number.',
    ],
    [
      'a limit that is a text',
      withChanges('{ limit: top_p, max: all, why: Old. }'),
      'p.yaml:5: max must be a number or none, not "all".',
    ],
    [
      'a limit without end',
      withChanges('{ limit: top_p, max: .inf, why: Old. }'),
      'p.yaml:5: the max of top_p must be a number or none.',
    ],
    [
      'a field that is required already',
      withChanges('{ required: model, why: Old. }'),
      'p.yaml:5: v1 requires model already. Remove the change.',
    ],
    [
      'a required field that v1 does not have',
      withChanges('{ required: user, why: Old. }'),
      'p.yaml:5: v1 has no parameter "user". Use one of max_tokens, temperature, top_p, stream. Send other fields with add.',
    ],
    [
      'a field that no answer has',
      withChanges('{ field: error.cod, types: [string], why: Old. }'),
      'p.yaml:5: no answer has a field "error.cod". Did you mean "error.code"?',
    ],
    [
      'a field without types',
      withChanges('{ field: error.code, why: Old. }'),
      'p.yaml:5: the change of error.code needs types.',
    ],
    [
      'an unknown type',
      withChanges('{ field: error.code, types: [string, text], why: Old. }'),
      'p.yaml:5: unknown type "text".',
    ],
    [
      'a bare null as a type',
      withChanges('{ field: error.code, types: [string, null], why: Old. }'),
      'p.yaml:5: an item of types must be the name of a type in quotes',
    ],
    [
      'the type of v1',
      withChanges('{ field: error.code, types: [string], why: Old. }'),
      'p.yaml:5: error.code is a string in v1 already. Remove it.',
    ],
    [
      'add of a field of part 2',
      withChanges('{ add: { /temperature: 1 }, why: Old. }'),
      'p.yaml:5: temperature is a field of part 2, which cases test. Remove it from add.',
    ],
    [
      'add without a pointer',
      withChanges('{ add: { metadata: 1 }, why: Old. }'),
      'p.yaml:5: "metadata" in add must be a JSON pointer such as /metadata.',
    ],
    [
      'a clause twice',
      withChanges(
        '{ clause: errors.code, level: should, why: Old. }',
        '{ clause: errors.code, level: observe, why: Old. }',
      ),
      'p.yaml:6: clause errors.code is already on line 5. Keep one of the two.',
    ],
    [
      'a limit twice',
      withChanges('{ limit: top_p, min: 0.1, why: Old. }', '{ limit: top_p, max: 0.9, why: Old. }'),
      'p.yaml:6: limit top_p is already on line 5. Keep one of the two.',
    ],
    [
      'add of one place twice',
      withChanges('{ add: { /a: 1 }, why: Old. }', '{ add: { /a: 2 }, why: Old. }'),
      'p.yaml:6: add /a is already on line 5. Keep one of the two.',
    ],
    [
      'a variable',
      withChanges('{ add: { /tenant: "${TENANT}" }, why: Old. }'),
      'p.yaml:5: ${…} is not replaced in a profile, since reports print it. Write the value itself.',
    ],
    ['no YAML', `${HEAD}changes: [`, 'p.yaml:4: the [ that starts here has no closing ]'],
  ])('%s', (_what, text, sentence) => {
    expect(complaint(text)).toContain(sentence);
    for (const line of complaint(text).split('\n')) expect(line).toMatch(/^p\.yaml:\d+: /);
  });
});

describe('all mistakes of a change are told at once', () => {
  const WHY = 'why must give the reason for the change. Write it in a sentence.';
  it.each<[what: string, text: string, sentences: readonly string[]]>([
    [
      'a draft that still lacks its reason, and its clause',
      withChanges('clause: errors.cdoe\n    level: should\n    why: TODO'),
      ['p.yaml:5: unknown clause "errors.cdoe". Did you mean "errors.code"?', `p.yaml:7: ${WHY}`],
    ],
    [
      'the same in one line',
      withChanges('{ clause: errors.cdoe, level: should, why: TODO }'),
      [`p.yaml:5: ${WHY}`, 'p.yaml:5: unknown clause "errors.cdoe". Did you mean "errors.code"?'],
    ],
    [
      'a reason that is missing twice, for one field',
      withChanges('{ required: max_tokens, why: TODO }', '{ required: max_tokens, why: TODO }'),
      [
        `p.yaml:5: ${WHY}`,
        `p.yaml:6: ${WHY}`,
        'p.yaml:6: required max_tokens is already on line 5. Keep one of the two.',
      ],
    ],
    [
      'an own clause that no case judges',
      withChanges('{ clause: acme.request-id, level: must, summary: It has it., why: TODO }'),
      [`p.yaml:5: ${WHY}`, 'p.yaml:5: no case judges acme.request-id. Name the suite that does, as suite.'],
    ],
    [
      'both limits and a stray key',
      withChanges('{ limit: temperature, min: 0, max: .inf, types: [string], why: Old. }'),
      [
        'p.yaml:5: types does not belong to a change of limit. Remove it.',
        'p.yaml:5: the min of temperature is 0 in v1 already. Remove it.',
        'p.yaml:5: the max of temperature must be a number or none.',
      ],
    ],
    [
      'two types and two added fields',
      withChanges(
        '{ field: error.code, types: [text, word], why: Old. }',
        '{ add: { /model: a, /stream: b }, why: Old. }',
      ),
      [
        'p.yaml:5: unknown type "text". Use one of',
        'p.yaml:5: unknown type "word". Use one of',
        'p.yaml:6: model is a field of part 2',
        'p.yaml:6: stream is a field of part 2',
      ],
    ],
  ])('%s', (_what, text, sentences) => {
    const lines = complaint(text).split('\n');
    expect(lines.map((line, at) => line.slice(0, sentences[at]?.length))).toEqual(sentences);
  });
});

describe('a profile', () => {
  it('is read with its changes, their lines and its suite', () => {
    const profile = read(
      `suite: suite.yaml\n${withChanges(OWN, '{ limit: temperature, max: none, why: All models take more. }')}`,
    );
    expect(profile).toMatchObject({ name: 'acme', version: '3', file: 'p.yaml', suite: { value: { suite: 'acme' } } });
    expect(profile.changes).toEqual([
      {
        kind: 'clause',
        clause: 'acme.request-id',
        level: 'must',
        summary: 'It has it.',
        line: 6,
        why: 'Support needs it.',
      },
      { kind: 'limit', field: 'temperature', max: null, line: 7, why: 'All models take more.' },
    ]);
  });

  it('has a digest of what it says, however it is written, and of its suite', () => {
    const change = '{ clause: errors.code, level: should, why: Old. }';
    const { digest } = read(withChanges(change));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(
      read(
        `# A comment.\nbasedOn: v1\nversion: "3"\nprofile: acme\nchanges:\n- why: Old.\n  level: should\n  clause: errors.code`,
      ).digest,
    ).toBe(digest);
    expect(read(withChanges(change.replace('Old', 'New'))).digest).not.toBe(digest);
    const before = read(`suite: suite.yaml\n${withChanges(OWN)}`).digest;
    writeFileSync(
      join(folder, 'other.yaml'),
      `# Moved.\nsuite: acme\ntitle: Acme\ncases:\n  - { id: request-id, title: Every answer has it, over: ['*'], expect: [{ clause: acme.request-id, check: header-present, name: x-request-id }] }\n`,
    );
    expect(read(`suite: other.yaml\n${withChanges(OWN)}`).digest).toBe(before);
    writeFileSync(
      join(folder, 'other.yaml'),
      'suite: acme\ntitle: Acme\ncases: [{ id: b, title: B, over: ["*"], expect: [{ clause: acme.request-id, check: header-present, name: y }] }]\n',
    );
    expect(read(`suite: other.yaml\n${withChanges(OWN)}`).digest).not.toBe(before);
  });

  it('is found by name in the package, or by its file', () => {
    expect(builtInProfiles()).toEqual(['common-servers']);
    expect(loadProfile('common-servers', folder)).toMatchObject({ name: 'common-servers', version: '2' });
    expect(() => loadProfile('common-server', folder)).toThrow(
      'Unknown profile "common-server". Did you mean "common-servers"?',
    );
    expect(() => loadProfile('nothing.yaml', folder)).toThrow(
      'Cannot read the profile nothing.yaml: there is no such file.',
    );
  });
});

it('A digest does not depend on the order of members', () => {
  expect(digestOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digestOf({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }));
});

it('Mistakes of a profile in form and in meaning are reported together', () => {
  const text = withChanges(
    '{ clause: errors.cod, level: should, why: They differ. }',
    '{ clause: errors.code, level: shuold, why: They differ. }',
    '{ clause: acme.other, level: must, summary: Other., why: House rule. }',
    '{ clause: errors.type, level: should, why: They differ. }',
    '{ clause: errors.type, level: observe, why: "${REASON}" }',
  );
  expect(complaint(text).split('\n')).toEqual([
    expect.stringContaining('p.yaml:5: unknown clause "errors.cod"'),
    expect.stringContaining('p.yaml:6: level must be one of'),
    expect.stringContaining('p.yaml:7: no case judges acme.other.'),
    expect.stringContaining('p.yaml:9: ${…} is not replaced in a profile'),
  ]);
});

it('Names that do not exist are told with mistakes in form, also in the same change', () => {
  const text = [
    'profile: v1',
    'basedOn: v2',
    'changes:',
    '  - clause: nope',
    '    level: foo',
    '  - limit: temprature',
    '    max: 1',
    '    why: It is.',
    '  - field: error.cod',
    '    types: [strng]',
    '    why: It is.',
    '  - limit: top_p',
    '    max: high',
    '    summary: One.',
    '    why: TODO',
    '  - clause: errors.code',
    '    level: 5',
    '    why: It is.',
    '  - add: 5',
    '    why: TODO',
    '  - not a change',
  ].join('\n');
  const said = complaint(text).split('\n');
  expect(said.map((line) => /^p\.yaml:(\d+: .*?)[.,]( |$)/.exec(line)?.[1])).toEqual([
    '1: a profile needs version',
    '1: v1 is the contract itself',
    '2: basedOn must be "v1"',
    '4: a change needs why',
    '4: unknown clause "nope"',
    '5: level must be one of must',
    '6: v1 has no limit for "temprature"',
    '9: no answer has a field "error.cod"',
    '10: unknown type "strng"',
    expect.stringMatching(/^13: max must be /),
    '14: summary does not belong to a change of limit',
    '15: why must give the reason for the change',
    '17: level must be a string',
    expect.stringMatching(/^19: add must be a map/),
    '20: why must give the reason for the change',
    expect.stringMatching(/^21: an item of changes must be a map/),
  ]);
});
