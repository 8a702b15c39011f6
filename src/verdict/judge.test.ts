import { describe, expect, it } from 'vitest';
import type { Level } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Ask, Case } from '../suite/case.ts';
import { loadRequests } from '../suite/load-requests.ts';
import type { Check } from './check.ts';
import { judgeCases } from './judge.ts';
import { COMPLETION, plainExchange, runView } from '../../test/kit/exchanges.ts';
import { formatObservations } from './observation.ts';
import type { CheckResult, Finding, Verdict } from './verdict.ts';

const contract = loadContract();
const NOTHING = { requests: 0, completions: 0, tokens: 0 };

/** The level that the contract gives to each of these. */
const CLAUSES: Record<Level, string> = {
  must: 'errors.code',
  should: 'wire.json-labelled',
  observe: 'wire.compression',
};

interface Parts {
  readonly cases?: readonly Case[];
  readonly stepsOf?: Plan['stepsOf'];
  readonly omissions?: Plan['omissions'];
  readonly exchanges?: readonly Exchange[];
  readonly ending?: Ending;
  readonly settings?: Partial<Settings>;
  readonly checks?: Readonly<Record<string, Check>>;
}

function caseOf(
  id: string,
  clause: string,
  check: string,
  ask?: Partial<Ask> & { readonly base?: Ask['base'] },
  over: readonly string[] = [],
): Case {
  const base = loadRequests().get('chat');
  if (!base) throw new Error('no chat');
  return {
    id,
    suite: 'own',
    title: id,
    source: { file: 'own.yaml', line: 1 },
    ...(ask && { ask: { base, edits: [], sample: false, closing: false, ...ask } }),
    over,
    needs: [],
    expect: [{ clause, check, options: {} }],
  };
}

function judge(parts: Parts): readonly Verdict[] {
  const plan: Plan = {
    cases: parts.cases ?? [],
    partial: [],
    steps: [],
    stepsOf: parts.stepsOf ?? {},
    omissions: parts.omissions ?? [],
    least: NOTHING,
    most: NOTHING,
  };
  const traffic: Traffic = {
    ...runView({ exchanges: parts.exchanges ?? [] }).traffic,
    ...(parts.ending && { ending: parts.ending }),
  };
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...parts.settings };
  return judgeCases(plan, traffic, { contract, settings, checks: parts.checks ?? {} });
}

const says = (result: CheckResult): Check => ({ summary: 'x', execute: () => result });
const finding: Finding = {
  mismatch: 'type',
  exchange: 'chat',
  attempt: 0,
  expected: { kind: 'type', types: ['string'] },
  actualType: 'null',
  actual: { kind: 'value', value: null },
  more: 0,
};
const BROKEN: CheckResult = { kind: 'broken', findings: [finding] };

/** The verdict on one clause of this level. */
function verdictAt(level: Level, result: CheckResult, settings: Partial<Settings> = {}): Verdict | undefined {
  return judge({
    cases: [caseOf('own/a', CLAUSES[level], 'it', undefined, ['*'])],
    exchanges: [plainExchange({ json: COMPLETION })],
    checks: { it: says(result) },
    settings,
  })[0];
}

describe('level and result', () => {
  it.each<[Level, CheckResult, string, string]>([
    // level, result, verdict, verdict with --strict
    ['must', { kind: 'holds' }, 'pass', 'pass'],
    ['must', BROKEN, 'fail', 'fail'],
    ['must', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['must', { kind: 'skipped', reason: { kind: 'not-json' } }, 'skipped', 'skipped'],
    ['should', { kind: 'holds' }, 'pass', 'pass'],
    ['should', BROKEN, 'warn', 'fail'],
    ['should', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['observe', { kind: 'holds' }, 'observed', 'observed'],
    ['observe', BROKEN, 'observed', 'observed'],
    ['observe', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['observe', { kind: 'observed', observations: [] }, 'observed', 'observed'],
    ['must', { kind: 'observed', observations: [] }, 'observed', 'observed'],
  ])('%s and %j: %s, and with --strict %s', (level, result, verdict, strict) => {
    expect(verdictAt(level, result)?.verdict).toBe(verdict);
    expect(verdictAt(level, result, { strict: true })?.verdict).toBe(strict);
  });

  it.each<[Level, Level, string]>([
    ['must', 'should', 'warn'],
    ['must', 'observe', 'observed'],
    ['should', 'must', 'fail'],
    ['observe', 'must', 'fail'],
  ])('A %s that the user changed to %s is judged accordingly: %s', (level, changed, verdict) => {
    expect(verdictAt(level, BROKEN, { levels: { [CLAUSES[level]]: changed } })).toMatchObject({
      verdict,
      level: changed,
    });
  });

  it('Reason, findings, observations and flakiness are kept', () => {
    expect(verdictAt('must', { kind: 'holds', flaky: true })?.flaky).toBe(true);
    expect(verdictAt('must', BROKEN)?.findings).toMatchObject([
      { ...finding, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
    expect(verdictAt('must', { kind: 'skipped', reason: { kind: 'not-json' } })?.reason).toEqual({ kind: 'not-json' });
    const observations = [{ name: 'n', value: 1 }];
    expect(verdictAt('observe', { kind: 'observed', observations })?.observations).toEqual(observations);
  });

  it('A verdict points to three exchanges at most', () => {
    const exchanges = ['a', 'b', 'c', 'd'].map((id) => plainExchange({ id, step: id }));
    const [verdict] = judge({
      cases: [caseOf('own/a', 'errors.code', 'it', undefined, ['*'])],
      exchanges,
      checks: { it: says({ kind: 'holds' }) },
    });
    expect(verdict?.exchanges).toEqual(['a', 'b', 'c']);
  });
});

describe('a case that was not sent', () => {
  const asks = caseOf('own/a', CLAUSES.must, 'it', {});
  const checks = { it: says({ kind: 'holds' }) };

  it('is inconclusive at every level, with the ending of the run as the reason', () => {
    const reasonOf = (ending: Ending) => judge({ cases: [asks], checks, ending })[0];
    expect(reasonOf({ kind: 'budget', setting: 'max-time' })).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'budget', setting: 'max-time' } },
    });
    expect(reasonOf({ kind: 'interrupted' })?.reason).toEqual({ kind: 'run-ended', ending: { kind: 'interrupted' } });
    expect(reasonOf({ kind: 'complete' })?.reason).toEqual({ kind: 'basis-unanswered' });
    expect(judge({ cases: [caseOf('own/a', CLAUSES.observe, 'it', {})], checks })[0]?.verdict).toBe('inconclusive');
  });

  it('for lack of a key is skipped, with the settings that would enable it', () => {
    const reason = { kind: 'needs', settings: ['limited-key'] } as const;
    const omissions = [{ case: 'own/a', reason }];
    expect(judge({ cases: [asks], checks, omissions })[0]).toMatchObject({ verdict: 'skipped', reason });
  });

  it('may still be judged if the check looks at the whole run', () => {
    const [verdict] = judge({ cases: [asks], checks: { it: { ...says({ kind: 'holds' }), needsNoExchange: true } } });
    expect(verdict?.verdict).toBe('pass');
  });

  it.each<Ending>([
    { kind: 'not-this-api', status: 200 },
    { kind: 'unreachable', failure: { kind: 'refused', code: 'X', detail: '' } },
  ])('is inconclusive if the target is not this API, whatever it answered: %j', (ending) => {
    const exchanges = [plainExchange({ step: 'own/a' })];
    const parts = { cases: [asks], stepsOf: { 'own/a': ['own/a'] }, exchanges, ending };
    expect(judge({ ...parts, checks: { it: says(BROKEN) } })[0]?.verdict).toBe('inconclusive');
    expect(judge({ ...parts, checks: { it: says({ kind: 'holds' }) } })[0]?.verdict).toBe('inconclusive');
  });
});

describe('the control of a case', () => {
  /** The id of the control that the check is given. */
  const tellsControl: Check = {
    summary: 'x',
    execute: ({ control }) => ({
      kind: 'observed',
      observations: [{ name: 'control', value: { kind: 'step', step: control?.id ?? 'none' } }],
    }),
  };
  const controlOf = (testCase: Case, stepsOf: Plan['stepsOf'], exchanges: readonly Exchange[]): string | undefined =>
    judge({
      cases: [testCase],
      stepsOf: { ...stepsOf, [testCase.id]: [testCase.id] },
      exchanges: [...exchanges, plainExchange({ step: testCase.id, status: 400 })],
      checks: { it: tellsControl },
    })[0]?.observations.map(({ value }) => formatObservations([value]).join())[0];
  const answer = (step: string, id = step) => plainExchange({ step, id, json: COMPLETION });
  const edit = (control: string) => caseOf('own/edit', 'errors.code', 'it', { control });

  it('A control is found by the name of its request', () => {
    expect(controlOf(edit('chat-stream'), {}, [answer('chat'), answer('chat-stream')])).toBe('chat-stream');
    expect(controlOf(edit('chat-stream'), {}, [answer('chat')])).toBe('none');
  });

  it('The chat control is the one that was answered', () => {
    const refused = plainExchange({ step: 'chat', status: 404 });
    expect(controlOf(edit('chat'), {}, [refused, answer('chat', 'chat~2')])).toBe('chat~2');
    expect(controlOf(edit('chat'), {}, [refused, answer('chat-bare')])).toBe('chat-bare');
    expect(controlOf(edit('chat'), {}, [refused])).toBe('chat');
  });

  it('A control may be a case: one that shares the control, and one that was covered by another', () => {
    expect(controlOf(edit('chat/reply'), { 'chat/reply': ['chat', 'chat-bare'] }, [answer('chat')])).toBe('chat');
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [answer('own/cover')])).toBe(
      'own/cover',
    );
    const refused = plainExchange({ step: 'own/cover', status: 400 });
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [refused, answer('own/part')])).toBe(
      'own/part',
    );
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [refused])).toBe('none');
  });

  it('A request that must be answered has its basis as control, or else the plain one', () => {
    expect(
      controlOf(caseOf('own/a', 'errors.code', 'it', { basis: 'own/b' }), { 'own/b': ['own/b'] }, [answer('own/b')]),
    ).toBe('own/b');
    expect(controlOf(caseOf('own/a', 'errors.code', 'it', {}), {}, [answer('chat')])).toBe('chat');
  });
});

describe('covers', () => {
  const refusedAlone: Check = {
    summary: 'x',
    execute: ({ exchanges }) => (exchanges[0]?.id === 'own/good' ? { kind: 'holds' } : BROKEN),
  };
  const cover = caseOf('own/cover', 'errors.code', 'answered', {});
  const part = (id: string) => caseOf(id, 'errors.type', 'answered', { coveredBy: 'own/cover' });
  const parts = (...ids: readonly string[]) => ({
    cases: [cover, ...ids.map(part)],
    stepsOf: { 'own/cover': ['own/cover'], ...Object.fromEntries(ids.map((id) => [id, ['own/cover', id]])) },
    exchanges: ['own/cover', ...ids].map((step) => plainExchange({ step, status: step === 'own/good' ? 200 : 400 })),
    checks: { answered: refusedAlone },
  });

  it('A cover is skipped if one of its parts fails by itself', () => {
    const verdicts = judge(parts('own/good', 'own/bad')).map(({ case: id, verdict }) => [id, verdict]);
    expect(verdicts).toEqual([
      ['own/cover', 'skipped'],
      ['own/good', 'pass'],
      ['own/bad', 'fail'],
    ]);
  });

  it('A cover is skipped if the request that one of its parts changes is refused, too', () => {
    const unjudged: Check = {
      summary: 'x',
      execute: ({ exchanges }) =>
        exchanges[0]?.id === 'own/cover' ? BROKEN : { kind: 'inconclusive', reason: { kind: 'basis-unanswered' } },
    };
    const verdicts = judge({ ...parts('own/bad'), checks: { answered: unjudged } });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['skipped', 'inconclusive']);
  });

  it('A cover fails if all of its parts pass', () => {
    expect(judge(parts('own/good')).map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
  });

  it('A part that was never sent is not judged by the answer to its cover', () => {
    const { exchanges, ...rest } = parts('own/bad');
    const verdicts = judge({
      ...rest,
      exchanges: exchanges.slice(0, 1),
      ending: { kind: 'budget', setting: 'max-requests' },
    });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['fail', 'inconclusive']);
  });
});

it('An unknown check is a bug of the caller', () => {
  expect(() =>
    judge({ cases: [caseOf('own/a', 'errors.code', 'nothing', undefined, ['*'])], exchanges: [plainExchange()] }),
  ).toThrow('does not exist');
});
