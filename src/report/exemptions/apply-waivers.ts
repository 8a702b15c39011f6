/** Which waivers hold on a day, what each of them excuses, and which are of no use any more. */
import { matchesGlob } from '../../plan/select.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { groupBy } from '../counts.ts';
import { type Expected, isBroken, isSettled, keyOf } from './expected.ts';
import type { WaiverReport, WaiverState } from '../report.ts';
import { isNamed, type Waiver, type Waivers } from './waivers.ts';

/** Dates as `2030-12-31` are in order as texts are. */
export function holdsOn({ entry: { until, announced } }: Waiver, today: string): boolean {
  return (until === undefined || today <= until) && (announced === undefined || announced.date <= today);
}

/** The first that excuses a finding, counted from 1 among all. Without a fingerprint: that excuses the expectation as a whole. */
export function waiverOf(
  inForce: readonly (Waiver | undefined)[],
  expected: Expected,
  fingerprint: string | undefined,
): number | undefined {
  const index = inForce.findIndex((waiver) => waiver !== undefined && excuses(waiver, expected, fingerprint));
  return index < 0 ? undefined : index + 1;
}

/** Whether it names the finding; whether it holds is another question. */
export function excuses({ entry }: Waiver, expected: Expected, fingerprint: string | undefined): boolean {
  if (!isNamed(entry, expected)) return false;
  return entry.fingerprint === undefined || (fingerprint !== undefined && matchesGlob(entry.fingerprint, fingerprint));
}

export function waiverReports(
  { waivers }: Waivers,
  verdicts: readonly Verdict[],
  today: string,
): readonly WaiverReport[] {
  const broken = verdicts.filter(isBroken);
  return waivers.map((waiver) => {
    const matched = broken.flatMap((verdict) => {
      const fingerprints =
        verdict.findings.length === 0 ? [undefined] : new Set(verdict.findings.map(({ fingerprint }) => fingerprint));
      return [...fingerprints].filter((fingerprint) => excuses(waiver, verdict, fingerprint));
    });
    const state = timeState(waiver, today) ?? (matched.length > 0 ? 'in-use' : stateOfIdle(waiver, verdicts));
    return { ...waiver.entry, line: waiver.line, state, findings: matched.length };
  });
}

export function timeState(waiver: Waiver, today: string): WaiverState | undefined {
  if (holdsOn(waiver, today)) return undefined;
  return waiver.entry.announced ? 'pending' : 'expired';
}

/**
 * It excuses nothing. That it is of no use any more is certain only if everything it names was asked and passed: what was
 * deselected, inconclusive or flaky, or skipped for want of an extra key, may fail again tomorrow. An answer that gave
 * nothing to judge, as a completion does where an error would have been looked at, neither passes nor speaks against it.
 */
function stateOfIdle({ names }: Waiver, verdicts: readonly Verdict[]): 'unused' | 'undecided' {
  const byName = groupBy(verdicts, keyOf);
  const own = names.map((name) => byName.get(keyOf(name)) ?? []);
  const isCertain = own.every(
    (each) => each.length > 0 && each.every((verdict) => passed(verdict) || gaveNothing(verdict)),
  );
  return isCertain && own.some((each) => each.some(passed)) ? 'unused' : 'undecided';
}

function passed(verdict: Verdict): boolean {
  return isSettled(verdict) && !isBroken(verdict);
}

function gaveNothing({ verdict, reason }: Verdict): boolean {
  return verdict === 'skipped' && reason?.kind !== 'needs';
}
