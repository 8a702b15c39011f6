/** `schemas/files/report.schema.json` is made from `Report`: these tests show that the way it is made loses nothing. */
import { describe, expect, it } from 'vitest';
import { ACTUALS, EXPECTATIONS, NOTICES, OBSERVED_FACTS, REASONS } from '../../test/kit/one-of-each.ts';
import { BODY_ENDS, ENDINGS, FULL_REPORT } from '../../test/kit/reports.ts';
import { checkFile, compileWith, findBuiltValidator, schemasOf } from '../contract/file-schema.ts';
import { isObject } from '../json.ts';
import type { DescribedHeader, DescribedSetting } from '../settings/setting-flags.ts';

/** Maps whose names are free. */
const FREE = new Set(['/provenance/settings']);

const WITHHELD: Readonly<Record<string, object>> = {
  login: { withheld: 'login', shown: 'http://proxy.example' },
  address: { withheld: 'address' },
  'PEM text': { withheld: 'PEM text' },
} satisfies Record<string, DescribedSetting>;

const HEADERS: Readonly<Record<string, object>> = {
  plain: { name: 'x-team', value: 'blue' },
  secret: { name: 'x-gate', withheld: 'value', variable: 'GATE' },
} satisfies Record<string, DescribedHeader>;

const FACTS: Readonly<Record<string, readonly [pointer: string, facts: readonly object[]]>> = {
  reason: ['/cases/0/expectations/0/reason', REASONS],
  expectation: ['/cases/0/expectations/0/findings/0/expected', EXPECTATIONS],
  actual: ['/cases/0/expectations/0/findings/0/actual', ACTUALS],
  observation: ['/observations/0/value', OBSERVED_FACTS],
  notice: ['/notices/0', NOTICES],
};

/** Unlike `checkFile`, it takes no time to put a mistake into words. */
const fits = findBuiltValidator('report', schemasOf('report')) ?? compileWith('report', {}).validate;

/** The report with the value at a pointer replaced; taken out where there is no other. */
function changed(pointer: string, change: (value: unknown) => unknown): unknown {
  const walk = (here: unknown, at: string): unknown => {
    if (at === pointer) return change(here);
    if (!pointer.startsWith(`${at}/`)) return here;
    if (Array.isArray(here)) return here.map((item, index) => walk(item, `${at}/${index}`));
    if (!isObject(here)) return here;
    const members = Object.entries(here).map(([name, member]) => [name, walk(member, `${at}/${name}`)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return walk(FULL_REPORT, '');
}

function* places(value: unknown, at = ''): Generator<readonly [pointer: string, value: unknown]> {
  yield [at, value];
  if (FREE.has(at)) return;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* places(item, `${at}/${index}`);
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) yield* places(member, `${at}/${name}`);
}

const all = [...places(FULL_REPORT)];

describe('the report schema', () => {
  it('accepts a report with every field set', () => {
    expect(() => checkFile('report', { file: 'report.json', value: FULL_REPORT })).not.toThrow();
  });

  it.each(['/outcome/exit', '/cases/0/expectations/0/findings/0/more', '/exchanges/0/attempts/0/answer/body/end/kind'])(
    'requires %s',
    (pointer) => {
      expect(fits(changed(pointer, () => undefined))).toBe(false);
    },
  );

  it.each(['/title', '/cases/0/expectations/0/reason', '/waivers/entries/0/announced', '/exchanges/0/repeat'])(
    'does not require %s',
    (pointer) => {
      expect(fits(changed(pointer, () => undefined))).toBe(true);
    },
  );

  it('rejects an unknown field anywhere', () => {
    for (const [pointer, value] of all) {
      if (!isObject(value) || FREE.has(pointer)) continue;
      expect(fits(changed(pointer, () => ({ ...value, stranger: 1 }))), pointer).toBe(false);
    }
  });

  it('rejects another type anywhere', () => {
    for (const [pointer, value] of all) {
      // The value of an edit and of an observation may be anything, or nearly.
      if (FREE.has(pointer) || /\/value(?:\/\d+)?$/.test(pointer)) continue;
      const other = typeof value === 'string' ? 5 : 'x';
      expect(fits(changed(pointer, () => other)), pointer).toBe(false);
    }
  });

  it.each([
    ['/cases/0/verdict', 'stranger'],
    ['/observations/0/value', 'stranger'],
    ['/outcome/mustJudged', 1.5],
    ['/outcome/mustJudged', -1],
    ['/provenance/contractHash', 'abc'],
    ['/provenance/startedAt', 'today'],
    ['/retries/causes', { stranger: 1 }],
  ])('rejects at %s: %j', (pointer, value) => {
    expect(fits(changed(pointer, () => value))).toBe(false);
  });

  it.each(Object.entries(ENDINGS))('accepts a run that ended with %s', (_, ending) => {
    expect(fits({ ...FULL_REPORT, ending })).toBe(true);
    expect(fits({ ...FULL_REPORT, ending: { ...ending, stranger: 1 } })).toBe(false);
  });

  it.each(Object.entries(WITHHELD))('accepts a setting with withheld %s', (_, setting) => {
    const take = (x: object) => fits(changed('/provenance/settings', () => ({ x })));
    expect(take(setting)).toBe(true);
    expect(take({ ...setting, stranger: 1 })).toBe(false);
  });

  it.each(Object.entries(HEADERS))('accepts a %s header', (_, header) => {
    const take = (header: object) => fits(changed('/provenance/settings', () => ({ headers: [header] })));
    expect(take(header)).toBe(true);
    expect(take({ ...header, stranger: 1 })).toBe(false);
  });

  it.each(Object.entries(FACTS))(
    'rejects a %s with an unknown part, and one of an unknown kind',
    (_, [pointer, facts]) => {
      for (const fact of facts) {
        expect(fits(changed(pointer, () => fact)), JSON.stringify(fact)).toBe(true);
        expect(fits(changed(pointer, () => ({ ...fact, stranger: 1 }))), JSON.stringify(fact)).toBe(false);
      }
      expect(fits(changed(pointer, () => ({ kind: 'stranger' })))).toBe(false);
    },
  );

  it.each(Object.entries(BODY_ENDS))('accepts a body that ended with %s', (_, end) => {
    const pointer = '/exchanges/0/attempts/0/answer/body/end';
    expect(fits(changed(pointer, () => end))).toBe(true);
    expect(fits(changed(pointer, () => ({ ...end, stranger: 1 })))).toBe(false);
  });

  it.each<[pointer: string, change: (value: unknown) => unknown, sentence: RegExp]>([
    ['/cases/0/verdict', () => 'fali', /^report\.json: verdict must be one of fail, .* Did you mean "fail"\?$/],
    ['/ending', () => ({ kind: 'complte' }), /^report\.json: ending must be of a known kind, not "complte"\.$/],
    ['/ending', () => ({ kind: 'budget' }), /^report\.json: ending needs setting\.$/],
  ])('locates the error in a damaged report: %s', (pointer, change, sentence) => {
    const value = changed(pointer, change);
    expect(() => checkFile('report', { file: 'report.json', value })).toThrow(sentence);
  });
});
