import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractOf } from './apply-profile.ts';
import { clausesOfSuites } from './own-clauses.ts';
import { loadProfile } from './read-profile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-own-clauses-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CASE = `cases:
  - id: one
    title: One
    over: ['*']
    expect: [{ clause: house.id, check: header-present, name: x-id }]
`;
const GOOD = '- { id: house.id, level: must, summary: It has an id., hurts: Support. }';

function suite(clauses: string, name = 'house.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, `suite: house\ntitle: House\nclauses:\n  ${clauses}\n${CASE}`);
  return file;
}

const complaint = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '');
  }
  return 'none';
};

describe('the clauses of a suite', () => {
  it('are part of the contract of a run with it', () => {
    const contract = contractOf({ levels: {}, suites: [suite(GOOD), 'auth'] });
    expect(contract.clause('house.id')).toEqual({
      ...{ id: 'house.id', part: '-', kind: 'stated', level: 'must', scope: 'run', summary: 'It has an id.' },
    });
    expect(contract.explain('house.id')).toEqual({ reading: 'Your suite states it.', hurts: 'Support.' });
    expect(contractOf({ levels: {}, suites: ['auth'] })).toBe(contractOf({ levels: {} }));
    expect(contractOf({ levels: {}, suites: [join(folder, 'missing.yaml')] })).toBe(contractOf({ levels: {} }));
  });

  it('are read anew if the file changed, and do not depend on its lines', () => {
    const file = suite(GOOD);
    const before = contractOf({ levels: {}, suites: [file] });
    suite(`# A comment.\n  ${GOOD}`);
    utimesSync(file, 1, 1);
    expect(contractOf({ levels: {}, suites: [file] })).toBe(before);
    suite(GOOD.replace('must', 'should'));
    utimesSync(file, 2, 2);
    expect(contractOf({ levels: {}, suites: [file] }).clause('house.id')?.level).toBe('should');
  });

  it('with a mistake are refused together with a mistyped check, which is named', () => {
    const file = suite(GOOD.replace('must', 'mus'), 'mistyped.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('header-present', 'header-presnt'));
    expect(complaint(() => clausesOfSuites([file]))).toBe(
      [
        'mistyped.yaml:4: level must be one of must, should, observe, not "mus". Did you mean "must"?',
        'mistyped.yaml:9: unknown check "header-presnt". Did you mean "header-present"?',
      ].join('\n'),
    );
  });

  it.each([
    ['no list', '{ id: house.id }', '3: clauses must be a list.'],
    ['no map', '- house.id', '4: an item of clauses must be a map.'],
    [
      'a stray key',
      `${GOOD.slice(0, -2)}, sumary: x }`,
      '4: unknown key "sumary" in a clause. Did you mean "summary"?',
    ],
    ['no level', '- { id: house.id, summary: x }', '4: a clause needs level.'],
    [
      'a wrong level',
      '- { id: house.id, level: mus, summary: x }',
      '4: level must be one of must, should, observe, not "mus". Did you mean "must"?',
    ],
    ['a wrong type', '- { id: house.id, level: must, summary: 5 }', '4: summary must be a string.'],
    [
      'a wrong id',
      '- { id: House, level: must, summary: x }',
      '4: id must be two lower-case names joined by a dot, such as house.request-id, not "House".',
    ],
    [
      'an id of v1',
      '- { id: errors.mine, level: must, summary: x }',
      '4: ids that start with errors. belong to v1. Start yours with a name of your own.',
    ],
    [
      'a clause that nothing judges',
      `${GOOD}\n  - { id: house.other, level: must, summary: x }`,
      '5: no case judges house.other. Add one to the suite.',
    ],
    ['a clause twice', `${GOOD}\n  ${GOOD}`, '5: the clause house.id is already at house.yaml:4. Choose another id.'],
  ])('are refused with %s, at the line', (_what, clauses, message) => {
    const file = suite(clauses, 'house.yaml');
    expect(complaint(() => clausesOfSuites([file]))).toBe(`house.yaml:${message}`);
  });

  it('in two files need different ids', () => {
    const files = [suite(GOOD, 'a.yaml'), suite(GOOD, 'b.yaml')];
    expect(complaint(() => clausesOfSuites(files))).toBe(
      'b.yaml:4: the clause house.id is already at a.yaml:4. Choose another id.',
    );
  });
});

describe('a profile', () => {
  const profile = (changes: string): string => {
    const file = join(folder, 'acme.yaml');
    writeFileSync(file, `profile: acme\nversion: '1'\nbasedOn: v1\nsuite: of-profile.yaml\nchanges:\n${changes}`);
    return file;
  };
  const LEVEL = '  - { clause: errors.code, level: should, why: Old services. }\n';

  it('has the clauses of its suite, which are changes like its own', () => {
    suite(GOOD, 'of-profile.yaml');
    const read = loadProfile(profile(LEVEL), folder);
    expect(read.changes.map((change) => change.kind)).toEqual(['level', 'clause']);
    const contract = contractOf({ levels: {}, profile: read });
    expect(contract.clause('house.id')?.level).toBe('must');
    expect(contract.explain('house.id')).toEqual({ reading: 'The profile states it.', hurts: 'Support.' });
  });

  it('cannot state a clause of its suite once more, and cannot be used with the clauses of another suite', () => {
    suite(GOOD, 'of-profile.yaml');
    const twice = profile('  - { clause: house.id, level: must, summary: It., why: Us. }\n');
    expect(complaint(() => loadProfile(twice, folder))).toBe(
      'of-profile.yaml:4: house.id is already a change of the profile. Keep one of the two.',
    );
    const read = loadProfile(profile(LEVEL), folder);
    expect(complaint(() => contractOf({ levels: {}, profile: read, suites: [suite(GOOD)] }))).toBe(
      'house.yaml:4: clauses of a suite cannot be used with the profile acme. Make the file its suite.',
    );
    const own = suite(GOOD, 'of-profile.yaml');
    expect(complaint(() => contractOf({ levels: {}, profile: read, suites: [own] }))).toBe(
      'of-profile.yaml:4: this is the suite of the profile acme, which brings it along. Leave out --suite.',
    );
  });

  it('can say who is hurt by a clause of its own', () => {
    suite('- { id: house.b, level: must, summary: x }', 'of-profile.yaml');
    writeFileSync(join(folder, 'of-profile.yaml'), `suite: house\ntitle: House\n${CASE}`);
    const own = profile('  - { clause: house.id, level: must, summary: It., hurts: All of us., why: Us. }\n');
    const contract = contractOf({ levels: {}, profile: loadProfile(own, folder) });
    expect(contract.explain('house.id')).toEqual({ reading: 'The profile states it. Us.', hurts: 'All of us.' });
  });
});
