/** The thresholds of rules 34 to 36, on counts. */

import { describe, expect, it } from 'vitest';
import { failure, plainExchange } from '../../../test/kit/exchanges.ts';
import { PARTS, stage } from '../../../test/kit/load-reports.ts';
import type { LoadRecovery } from '../../report/load-report.ts';
import { LOAD_CHECKS, type LoadEvidence } from './load-checks.ts';
import { planRamp } from './plan-load.ts';
import { recoveryFinding } from './alone-calls.ts';
import { createTallies, type LoadTallyName } from './tally.ts';
import { judgeLoad } from './report-on-load.ts';

/** `broken` of `judged` answers in one stage. */
function evidence(name: LoadTallyName, broken: number, judged: number, more: Partial<LoadEvidence> = {}): LoadEvidence {
  const tallies = createTallies();
  for (let at = 0; at < judged; at++)
    tallies[name].add({ exchange: { ...plainExchange({ id: `e${at}` }), stage: 1 } }, at < broken ? PARTS : undefined);
  return {
    tallies,
    stages: [],
    hasUpstream: false,
    hasFallback: true,
    isLocal: true,
    hasOtherKey: false,
    areKeysBlocked: false,
    isShutOut: false,
    recovery: { kind: 'recovered', after: 1 },
    budgets: [],
    rejections: new Set(),
    secondTries: 0,
    anyExchange: 'e',
    ...more,
  };
}

type CheckName = keyof typeof LOAD_CHECKS;
const kindOf = (check: CheckName, run: LoadEvidence): string => LOAD_CHECKS[check].execute(run).kind;
const ELSEWHERE = { isLocal: false };
const SENT = (['refusal', 'unknown-key'] as const).map((kind) =>
  stage(1, { kinds: [{ ...stage(1).kinds[0]!, kind }] }),
);

type Row = readonly [
  check: CheckName,
  tally: LoadTallyName,
  broken: number,
  judged: number,
  kind: string,
  more?: Partial<LoadEvidence>,
];

const ROWS: readonly Row[] = [
  ['fallback-answered', 'fallback-answered', 1, 100, 'broken'],
  ['fallback-answered', 'fallback-answered', 1, 100, 'skipped', { hasFallback: false }],
  ['fallback-joined', 'fallback-joined', 0, 0, 'skipped'],
  ['fallback-calls', 'fallback-calls', 1, 100, 'broken'],
  ['often-failed', 'failed', 0, 100, 'holds'],
  ['often-failed', 'failed', 2, 100, 'holds'],
  ['often-failed', 'failed', 3, 300, 'holds'],
  ['often-failed', 'failed', 4, 300, 'broken'],
  ['ever-failed', 'failed', 1, 300, 'broken'],
  ['ever-failed', 'failed', 4, 300, 'skipped'],
  ['often-broken-off', 'broken-off', 1, 300, 'holds'],
  ['often-broken-off', 'broken-off', 2, 300, 'broken'],
  ['often-broken-off', 'broken-off', 2, 300, 'holds', ELSEWHERE],
  ['often-broken-off', 'broken-off', 3, 3_000, 'holds', ELSEWHERE],
  ['often-broken-off', 'broken-off', 3, 2_999, 'broken', ELSEWHERE],
  ['ever-broken-off', 'broken-off', 1, 300, 'broken'],
  ['ever-broken-off', 'broken-off', 2, 300, 'skipped'],
  ['not-silent', 'silent', 1, 300, 'holds'],
  ['not-silent', 'silent', 2, 300, 'broken'],
  ['own-reply', 'own-reply', 0, 300, 'holds'],
  ['own-reply', 'own-reply', 1, 300, 'broken'],
  ['text', 'text', 0, 300, 'holds'],
  ['text', 'text', 1, 300, 'broken'],
  ['text', 'text', 0, 0, 'skipped'],
  ...(['messages', 'token-limit', 'model'] as const).flatMap((name): readonly Row[] => [
    [name, name, 0, 300, 'holds'],
    [name, name, 1, 300, 'broken'],
    [name, name, 0, 0, 'skipped'],
    [name, name, 0, 0, 'skipped', { hasUpstream: true }],
  ]),
  ['pieces', 'pieces', 1, 9, 'holds'],
  ['pieces', 'pieces', 2, 9, 'broken'],
  ['pieces', 'pieces', 0, 0, 'skipped', { hasUpstream: true }],
  ['refused', 'refusal', 0, 9, 'holds'],
  ['refused', 'refusal', 1, 9, 'broken'],
  ['unknown-key', 'unknown-key', 0, 9, 'holds'],
  ['unknown-key', 'unknown-key', 1, 9, 'broken'],
  ['unknown-key', 'unknown-key', 0, 0, 'inconclusive', { areKeysBlocked: true }],
  ['unknown-key', 'unknown-key-failed', 9, 9, 'inconclusive', { stages: SENT }],
  ['unknown-key-often-failed', 'unknown-key-failed', 3, 20, 'broken'],
  ['unknown-key-ever-failed', 'unknown-key-failed', 2, 20, 'broken'],
  ['refused', 'refusal', 0, 0, 'skipped'],
  ['refused', 'refusal-failed', 9, 9, 'inconclusive', { stages: SENT }],
  ['refusal-often-failed', 'refusal-failed', 4, 300, 'broken'],
  ['refusal-ever-failed', 'refusal-failed', 3, 300, 'broken'],
  ['refusal-ever-failed', 'refusal-failed', 0, 0, 'skipped'],
  ['often-failed', 'failed', 9, 20, 'inconclusive', { isShutOut: true }],
  ['valid-key', 'valid-key', 1, 9, 'holds'],
  ['valid-key', 'valid-key', 2, 9, 'broken'],
  ['list', 'list', 1, 9, 'holds'],
  ['list', 'list', 2, 9, 'broken'],
  ['list-of-other-key', 'list-of-other-key', 0, 0, 'skipped'],
  ['list-of-other-key', 'list-of-other-key', 0, 9, 'holds'],
  ['list-of-other-key', 'list-of-other-key', 1, 9, 'broken'],
];

it.each(ROWS.map((row) => [...row] as const))('%s: %s in %i of %i answers %s', (...row) => {
  const [check, name, broken, judged, kind, more] = row as Row;
  expect(kindOf(check, evidence(name, broken, judged, more))).toBe(kind);
});

it.each([
  [
    { hasOtherKey: false, hasUpstream: true },
    { kind: 'needs', settings: ['second-key'] },
  ],
  [
    { hasOtherKey: false, hasUpstream: false },
    { kind: 'needs', settings: ['restricted-key'] },
  ],
  [
    { hasOtherKey: true, hasUpstream: true },
    { kind: 'no-occasion', of: 'other-key' },
  ],
])('Without a list of another key, the reason says whether a key is missing: %j', (more, reason) => {
  const result = LOAD_CHECKS['list-of-other-key'].execute(evidence('list', 0, 9, more));
  expect(result).toMatchObject({ kind: 'skipped', reason });
});

const RECOVERIES: readonly (readonly [LoadRecovery, string])[] = [
  [{ kind: 'recovered', after: 10 }, 'holds'],
  [{ kind: 'not-recovered', after: 60_000, last: { status: 503 } }, 'broken'],
  [{ kind: 'rejecting', after: 60_000, last: { status: 429 } }, 'inconclusive'],
  [{ kind: 'not-asked' }, 'inconclusive'],
];

it.each(RECOVERIES)('Recovery: %j %s', (recovery, kind) => {
  const last = recoveryFinding(plainExchange({ status: 503 }), 60_000);
  expect(kindOf('recovery', evidence('failed', 0, 1, { recovery, recoveryFinding: last }))).toBe(kind);
});

it('Budgets are broken if one is, and kept if one was judged', () => {
  const budget = { time: 'end', quantile: 'p50', most: 10 } as const;
  const run = (kind: 'broken' | 'kept') =>
    evidence('failed', 0, 1, { budgets: [{ ...budget, result: { kind, actual: 20, answers: 99 } }] });
  expect([kindOf('budgets', run('broken')), kindOf('budgets', run('kept'))]).toEqual(['broken', 'holds']);
});

it('What all broken answers have in common is told, unless that may be chance', () => {
  const { failed } = createTallies();
  for (let at = 0; at < 100; at++)
    failed.add(
      { exchange: plainExchange(), traits: at < 20 ? ['after-idle', 'open-stream'] : ['open-stream'] },
      at < 10 ? PARTS : undefined,
    );
  expect(failed.onlyWith).toEqual(['after-idle']);
});

describe('The verdict', () => {
  const STAGES = [stage(1), stage(4), stage(16)];
  const RECOVERED: LoadRecovery = { kind: 'recovered', after: 5 };
  const base = {
    stages: STAGES,
    counts: [],
    recovery: RECOVERED,
    isShutOut: false,
    ending: { kind: 'complete' } as const,
    failed: [],
  };

  it('holds up to the highest stage that was reached', () => {
    expect(judgeLoad(base)).toMatchObject({ kind: 'held', upTo: 16 });
  });

  it('says why it holds no higher: the setting that left higher stages too few answers', () => {
    const few = (inFlight: number, duration: number) => stage(inFlight, { kinds: [], duration });
    const ramp = planRamp({ concurrency: 64, duration: 60_000, stages: [], mostCalls: 200 });
    const plan = { ramp, limitedBy: 'max-completions' as const };
    const ended = [stage(1), few(4, 100), few(16, 100), few(64, 100)];
    const raise = 'max-completions';
    expect(judgeLoad({ ...base, stages: ended, plan })).toMatchObject({ upTo: 1, tooFew: { from: 4, to: 64, raise } });
    const slow = [stage(1), stage(4), few(16, 30_000), few(64, 60_000)];
    expect(judgeLoad({ ...base, stages: slow, plan })).toMatchObject({ tooFew: { from: 16, raise: 'duration' } });
    const ending = { kind: 'budget', setting: 'max-requests' } as const;
    expect(judgeLoad({ ...base, plan, ending })).toMatchObject({ tooFew: { from: 64, to: 64, raise: 'max-requests' } });
    expect(judgeLoad({ ...base, plan: { ramp: ramp.slice(0, 3) } })).not.toHaveProperty('tooFew');
  });

  it('is broken from the lowest stage that shows it', () => {
    const count = { case: 'c', clause: 'load.text', judged: 9, broken: 2, firstAt: 4, stages: [] };
    const failed = [{ case: 'c', clause: 'load.text' }];
    expect(judgeLoad({ ...base, counts: [count], failed })).toMatchObject({
      kind: 'broken',
      from: 4,
      clauses: ['load.text'],
    });
  });

  it('counts as the finding does that most answers show, and names its clause first', () => {
    const count = (clause: string, judged: number, broken: number) => ({
      case: 'c',
      clause,
      judged,
      broken,
      stages: [],
    });
    const counts = [count('load.text', 900, 2), count('load.whole', 800, 7), count('load.usage', 700, 300)];
    const failed = ['load.text', 'load.whole'].map((clause) => ({ case: 'c', clause }));
    const clauses = ['load.whole', 'load.text'];
    expect(judgeLoad({ ...base, counts, failed })).toMatchObject({ answers: 800, broken: 7, clauses });
  });

  it.each([
    [{ stages: [] }, 'alone-unanswered'],
    [{ stages: [stage(1), stage(4, { doubt: 'unanswered' })] }, 'stage-inconclusive'],
    [{ recovery: { kind: 'not-asked' } as const }, 'ended'],
    [{ recovery: { kind: 'rejecting', after: 1, last: { status: 429 } } as const }, 'recovery-inconclusive'],
    [{ isShutOut: true }, 'keys-blocked'],
  ])('is not judged: %j', (more, why) => {
    expect(judgeLoad({ ...base, ...more })).toMatchObject({ kind: 'not-judged', why });
  });
});

it.each([
  ['refused', { kind: 'connection-refused' }],
  ['closed', { kind: 'hang-up', times: 1 }],
  ['tls', { kind: 'failure', code: 'E' }],
] as const)('A target that did not recover, and whose connection was %s, is told in words', (kind, actual) => {
  const last = plainExchange({ failure: failure(kind, { code: 'E' }) });
  expect(recoveryFinding(last, 60_000)).toMatchObject({ actualType: kind, actual });
});

it.each([
  ['did not begin', plainExchange({ failure: failure('aborted') })],
  ['has headers and no end', plainExchange({ end: { kind: 'aborted', why: 'interrupted' } })],
] as const)('A target whose last answer %s is told by the time without an answer', (_what, last) => {
  const actual = { kind: 'unanswered', time: 60_000 };
  expect(recoveryFinding(last, 60_000)).toMatchObject({ actualType: 'timeout', actual });
});
