import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../verdict/verdict.ts';
import { readBaseline } from './baseline.ts';
import { applyExcuses, type Excuses, type RunScope } from './apply-excuses.ts';
import type { Report } from '../report.ts';
import type { WaiverState } from './excuse-report.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import { isNamed, type WaiverEntry, type Waivers } from './waivers.ts';

const TODAY = '2030-06-15';
const HASH = 'a'.repeat(64);

const finding = (fingerprint: string): Verdict['findings'][number] => ({
  mismatch: 'type',
  exchange: 'e',
  attempt: 0,
  expected: { kind: 'type', types: ['string'] },
  actualType: 'integer',
  actual: { kind: 'value', value: 5 },
  more: 0,
  fingerprint,
});

function verdict(id: string, clause: string, name: Verdict['verdict'], more: Partial<Verdict> = {}): Verdict {
  const findings = name === 'fail' || name === 'warn' ? [finding(`${clause}-1`)] : [];
  const frame = { kind: 'stated', level: 'must', check: 'k', flaky: false, observations: [], exchanges: [] } as const;
  return { case: id, clause, verdict: name, findings, ...frame, ...more };
}

/** The waivers as they would come from a file, over the expectations that the suites have. */
function waivers(
  known: readonly { readonly case: string; readonly clause: string }[],
  ...entries: Partial<WaiverEntry>[]
): Waivers {
  return {
    file: 'w.yaml',
    waivers: entries.map((more, index) => {
      const entry = { reason: 'known', ...(more.announced ? {} : { until: '2030-12-31' }), ...more };
      return { entry, line: 2 + index, names: known.filter((expected) => isNamed(entry, expected)) };
    }),
  };
}

const apply = (verdicts: readonly Verdict[], excuses: Excuses, scope?: RunScope) =>
  applyExcuses(verdicts, excuses, { today: TODAY, contractHash: HASH }, scope);

function stateOf(entry: Partial<WaiverEntry>, verdicts: readonly Verdict[], known = verdicts): WaiverState | undefined {
  return apply(verdicts, { waivers: waivers(known, entry) }).waivers?.entries[0]?.state;
}

describe('a waiver', () => {
  const failing = verdict('a/x', 'c.one', 'fail', { findings: [finding('f1'), finding('f2')] });

  it.each([
    ['clause', { clause: 'c.one' }],
    ['clause as a glob', { clause: 'c.*' }],
    ['case', { case: 'a/x' }],
    ['case and clause', { case: 'a/*', clause: 'c.one' }],
    ['fingerprint as a glob', { fingerprint: 'f*' }],
  ] satisfies [string, Partial<WaiverEntry>][])('excuses findings by %s, and changes no verdict', (_, entry) => {
    const { verdicts, waivers: reported } = apply([failing], {
      waivers: waivers([failing], { clause: 'c.other' }, entry),
    });
    expect(verdicts[0]).toMatchObject({ verdict: 'fail', excused: 'waived', findings: [{ waiver: 2 }, { waiver: 2 }] });
    expect(reported?.entries[1]).toMatchObject({ state: 'in-use', findings: 2, line: 3 });
  });

  it('does not affect other findings', () => {
    for (const entry of [
      { clause: 'c.two' },
      { case: 'a/y' },
      { case: 'a/x', clause: 'c.two' },
      { fingerprint: 'g*' },
    ]) {
      expect(apply([failing], { waivers: waivers([failing], entry) }).verdicts[0]).toEqual(failing);
    }
  });

  it('for one finding does not excuse the others', () => {
    const [marked] = apply([failing], { waivers: waivers([failing], { fingerprint: 'f2' }) }).verdicts;
    expect(marked?.excused).toBeUndefined();
    expect(marked?.findings.map(({ waiver }) => waiver)).toEqual([undefined, 1]);
  });

  it('excuses a failure without findings, but not by a fingerprint', () => {
    const bare = verdict('a/x', 'c.one', 'fail', { findings: [] });
    expect(apply([bare], { waivers: waivers([bare], { clause: 'c.one' }) }).verdicts[0]?.excused).toBe('waived');
    expect(apply([bare], { waivers: waivers([bare], { fingerprint: '*' }) }).verdicts[0]?.excused).toBeUndefined();
  });

  it('does not apply to inconclusive cases', () => {
    const open = verdict('a/x', 'c.one', 'inconclusive');
    expect(apply([open], { waivers: waivers([open], { clause: 'c.one' }) }).verdicts).toEqual([open]);
  });

  it('is valid on its last day and not on the next', () => {
    expect(stateOf({ clause: 'c.one', until: TODAY }, [failing])).toBe('in-use');
    const {
      verdicts,
      waivers: reported,
      notices,
    } = apply([failing], {
      waivers: waivers([failing], { clause: 'c.one', until: '2030-06-14' }),
    });
    expect(verdicts).toEqual([failing]);
    expect(reported?.entries[0]).toMatchObject({ state: 'expired', findings: 2 });
    expect(notices).toEqual([
      'w.yaml:2: the waiver for c.one expired on 2030-06-14: the failure counts again. Fix it, or set a later date.',
    ]);
  });

  it('for an announced removal is valid from that date on, and not before', () => {
    const link = 'https://gateway.example/changelog';
    expect(stateOf({ clause: 'c.one', announced: { date: TODAY, link } }, [failing])).toBe('in-use');
    const { verdicts, notices } = apply([failing], {
      waivers: waivers([failing], { clause: 'c.one', announced: { date: '2030-06-16', link } }),
    });
    expect(verdicts).toEqual([failing]);
    expect(notices[0]).toContain('was announced for 2030-06-16');
  });
});

describe('a waiver that excuses nothing', () => {
  const entry = { clause: 'c.one' };
  const passing = [verdict('a/x', 'c.one', 'pass'), verdict('a/y', 'c.one', 'pass')];

  it('is reported as unused if everything it names passed', () => {
    const { waivers: reported, notices } = apply(passing, { waivers: waivers(passing, { ...entry, case: 'a/*' }) });
    expect(reported?.entries[0]).toMatchObject({ state: 'unused', findings: 0 });
    expect(notices).toEqual([
      'w.yaml:2: the waiver for c.one in a/* is unused: everything it names passed. Remove it.',
    ]);
  });

  it.each([
    ['inconclusive', [...passing, verdict('a/z', 'c.one', 'inconclusive')]],
    ['flaky', [...passing, verdict('a/z', 'c.one', 'pass', { flaky: true })]],
    [
      'skipped for want of a key',
      [...passing, verdict('a/z', 'c.one', 'skipped', { reason: { kind: 'needs', settings: ['limited-key'] } })],
    ],
    ['skipped altogether', [verdict('a/z', 'c.one', 'skipped')]],
  ])('is not called unused if something it names was %s', (_, verdicts) => {
    expect(stateOf(entry, verdicts)).toBe('undecided');
  });

  it('is not called unused if something it names was not selected', () => {
    expect(stateOf(entry, passing, [...passing, { case: 'a/z', clause: 'c.one' } as Verdict])).toBe('undecided');
  });

  it('is not called unused if a case that it names judged only a part', () => {
    const excuses = { waivers: waivers(passing, entry) };
    expect(apply(passing, excuses, { partial: ['a/y'], settings: {} }).waivers?.entries[0]?.state).toBe('undecided');
  });

  it('is unused even if an answer gave nothing to judge', () => {
    expect(stateOf(entry, [...passing, verdict('a/z', 'c.one', 'skipped')])).toBe('unused');
  });

  it('is not called unused while its case fails with another fingerprint', () => {
    expect(stateOf({ ...entry, fingerprint: 'gone' }, [verdict('a/x', 'c.one', 'fail')])).toBe('undecided');
  });
});

describe('the baseline', () => {
  function older(expectations: readonly Verdict[], contractHash = HASH): Report {
    const [testCase] = FULL_REPORT.cases;
    if (!testCase) throw new Error('no case');
    const { partial: _, ...whole } = testCase;
    const ids = [...new Set(expectations.map((expectation) => expectation.case))];
    return {
      ...FULL_REPORT,
      provenance: { ...FULL_REPORT.provenance, contractHash, settings: {} },
      cases: ids.map((id) => ({
        ...whole,
        id,
        suite: id.split('/')[0] ?? '',
        expectations: expectations.filter((each) => each.case === id),
      })),
    };
  }
  const chosen = (report: Report, settings: Report['provenance']['settings']): Report => ({
    ...report,
    provenance: { ...report.provenance, settings },
  });
  const against = (then: readonly Verdict[], now: readonly Verdict[], contractHash = HASH) =>
    apply(now, { baseline: readBaseline(older(then, contractHash), 'old.json') });

  const failed = verdict('a/x', 'c.one', 'fail');

  it('excuses its own findings, even if their level has changed since', () => {
    for (const then of ['fail', 'warn'] as const) {
      const { verdicts } = against([{ ...failed, verdict: then }], [failed]);
      expect(verdicts[0]).toMatchObject({ verdict: 'fail', excused: 'standing', findings: [{ since: 'standing' }] });
    }
  });

  it.each([
    ['new', [verdict('a/x', 'c.one', 'pass')], HASH],
    ['new', [verdict('a/x', 'c.one', 'fail', { findings: [finding('another')] })], HASH],
    ['not-asked', [verdict('a/x', 'c.one', 'skipped')], HASH],
    ['not-asked', [verdict('a/x', 'c.one', 'inconclusive')], 'b'.repeat(64)],
    ['not-asked', [verdict('a/x', 'c.one', 'pass', { flaky: true })], HASH],
    // A suite of the user's own that the baseline did not have at all.
    ['not-asked', [], HASH],
    ['not-asked', [], 'b'.repeat(64)],
    // The hash does not speak of the suites of users.
    ['new-case', [verdict('a/y', 'c.one', 'pass')], HASH],
    ['new-case', [verdict('a/y', 'c.one', 'pass')], 'b'.repeat(64)],
    ['new-case', [verdict('a/x', 'c.other', 'pass')], HASH],
  ] as const)('says why a finding is new: %s', (since, then, hash) => {
    const { verdicts, baseline } = against(then, [failed], hash);
    expect(verdicts[0]?.findings[0]?.since).toBe(since);
    expect(verdicts[0]?.excused).toBeUndefined();
    expect(baseline?.sameContract).toBe(hash === HASH);
  });

  it.each<[string, string, Report['provenance']['settings'], readonly Verdict[]]>([
    ['new-case', 'a/x', { only: ['a/*'] }, [verdict('a/y', 'c.one', 'pass')]],
    ['not-asked', 'a/x', { only: ['a/y'] }, [verdict('a/y', 'c.one', 'pass')]],
    ['not-asked', 'a/x', { skip: ['a/x'] }, [verdict('a/y', 'c.one', 'pass')]],
    ['new-case', 'chat/x', {}, [verdict('auth/y', 'c.one', 'pass')]],
    ['not-asked', 'chat/x', { suites: ['auth'] }, [verdict('auth/y', 'c.one', 'pass')]],
    ['not-asked', 'chat/x', {}, [verdict('recorded/y', 'c.one', 'pass')]],
  ])('does not call a case new if it was not selected at the time: %s %s %j', (since, id, settings, then) => {
    const baseline = readBaseline(chosen(older(then, 'b'.repeat(64)), settings), 'old.json');
    const [marked] = apply([verdict(id, 'c.one', 'fail')], { baseline }).verdicts;
    expect(marked?.findings[0]?.since).toBe(since);
  });

  it('distinguishes fixed findings from those that this run could not check', () => {
    const then = ['pass', 'fail', 'skipped', 'inconclusive', 'gone', 'flaky'].map((id) =>
      verdict(`a/${id}`, 'c.one', 'fail', { findings: [finding(id), finding(id)] }),
    );
    const now = [
      verdict('a/pass', 'c.one', 'pass'),
      verdict('a/fail', 'c.one', 'fail', { findings: [finding('another')] }),
      verdict('a/skipped', 'c.one', 'skipped'),
      verdict('a/inconclusive', 'c.one', 'inconclusive'),
      verdict('a/flaky', 'c.one', 'pass', { flaky: true }),
    ];
    const { baseline } = against(then, now);
    expect(baseline).toMatchObject({ file: 'old.json', baseUrl: 'http://x/v1', startedAt: '2024-01-01T00:00:00.000Z' });
    expect(baseline?.fixed.map(({ fingerprint }) => fingerprint)).toEqual(['pass', 'fail']);
    expect(baseline?.notJudged.map(({ fingerprint }) => fingerprint)).toEqual([
      'skipped',
      'inconclusive',
      'gone',
      'flaky',
    ]);
  });

  it('calls nothing fixed or new in a case that judged only a part, unless both runs chose the same cases', () => {
    const then = verdict('a/x', 'c.one', 'fail', { findings: [finding('old'), finding('older')] });
    const now = verdict('a/x', 'c.one', 'fail', { findings: [finding('old')] });
    const fixedIn = (settings: RunScope['settings']) =>
      apply([now], { baseline: readBaseline(older([then]), 'o') }, { partial: ['a/x'], settings }).baseline?.fixed
        .length;
    expect([fixedIn({ only: ['a/y'] }), fixedIn({})]).toEqual([0, 1]);
    const report = older([verdict('a/x', 'c.one', 'pass')]);
    const part = { ...report, cases: report.cases.map((each) => ({ ...each, partial: true }) as const) };
    const sinceIn = (settings: RunScope['settings']) =>
      apply([now], { baseline: readBaseline(part, 'o') }, { partial: [], settings }).verdicts[0]?.findings[0]?.since;
    expect([sinceIn({ only: ['a/y'] }), sinceIn({})]).toEqual(['not-asked', 'new']);
  });

  it('excuses a failure without a finding by its case and clause', () => {
    const bare = { ...failed, findings: [] };
    expect(against([bare], [bare]).verdicts[0]?.excused).toBe('standing');
    expect(against([failed], [bare]).verdicts[0]?.excused).toBeUndefined();
  });

  it('excuses an expectation whose remaining findings are waived', () => {
    const both = verdict('a/x', 'c.one', 'fail', { findings: [finding('old'), finding('waived')] });
    const baseline = readBaseline(older([verdict('a/x', 'c.one', 'fail', { findings: [finding('old')] })]), 'old.json');
    const [marked] = apply([both], { baseline, waivers: waivers([both], { fingerprint: 'waived' }) }).verdicts;
    expect(marked).toMatchObject({
      excused: 'standing',
      findings: [{ since: 'standing' }, { waiver: 1, since: 'new' }],
    });
  });

  it('does not excuse a finding whose waiver has expired', () => {
    const baseline = readBaseline(older([failed]), 'old.json');
    const given = (until: string) =>
      apply([failed], { baseline, waivers: waivers([failed], { clause: 'c.one', until }) });
    expect(given('2030-06-14').verdicts[0]?.excused).toBeUndefined();
    expect(given(TODAY).verdicts[0]?.excused).toBe('waived');
    const bare = { ...failed, findings: [] };
    const bareBaseline = readBaseline(older([bare]), 'old.json');
    const expired = waivers([bare], { clause: 'c.one', until: '2030-06-14' });
    expect(apply([bare], { baseline: bareBaseline, waivers: expired }).verdicts[0]?.excused).toBeUndefined();
  });
});
