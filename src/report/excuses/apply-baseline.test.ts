import { describe, expect, it } from 'vitest';
import { apply, finding, HASH, TODAY, verdict, waivers } from '../../../test/kit/excused-verdicts.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { Report } from '../report.ts';
import { readBaseline, type RunScope } from './apply-excuses.ts';

describe('the baseline', () => {
  function older(expectations: readonly Verdict[], contractHash = HASH): Report {
    const [testCase] = FULL_REPORT.cases;
    if (!testCase) throw new Error('no case');
    const { partial: _, ...whole } = testCase;
    const ids = [...new Set(expectations.map((expectation) => expectation.case))];
    const { profile: _profile, ...byV1 } = FULL_REPORT;
    return {
      ...byV1,
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
      expect(verdicts[0]).toMatchObject({ verdict: 'fail', excused: 'known', findings: [{ since: 'known' }] });
    }
  });

  it('says that it was judged by another profile', () => {
    const report = { ...older([failed]), profile: FULL_REPORT.profile };
    expect(apply([failed], { baseline: readBaseline(report, 'old.json') }).baseline?.sameContract).toBe(false);
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

  it('distinguishes fixed findings from those that this run could not check, and from a case that still fails', () => {
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
    expect(baseline?.fixed.map(({ fingerprint }) => fingerprint)).toEqual(['pass']);
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
    const passed = verdict('a/x', 'c.one', 'pass');
    const fixedIn = (settings: RunScope['settings']) =>
      apply([passed], { baseline: readBaseline(older([then]), 'o') }, { partial: ['a/x'], settings }).baseline?.fixed
        .length;
    expect([fixedIn({ only: ['a/y'] }), fixedIn({})]).toEqual([0, 2]);
    const report = older([verdict('a/x', 'c.one', 'pass')]);
    const part = { ...report, cases: report.cases.map((each) => ({ ...each, partial: true }) as const) };
    const sinceIn = (settings: RunScope['settings']) =>
      apply([now], { baseline: readBaseline(part, 'o') }, { partial: [], settings }).verdicts[0]?.findings[0]?.since;
    expect([sinceIn({ only: ['a/y'] }), sinceIn({})]).toEqual(['not-asked', 'new']);
  });

  it('calls nothing fixed in a case that has fewer answers to judge since the run ended early', () => {
    const baseline = readBaseline(older([failed]), 'o');
    const passed = verdict('a/x', 'c.one', 'pass');
    const at = (cutShort: readonly string[]) =>
      apply([passed], { baseline }, { partial: [], cutShort, settings: {} }).baseline;
    expect(at(['a/y'])).toMatchObject({ fixed: [{ case: 'a/x' }], notJudged: [] });
    expect(at(['a/x'])).toMatchObject({ fixed: [], notJudged: [{ case: 'a/x' }] });
  });

  it('calls nothing fixed in a case that still breaks the clause with another status', () => {
    const then = verdict('a/x', 'c.one', 'fail', { findings: [finding('status 401'), finding('status 404')] });
    const now = verdict('a/x', 'c.one', 'fail', { findings: [finding('status 404')] });
    expect(against([then], [now]).baseline).toMatchObject({ fixed: [], notJudged: [] });
    const elsewhere = verdict('a/x', 'c.two', 'fail', { findings: [finding('another')] });
    expect(against([then], [verdict('a/x', 'c.one', 'pass'), elsewhere]).baseline?.fixed).toHaveLength(2);
  });

  it('excuses a failure without a finding by its case and clause', () => {
    const bare = { ...failed, findings: [] };
    expect(against([bare], [bare]).verdicts[0]?.excused).toBe('known');
    expect(against([failed], [bare]).verdicts[0]?.excused).toBeUndefined();
  });

  it('excuses an expectation whose remaining findings are waived', () => {
    const both = verdict('a/x', 'c.one', 'fail', { findings: [finding('old'), finding('waived')] });
    const baseline = readBaseline(older([verdict('a/x', 'c.one', 'fail', { findings: [finding('old')] })]), 'old.json');
    const [marked] = apply([both], { baseline, waivers: waivers([both], { fingerprint: 'waived' }) }).verdicts;
    expect(marked).toMatchObject({
      excused: 'known',
      findings: [{ since: 'known' }, { waiver: 1, since: 'new' }],
    });
  });

  it('does not excuse a finding whose waiver has expired', () => {
    const baseline = readBaseline(older([failed]), 'old.json');
    const given = (until: string) =>
      apply([failed], { baseline, waivers: waivers([failed], { clause: 'c.one', until }) });
    expect(given('2030-06-14').verdicts[0]?.excused).toBeUndefined();
    expect(given('2030-06-14').verdicts[0]?.findings[0]?.since).toBe('waiver-expired');
    expect(given(TODAY).verdicts[0]?.excused).toBe('waived');
    const bare = { ...failed, findings: [] };
    const bareBaseline = readBaseline(older([bare]), 'old.json');
    const expired = waivers([bare], { clause: 'c.one', until: '2030-06-14' });
    expect(apply([bare], { baseline: bareBaseline, waivers: expired }).verdicts[0]?.excused).toBeUndefined();
  });
});
