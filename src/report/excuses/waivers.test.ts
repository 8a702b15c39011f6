import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import { readWaivers } from './waivers.ts';

const contract = loadContract();
const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
const read = (text: string) => readWaivers(text, 'w.yaml', { contract, cases });
const entry = (...lines: string[]) => `waivers:\n  - ${lines.join('\n    ')}\n`;
const REST = ['reason: known', 'until: 2030-12-31'];

describe('the waiver file', () => {
  it('is read with the line and the target of each entry', () => {
    const { file, waivers } = read(`# why
waivers:
  - clause: errors.code
    reason: Codes are numbers.
    owner: gateway team
    link: https://tracker.example/42
    until: 2030-12-31

  - case: auth/unknown-key
    clause: errors.*
    reason: removed
    announced: { date: 2030-06-01, link: https://gateway.example/changelog }
`);
    expect(file).toBe('w.yaml');
    expect(waivers.map(({ line }) => line)).toEqual([3, 9]);
    expect(waivers[0]?.entry).toEqual({
      clause: 'errors.code',
      reason: 'Codes are numbers.',
      owner: 'gateway team',
      link: 'https://tracker.example/42',
      until: '2030-12-31',
    });
    expect(new Set(waivers[0]?.names.map(({ clause }) => clause))).toEqual(new Set(['errors.code']));
    const named = new Set(waivers[1]?.names.map((expected) => expected.case));
    expect(named).toEqual(new Set(cases.map(({ id }) => id).filter((id) => id.startsWith('auth/unknown-key['))));
    expect(waivers[1]?.names.every(({ clause }) => clause.startsWith('errors.'))).toBe(true);
  });

  it('is refused for mistakes in form and in meaning together', () => {
    const [first, second] = [
      entry('clase: errors.code', ...REST),
      '  - { clause: errors.cdoe, reason: known, until: 2030-12-31 }\n',
    ];
    expect(() => read(`${first}${second}`)).toThrow(
      /^w\.yaml:2: unknown key "clase".*\nw\.yaml:5: there is no clause "errors\.cdoe"/,
    );
  });

  it.each(['', '# nothing\n', 'waivers:\n', 'waivers: []\n'])('may have no entries: %j', (text) => {
    expect(read(text).waivers).toEqual([]);
  });

  it.each([
    [entry('clase: errors.code', ...REST), 'w.yaml:2: unknown key "clase" in a waiver. Did you mean "case"?'],
    [
      entry('reason: known', 'clause: errors.cdoe', 'until: 2030-12-31'),
      'w.yaml:3: there is no clause "errors.cdoe". Did you mean "errors.code"?',
    ],
    [
      entry('case: auth/unknown-kye', ...REST),
      'w.yaml:2: there is no case "auth/unknown-kye". Did you mean "auth/unknown-key',
    ],
    [
      entry('clause: nothing.like.it.*', ...REST),
      'w.yaml:2: there is no clause "nothing.like.it.*". `npx --no-install wirecheck list clauses` lists the ids. A name of your own suite or profile needs --suite or --profile.',
    ],
    [
      entry('clause: events.webhooks', ...REST),
      'w.yaml:2: events.webhooks cannot be observed over the wire, so there is nothing to waive.',
    ],
    [entry('fingerprint: XYZ', ...REST), 'w.yaml:2: fingerprint must be a fingerprint from a report'],
    [entry(...REST), 'w.yaml:2: a waiver needs a case, a clause or a fingerprint.'],
    [
      entry('clause: errors.code', 'reason: known'),
      'w.yaml:2: a waiver needs either until (its last day) or announced (the day of a removal).',
    ],
    [
      entry('clause: errors.code', ...REST, 'announced: { date: 2030-01-01, link: https://a.example }'),
      'w.yaml:2: a waiver needs either until (its last day) or announced (the day of a removal).',
    ],
    [entry('clause: errors.code', 'until: 2030-12-31'), 'w.yaml:2: a waiver needs reason.'],
    [
      entry('clause: errors.code', 'reason: known', 'until: 2030-02-30'),
      'w.yaml:4: until must be a date such as 2030-12-31, not "2030-02-30".',
    ],
    [
      entry('clause: errors.code', 'reason: known', 'announced: { date: 2030-01-01 }'),
      'w.yaml:4: an announcement needs link.',
    ],
    [entry('clause: errors.code', ...REST, 'link: nowhere'), 'w.yaml:5: link must be an address such as'],
    ['waivers: {}\n', 'w.yaml:1: waivers must be a list or null.'],
    ['- clause: errors.code\n', 'w.yaml:1: the file must be a map.'],
    ['waivers: [\n', 'w.yaml:'],
  ])('is refused with the line of the error: %j', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  it('may name a case and a clause that it does not judge, which is told', () => {
    const [vain, fine, change] = [
      ['case: models/list', 'clause: stream.done'],
      ['case: models/*', 'clause: list.*'],
      ['case: models/list', 'clause: versioning.no-breaking-change'],
    ].map((lines) => read(entry(...lines, ...REST)).waivers[0]);
    expect(vain).toMatchObject({ names: [], matchesNothing: true });
    expect([fine?.matchesNothing, change?.matchesNothing]).toEqual([undefined, undefined]);
  });

  it('is refused for ids that do not exist, whatever else is wrong with their entry', () => {
    const wrong = entry('reason: known', 'case: auth/nope', 'clause: errors.cod', 'until: 2030-13-41');
    expect(() => read(wrong)).toThrow(
      /^w\.yaml:3: there is no case "auth\/nope"\..*\nw\.yaml:4: there is no clause "errors\.cod"\..*\nw\.yaml:5: until must be a date/,
    );
    expect(() => read(entry('reason: known', 'case: 7', 'until: 2030-12-31'))).toThrow(/^w\.yaml:3: case must be/);
  });

  it('is refused for all its mistakes at once', () => {
    const wrong = `waivers:\n  - { clause: errors.cod, reason: known, until: 2030-12-31 }\n  - { clause: errors.code, reason: known }\n`;
    expect(() => read(wrong)).toThrow(
      /^w\.yaml:2: there is no clause "errors\.cod"\..*\nw\.yaml:3: a waiver needs either until/,
    );
  });
});
