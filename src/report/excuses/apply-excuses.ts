/**
 * Marks broken expectations that do not count: those that a waiver accepts, and those already in the baseline. Nothing is
 * removed, and no verdict changes.
 */
import type { Notice } from '../../exchange/notice.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { excuses, holdsOn, type JudgedOn, timeState, waiverOf, waiverReports } from './apply-waivers.ts';
import { type Baseline, compareToBaseline, hasSameChoice, sinceBaseline } from './baseline.ts';
import { isBroken } from './expected.ts';
import type { ExpectationReport, FindingReport } from '../report.ts';
import type { DescribedSettings } from '../../settings/described-settings.ts';
import type { BaselineReport, Excuse, SinceBaseline, WaiversReport } from './excuse-report.ts';
import { waiverNotices } from './waiver-notices.ts';
import type { Waivers } from './waivers.ts';

export interface Excuses {
  readonly waivers?: Waivers;
  readonly failOnUnusedWaivers?: boolean;
  readonly baseline?: Baseline;
  /** The day for expiry, as `2030-12-31`. Default: the day (UTC) on which the run started. */
  readonly today?: string;
}

export interface ExcusedVerdict extends ExpectationReport {
  readonly case: string;
}

export interface Excused {
  readonly verdicts: readonly ExcusedVerdict[];
  readonly waivers?: WaiversReport;
  readonly baseline?: BaselineReport;
  readonly notices: readonly Notice[];
}

/** What the run was limited to. */
export interface RunScope {
  /** Cases that judged less than usual: they may find something broken, but cannot show that it was fixed. */
  readonly partial: readonly string[];
  /** Cases that judged fewer answers since the run went badly: they cannot show either that something was fixed. */
  readonly cutShort?: readonly string[] | undefined;
  readonly settings: DescribedSettings;
}

export function applyExcuses(
  verdicts: readonly Verdict[],
  excuses: Excuses,
  judgedOn: JudgedOn,
  scope: RunScope = { partial: [], settings: {} },
): Excused {
  const { waivers, baseline, failOnUnusedWaivers = false } = excuses;
  const { today } = judgedOn;
  const { cutShort = [] } = scope;
  const partial = new Set(scope.partial);
  const isLikeBaseline = baseline !== undefined && hasSameChoice(baseline, scope.settings);
  const marked = verdicts.map((verdict) => markExcused(verdict, excuses, today, isLikeBaseline));
  const entries = waivers && waiverReports(waivers, verdicts, judgedOn, new Set([...partial, ...cutShort]));
  return {
    verdicts: marked,
    ...(waivers && entries && { waivers: { file: waivers.file, today, failOnUnused: failOnUnusedWaivers, entries } }),
    ...(baseline && {
      baseline: compareToBaseline(
        baseline,
        verdicts,
        judgedOn,
        new Set([...(isLikeBaseline ? [] : partial), ...cutShort]),
      ),
    }),
    notices: waivers && entries ? waiverNotices(waivers.file, entries, failOnUnusedWaivers) : [],
  };
}

function markExcused(
  verdict: Verdict,
  { waivers, baseline }: Excuses,
  today: string,
  isLikeBaseline: boolean,
): ExcusedVerdict {
  if (!isBroken(verdict)) return verdict;
  const inForce = waivers?.waivers.map((waiver) => (holdsOn(waiver, today) ? waiver : undefined)) ?? [];
  // An expired waiver set a deadline, so the baseline does not excuse the finding either.
  const expired = waivers?.waivers.filter((waiver) => timeState(waiver, today) === 'expired') ?? [];
  const isDue = (fingerprint?: string) => expired.some((waiver) => excuses(waiver, verdict, fingerprint));
  const sinceOf = (older: Baseline, fingerprint: string): SinceBaseline => {
    const since = sinceBaseline(older, verdict, fingerprint, isLikeBaseline);
    return since === 'known' && isDue(fingerprint) ? 'waiver-expired' : since;
  };
  const findings = verdict.findings.map((finding): FindingReport => {
    const waiver = waiverOf(inForce, verdict, finding.fingerprint);
    return {
      ...finding,
      ...(waiver !== undefined && { waiver }),
      ...(baseline && { since: sinceOf(baseline, finding.fingerprint) }),
    };
  });
  const excused =
    findings.length > 0 ? excuseOf(findings) : excuseOfNoFinding(verdict, inForce, isDue() ? undefined : baseline);
  return { ...verdict, findings, ...(excused && { excused }) };
}

function excuseOf(findings: readonly FindingReport[]): Excuse | undefined {
  if (findings.every(({ waiver }) => waiver !== undefined)) return 'waived';
  return findings.every(({ waiver, since }) => waiver !== undefined || since === 'known') ? 'known' : undefined;
}

/** A user's own check may report a broken clause without a finding. */
function excuseOfNoFinding(
  verdict: Verdict,
  inForce: Parameters<typeof waiverOf>[0],
  baseline: Baseline | undefined,
): Excuse | undefined {
  if (waiverOf(inForce, verdict, undefined) !== undefined) return 'waived';
  return baseline?.brokenWithoutFinding(verdict) ? 'known' : undefined;
}
