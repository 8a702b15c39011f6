/** `schemas/files/report.schema.json` describes `Report` exactly: a field that one has and the other has not is found here. */
/* oxlint-disable max-lines -- most of it is the list of optional fields, with a line for each */
import { describe, expect, it } from 'vitest';
import { checkFile, fileSchema } from '../contract/file-schema.ts';
import { KINDS, LEVELS, SCOPES, SUBJECTS } from '../contract/contract.ts';
import { HOW_IT_FAILED } from '../exchange/ending-client.ts';
import { type LimitName, NO_ANSWER, STREAM_ENDS } from '../exchange/exchange.ts';
import { isObject } from '../json.ts';
import { KEY_USES } from '../suite/case.ts';
import { ACTUAL_TYPES } from '../verdict/actual-type.ts';
import { MISMATCHES } from '../verdict/mismatch.ts';
import { VERDICTS } from '../verdict/verdict.ts';
import { type DescribedHeader, type DescribedSetting, OUTCOMES } from './report.ts';
import { CLIENT_RESULTS } from './client-evidence.ts';
import { EXCUSES, SINCE_BASELINE, WAIVER_STATES } from './excuses/excuse-report.ts';
import { ACTUALS } from '../../test/kit/actuals.ts';
import { EXPECTATIONS, OBSERVED_FACTS } from '../../test/kit/facts.ts';
import { NOTICES } from '../../test/kit/notices.ts';
import { REASONS } from '../../test/kit/reasons.ts';
import { BODY_ENDS, ENDINGS, FULL_REPORT } from '../../test/kit/reports.ts';
import { OBSERVATION_NAMES, OBSERVATION_NAMES_OF, OBSERVED_WORDS } from '../verdict/observation.ts';

const LIMITS: Record<LimitName, true> = {
  'max-body': true,
  'max-stream': true,
  'max-total': true,
  'max-line': true,
  'max-headers': true,
  'max-events': true,
  'max-depth': true,
  'max-interim': true,
  timeout: true,
  'edit-timeout': true,
  'connect-timeout': true,
  'first-byte-timeout': true,
  'idle-timeout': true,
  'max-time': true,
};

const OPTIONAL = [
  '/title',
  '/note',
  '/subject',
  '/provenance/clockSkew',
  '/target/name',
  '/target/model',
  '/target/client',
  '/target/client/version',
  '/target/upstream',
  '/outcome/detect',
  '/retries',
  '/time',
  '/tolerance/unknownAnswerFields/0/name/unit',
  '/tolerance/unknownAnswerFields/0/name/isCut',
  '/cases/0/base',
  '/cases/0/control',
  '/cases/0/exchange',
  '/cases/0/repeat',
  '/cases/0/client',
  '/cases/0/client/text',
  '/cases/0/client/said/unit',
  '/cases/0/client/said/isCut',
  '/cases/0/client/complaint/unit',
  '/cases/0/client/complaint/isCut',
  '/cases/0/client/exit',
  '/cases/0/client/signal',
  '/cases/0/relay',
  '/cases/0/partial',
  '/cases/0/expectations/0/reason',
  '/cases/0/expectations/0/findings/0/pointer',
  '/cases/0/expectations/0/findings/0/status',
  '/cases/0/expectations/0/findings/0/answer',
  '/cases/0/expectations/0/findings/0/answer/type',
  '/cases/0/expectations/0/findings/0/answer/type/unit',
  '/cases/0/expectations/0/findings/0/answer/type/isCut',
  '/cases/0/expectations/0/findings/0/answer/code',
  '/cases/0/expectations/0/findings/0/answer/code/unit',
  '/cases/0/expectations/0/findings/0/answer/code/isCut',
  '/cases/0/expectations/0/findings/0/answer/message',
  '/cases/0/expectations/0/findings/0/answer/message/unit',
  '/cases/0/expectations/0/findings/0/answer/message/isCut',
  '/cases/0/expectations/0/findings/0/answer/isPage',
  '/cases/0/expectations/0/findings/0/answer/isEmpty',
  '/cases/0/expectations/0/findings/0/moreAnswers',
  '/cases/0/expectations/0/findings/0/waiver',
  '/cases/0/expectations/0/findings/0/since',
  '/cases/0/expectations/0/answers',
  '/cases/0/expectations/0/intermittent',
  '/cases/0/expectations/0/shared',
  '/cases/0/expectations/0/shared/0/value/unit',
  '/cases/0/expectations/0/shared/0/value/isCut',
  '/cases/0/expectations/0/excused',
  '/clauses/0/levelWas',
  '/clauses/0/why',
  '/clauses/0/verdict',
  '/clauses/0/sureness',
  '/clauses/0/explanation',
  '/clauses/0/explanation/passes',
  '/clauses/0/explanation/fails',
  '/exchanges/0/side',
  '/exchanges/0/body',
  '/exchanges/0/attempts/0/failure',
  '/exchanges/0/attempts/0/failure/limit',
  '/exchanges/0/attempts/0/answer',
  '/exchanges/0/attempts/0/answer/head',
  '/exchanges/0/attempts/0/answer/stream',
  '/exchanges/0/attempts/0/answer/stream/events/0/event',
  '/exchanges/0/attempts/0/answer/stream/lateness',
  '/exchanges/0/controlAfter',
  '/exchanges/0/edits',
  '/exchanges/0/repeat',
  '/affected',
  '/affected/mismatches/0/pointer',
  '/waivers',
  '/waivers/entries/0/case',
  '/waivers/entries/0/clause',
  '/waivers/entries/0/fingerprint',
  '/waivers/entries/0/owner',
  '/waivers/entries/0/link',
  '/waivers/entries/0/until',
  '/waivers/entries/0/announced',
  '/baseline',
];

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

const fits = (value: unknown): boolean => {
  try {
    checkFile('report', { file: 'report.json', value });
    return true;
  } catch {
    return false;
  }
};

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
const isField = (pointer: string): boolean => pointer !== '' && !/\/\d+$/.test(pointer);

describe('the report schema', () => {
  it('accepts a report with every field set', () => {
    expect(() => checkFile('report', { file: 'report.json', value: FULL_REPORT })).not.toThrow();
  });

  it('requires every field of the type, except optional ones', () => {
    const dispensable = all
      .filter(([pointer]) => isField(pointer) && fits(changed(pointer, () => undefined)))
      .map(([pointer]) => pointer);
    expect(dispensable).toEqual(OPTIONAL);
  });

  it('has no field that the type lacks', () => {
    for (const [pointer, value] of all) {
      if (!isObject(value) || FREE.has(pointer)) continue;
      expect(fits(changed(pointer, () => ({ ...value, stranger: 1 }))), pointer).toBe(false);
    }
    const schemas = (['report', 'traffic'] as const).map((name): unknown => JSON.parse(fileSchema(name)));
    const named = new Set(all.flatMap(([pointer]) => pointer.split('/')));
    for (const value of [
      ...Object.values(ENDINGS),
      ...Object.values(BODY_ENDS),
      ...Object.values(WITHHELD),
      ...Object.values(HEADERS),
      ...Object.values(FACTS).flatMap(([, facts]) => facts),
    ]) {
      for (const [pointer] of places(value)) for (const name of pointer.split('/')) named.add(name);
    }
    const strangers = [...propertyNames(schemas)].filter((name) => !named.has(name));
    expect(strangers).toEqual([]);
  });

  it('rejects another type anywhere', () => {
    for (const [pointer, value] of all) {
      // The value of an edit and of an observation may be anything, or nearly.
      if (FREE.has(pointer) || /\/value(?:\/\d+)?$/.test(pointer)) continue;
      const other = typeof value === 'string' ? 5 : 'x';
      expect(fits(changed(pointer, () => other)), pointer).toBe(false);
    }
  });

  it.each(Object.keys(HOW_IT_FAILED))('accepts a client that failed the plain control: %s', (how) => {
    expect(fits({ ...FULL_REPORT, ending: { ...ENDINGS['client-failed-control'], how } })).toBe(true);
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

  it.each(Object.entries(FACTS))('accepts a %s of every kind, and none with an unknown part', (_, [pointer, facts]) => {
    for (const fact of facts) {
      expect(fits(changed(pointer, () => fact)), JSON.stringify(fact)).toBe(true);
      expect(fits(changed(pointer, () => ({ ...fact, stranger: 1 }))), JSON.stringify(fact)).toBe(false);
    }
    expect(fits(changed(pointer, () => ({ kind: 'stranger' })))).toBe(false);
  });

  it.each(Object.entries(BODY_ENDS))('accepts a body that ended with %s', (_, end) => {
    const pointer = '/exchanges/0/attempts/0/answer/body/end';
    expect(fits(changed(pointer, () => end))).toBe(true);
    expect(fits(changed(pointer, () => ({ ...end, stranger: 1 })))).toBe(false);
  });

  it.each([
    ['/cases/0/verdict', VERDICTS],
    ['/subject', SUBJECTS],
    ['/cases/0/client/result', CLIENT_RESULTS],
    ['/outcome/name', OUTCOMES],
    ['/cases/0/expectations/0/excused', EXCUSES],
    ['/cases/0/expectations/0/findings/0/since', SINCE_BASELINE],
    ['/waivers/entries/0/state', WAIVER_STATES],
    ['/clauses/0/kind', KINDS],
    ['/clauses/0/scope', SCOPES],
    ['/cases/0/expectations/0/level', LEVELS],
    ['/clauses/0/level', [...LEVELS, 'none']],
    ['/exchanges/0/key', KEY_USES],
    ['/exchanges/0/attempts/0/failure/kind', NO_ANSWER],
    ['/exchanges/0/attempts/0/failure/limit', Object.keys(LIMITS)],
    ['/exchanges/0/attempts/0/answer/stream/end', STREAM_ENDS],
    ['/cases/0/expectations/0/findings/0/mismatch', MISMATCHES],
    ['/cases/0/expectations/0/findings/0/actualType', ACTUAL_TYPES],
    ['/observations/0/value', OBSERVED_WORDS],
    ['/observations/0/name', OBSERVATION_NAMES_OF],
    ['/cases/0/expectations/0/observations/0/name', OBSERVATION_NAMES],
    ['/outcome/exit', [0, 1, 3, 130]],
  ])('accepts exactly the values of the code at %s', (pointer, values) => {
    for (const value of values) expect(fits(changed(pointer, () => value)), String(value)).toBe(true);
    expect(fits(changed(pointer, () => 'stranger'))).toBe(false);
  });

  it('locates the error in a damaged report', () => {
    const value = changed('/cases/0/verdict', () => 'fali');
    expect(() => checkFile('report', { file: 'report.json', value })).toThrow(
      /^report\.json: verdict must be one of fail, .* Did you mean "fail"\?$/,
    );
  });
});

function* propertyNames(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const item of schema) yield* propertyNames(item);
  if (!isObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isObject(value)) {
      yield* Object.keys(value);
      for (const property of Object.values(value)) yield* propertyNames(property);
    } else {
      yield* propertyNames(value);
    }
  }
}
