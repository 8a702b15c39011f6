/** Which waivers apply on a day, what each of them excuses, and which are no longer needed. */
import type { Subject } from '../../contract/contract.ts';
import { matchesGlob } from '../../plan/select.ts';
import { DRAWN_CASES } from '../subject-traits.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { groupBy } from '../counts.ts';
import { type Expected, isBroken, isSettled, keyOf } from './expected.ts';
import type { WaiverReport, WaiverState } from './excuse-report.ts';
import { isNamed, type Waiver, type Waivers } from './waivers.ts';

export interface JudgedOn {
  /** The day for expiry. */
  readonly today: string;
  readonly contractHash: string;
  /** The digest of its changes to the contract, if there are any. */
  readonly profile?: string | undefined;
  /** Absent for a gateway. */
  readonly subject?: Subject | undefined;
}

/** ISO dates sort as strings. */
export function holdsOn({ entry: { until, announced } }: Waiver, today: string): boolean {
  return (until === undefined || today <= until) && (announced === undefined || announced.date <= today);
}

/** Number of the first waiver that excuses the finding, from 1. Without a fingerprint: the whole expectation. */
export function waiverOf(
  inForce: readonly (Waiver | undefined)[],
  expected: Expected,
  fingerprint: string | undefined,
): number | undefined {
  const index = inForce.findIndex((waiver) => waiver !== undefined && excuses(waiver, expected, fingerprint));
  return index < 0 ? undefined : index + 1;
}

/** Whether the waiver names the finding, regardless of its dates. */
export function excuses(
  { entry }: Pick<Waiver, 'entry'>,
  expected: Expected,
  fingerprint: string | undefined,
): boolean {
  if (!isNamed(entry, expected)) return false;
  return entry.fingerprint === undefined || (fingerprint !== undefined && matchesGlob(entry.fingerprint, fingerprint));
}

export function waiverReports(
  { waivers }: Waivers,
  verdicts: readonly Verdict[],
  { today, subject }: JudgedOn,
  partial: ReadonlySet<string>,
): readonly WaiverReport[] {
  const broken = verdicts.filter(isBroken);
  const whole = verdicts.filter((verdict) => !partial.has(verdict.case));
  return waivers.map((waiver) => {
    const matched = broken.flatMap((verdict) => {
      const fingerprints =
        verdict.findings.length === 0 ? [undefined] : new Set(verdict.findings.map(({ fingerprint }) => fingerprint));
      return [...fingerprints].filter((fingerprint) => excuses(waiver, verdict, fingerprint));
    });
    const { line, matchesNothing } = waiver;
    const state = timeState(waiver, today) ?? (matched.length > 0 ? 'in-use' : stateOfIdle(waiver, whole, subject));
    return { ...waiver.entry, line, state, findings: matched.length, ...(matchesNothing && { matchesNothing }) };
  });
}

export function timeState(waiver: Waiver, today: string): WaiverState | undefined {
  if (holdsOn(waiver, today)) return undefined;
  return waiver.entry.announced ? 'pending' : 'expired';
}

/**
 * For a waiver that excuses nothing. It is unused only if everything it names was tested and passed: an expectation that
 * was deselected, inconclusive, flaky, or skipped for lack of an extra key may fail again. An answer with nothing to judge,
 * such as a completion where an error was expected, counts neither way.
 */
function stateOfIdle(
  { names, matchesNothing }: Waiver,
  verdicts: readonly Verdict[],
  subject: Subject | undefined,
): 'unused' | 'undecided' {
  if (matchesNothing) return 'unused';
  const byName = groupBy(verdicts, keyOf);
  // One file serves gateways, clients and relays, and a run can settle only what it names on its own side. Only a run that
  // draws requests has cases for them.
  const draws = verdicts.some(isDrawn);
  const own = names
    .filter((name) => name.subject === subject && (draws || !isDrawn(name)))
    .map((name) => byName.get(keyOf(name)) ?? []);
  const isCertain = own.every(
    (each) => each.length > 0 && each.every((verdict) => passed(verdict) || gaveNothing(verdict)),
  );
  return isCertain && own.some((each) => each.some(passed)) ? 'unused' : 'undecided';
}

function isDrawn({ case: id }: Expected): boolean {
  return id.startsWith(DRAWN_CASES);
}

function passed(verdict: Verdict): boolean {
  return isSettled(verdict) && !isBroken(verdict);
}

function gaveNothing({ verdict, reason }: Verdict): boolean {
  return verdict === 'skipped' && reason?.kind !== 'needs';
}
