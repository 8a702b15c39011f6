import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../verdict/verdict.ts';
import type { WaiverState } from './excuse-report.ts';
import type { NamedExpectation, WaiverEntry } from './waivers.ts';
import { TODAY, finding, verdict, waivers, apply } from '../../../test/kit/excused-verdicts.ts';
import { formatNotice } from '../../exchange/notice.ts';

function stateOf(
  entry: Partial<WaiverEntry>,
  verdicts: readonly Verdict[],
  known: readonly NamedExpectation[] = verdicts,
): WaiverState | undefined {
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
    expect(notices.map(formatNotice)).toEqual([
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
    expect(notices).toMatchObject([{ kind: 'waiver-pending', date: '2030-06-16' }]);
  });
});

describe('a waiver that excuses nothing', () => {
  const entry = { clause: 'c.one' };
  const passing = [verdict('a/x', 'c.one', 'pass'), verdict('a/y', 'c.one', 'pass')];

  it('is reported as unused if everything it names passed', () => {
    const { waivers: reported, notices } = apply(passing, { waivers: waivers(passing, { ...entry, case: 'a/*' }) });
    expect(reported?.entries[0]).toMatchObject({ state: 'unused', findings: 0 });
    expect(notices.map(formatNotice)).toEqual([
      'w.yaml:2: the waiver for c.one in a/* is unused: everything it names passed. Remove it.',
    ]);
  });

  it.each([
    ['inconclusive', [...passing, verdict('a/z', 'c.one', 'inconclusive')]],
    ['flaky', [...passing, verdict('a/z', 'c.one', 'pass', { flaky: true })]],
    [
      'skipped because a key is missing',
      [...passing, verdict('a/z', 'c.one', 'skipped', { reason: { kind: 'needs', settings: ['limited-key'] } })],
    ],
    ['skipped altogether', [verdict('a/z', 'c.one', 'skipped')]],
  ])('is not called unused if something it names was %s', (_, verdicts) => {
    expect(stateOf(entry, verdicts)).toBe('undecided');
  });

  it('is not called unused if something it names was not selected', () => {
    expect(stateOf(entry, passing, [...passing, { case: 'a/z', clause: 'c.one' }])).toBe('undecided');
  });

  it('is not called unused if a case that it names judged only a part', () => {
    const excuses = { waivers: waivers(passing, entry) };
    expect(apply(passing, excuses, { partial: ['a/y'], settings: {} }).waivers?.entries[0]?.state).toBe('undecided');
  });

  it('is not called unused if a case that it names saw few answers since the run went badly', () => {
    const excuses = { waivers: waivers(passing, entry) };
    const stateWith = (...cutShort: readonly string[]) =>
      apply(passing, excuses, { partial: [], cutShort, settings: {} }).waivers?.entries[0]?.state;
    expect([stateWith('a/y'), stateWith('b/other')]).toEqual(['undecided', 'unused']);
  });

  it('is unused even if an answer gave nothing to judge', () => {
    expect(stateOf(entry, [...passing, verdict('a/z', 'c.one', 'skipped')])).toBe('unused');
  });

  it('is not called unused while its case fails with another fingerprint', () => {
    expect(stateOf({ ...entry, fingerprint: 'gone' }, [verdict('a/x', 'c.one', 'fail')])).toBe('undecided');
  });
});

it('A waiver that also names cases of other sides is decided by those of its own', () => {
  const passing = verdict('a/x', 'c.one', 'pass');
  const known = [passing, { case: 'relay/x', clause: 'c.one', subject: 'relay' as const }];
  expect(stateOf({ clause: 'c.one' }, [passing], known)).toBe('unused');
  expect(stateOf({ case: 'relay/x' }, [passing], known)).toBe('undecided');
});

it('A waiver is decided without the cases of drawn requests, unless the run draws some', () => {
  const passing = verdict('a/x', 'c.one', 'pass');
  const drawn = verdict('explore/y', 'c.one', 'pass');
  const known = [passing, drawn, { case: 'explore/z', clause: 'c.one' }];
  expect(stateOf({ clause: 'c.one' }, [passing], known)).toBe('unused');
  expect(stateOf({ clause: 'c.one' }, [drawn], known)).toBe('undecided');
  expect(stateOf({ case: 'explore/z' }, [passing], known)).toBe('undecided');
});

it('A waiver that matches nothing is unused, and says why', () => {
  const passing = verdict('a/x', 'c.one', 'pass');
  const [vain] = waivers([passing], { case: 'a/x', clause: 'c.two' }).waivers;
  if (!vain) throw new Error('There is a waiver.');
  const { waivers: reported, notices } = apply([passing], {
    waivers: { file: 'w.yaml', waivers: [{ ...vain, matchesNothing: true }] },
  });
  expect(reported?.entries[0]).toMatchObject({ state: 'unused', matchesNothing: true });
  expect(notices.map(formatNotice)).toEqual([
    'w.yaml:2: the waiver for c.two in a/x matches nothing: no case of that name judges the clause. Remove it.',
  ]);
});
