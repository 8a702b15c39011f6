/** The second half of the flow, from a recording in place of a live target: recording → verdict → report. */

import { loadContract } from '../contract/read-contract.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Profile } from '../contract/profile/profile.ts';
import type { Notice } from '../exchange/notice.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { OmissionReason, Plan } from '../plan/plan.ts';
import {
  type AdaptedPlan,
  NOT_RECORDED,
  omitAbsent,
  omitSending,
  markAskedOtherwise,
} from '../recording/absent-steps.ts';
import { joinTraffic, restoreTraffic } from '../recording/recorded-traffic.ts';
import { type AnyRecording, type RecordedRun, type RecordingStart, restoreSettings } from '../recording/recording.ts';
import { hashSuites } from '../recording/write-recording.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { isAskedOtherwise, outcomeOfForeign, outcomeOfRecording } from '../report/outcome.ts';
import { reportOnGateway } from '../report/make-report.ts';
import type { Report, TimeReport } from '../report/report.ts';
import type { Settings } from '../settings.ts';
import { EXTRA_KEYS } from '../suite/case.ts';
import { BUILT_IN_SUITES, RECORDED_SUITE } from '../suite/suite-names.ts';
import type { Checks } from '../verdict/check.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { IncrementalJudge } from '../verdict/incremental-judge.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { plan } from './run.ts';

/** A run never has as many exchanges, without `--detect`, or bytes: a recorded run is judged whole, as it was live. */
const MAX_WHOLE_RUN = { exchanges: 1_000, bytes: 64 * 1024 * 1024 };
/** The part of a longer recording that is in memory at a time. */
const PART = { exchanges: 250, bytes: 1024 * 1024 };

export interface JudgeOptions {
  readonly checks?: Checks;
  readonly excuses?: Excuses;
  /** Default: as the run was. */
  readonly strict?: boolean;
  /** Default: that of the run. Cases whose requests it changes were not recorded, so they are skipped. */
  readonly profile?: Profile;
}

/** Makes the same report as the run that made the recording, where clauses and suites are the same. */
export async function judgeRecording(recorded: RecordedRun, options: JudgeOptions = {}): Promise<Report> {
  const { start } = recorded;
  const settings = judgedBy(restoreSettings(start), options);
  const { plan: planned, uncovered } = planForRecording(start, settings, options);
  const settle = skipAbsent((id) => uncovered.get(id));
  return reportOnRecording(await judgeItems(recorded, { planned, settings, ...options, settle }), recorded);
}

/** Adds what has to be said of a recording, whichever subject it has. */
export function reportOnRecording(report: Report, recorded: AnyRecording): Report {
  const notices = [...report.notices, ...differences(recorded), ...askedOtherwise(report), ...recorded.notices()];
  return { ...report, outcome: outcomeOfRecording(report.outcome), notices };
}

/** What decides a verdict besides the exchanges. */
export function judgedBy<Of extends Pick<Settings, 'strict' | 'levels' | 'profile'>>(
  settings: Of,
  { strict = settings.strict, profile }: JudgeOptions,
): Of {
  return { ...settings, strict, ...(profile && { profile, levels: {} }) };
}

/** Exchanges that somebody else recorded: nothing was asked for, so that only what each shows by itself is judged. */
export async function judgeForeign(recorded: RecordedRun, options: JudgeOptions = {}): Promise<Report> {
  const settings = judgedBy(restoreSettings(recorded.start), options);
  const suites = [...BUILT_IN_SUITES, RECORDED_SUITE];
  const planned = omitSending(plan({ ...settings, suites }, [], options.checks));
  const made = await judgeItems(recorded, { planned, settings, ...options, settle: skipAbsent(() => NOT_RECORDED) });
  const report = { ...made, ...(made.time && { time: timeOfOthers(made.time) }) };
  const outcome = outcomeOfForeign(report.outcome);
  const lacksMust: readonly Notice[] = outcome === report.outcome ? [] : [{ kind: 'no-must' }];
  return { ...report, outcome, notices: [...report.notices, ...recorded.notices(), ...lacksMust] };
}

/** Between two calls, somebody else's client did what it liked. */
function timeOfOthers({ checker: _checker, ...time }: TimeReport): TimeReport {
  return { ...time, pauses: 0 };
}

/** Nothing is missing if nobody asked for it: a recording without a list leaves nothing undecided. */
function skipAbsent(reasonFor: (testCase: string) => OmissionReason | undefined) {
  return (verdicts: readonly Verdict[]): readonly Verdict[] =>
    verdicts.map((judged) => {
      if (judged.verdict !== 'inconclusive' || judged.exchanges.length > 0) return judged;
      const reason = reasonFor(judged.case);
      return reason ? { ...judged, verdict: 'skipped', reason } : judged;
    });
}

interface ItemOptions extends Pick<JudgeOptions, 'checks' | 'excuses'> {
  readonly planned: Plan;
  readonly settings: Settings;
  /** Changes the verdicts before they are reported. */
  readonly settle: (verdicts: readonly Verdict[]) => readonly Verdict[];
}

/** Judges a recording by a plan: whole if it is no longer than a run, otherwise part by part. */
async function judgeItems(
  recorded: RecordedRun,
  { planned, settings, checks = CHECKS, excuses = {}, settle }: ItemOptions,
): Promise<Report> {
  const { start } = recorded;
  const contract = contractOf(settings);
  let judged = 0;
  /** How the run went, in case that its recording has no last line to say so. */
  let soFar: Traffic | undefined;
  const judge = new IncrementalJudge(planned, {
    contract,
    settings,
    checks,
    carried: new Map(),
    whole: { ...MAX_WHOLE_RUN, exchanges: Math.max(MAX_WHOLE_RUN.exchanges, planned.most.requests) },
    part: PART,
    trafficOf(exchanges) {
      const part = restoreTraffic(start, undefined, exchanges, settings);
      soFar = soFar ? joinTraffic(soFar, part) : part;
      judged += exchanges.length;
      return { ...part, ending: { kind: 'complete' } };
    },
  });
  for await (const item of recorded.items()) {
    if (item.kind === 'amendment') judge.amend(item.id, { controlAfter: item.controlAfter });
    else if (item.kind === 'exchange') judge.add(item.exchange, item.again);
  }
  const end = recorded.end();
  const {
    traffic,
    verdicts: found,
    isThinned,
  } = judge.end((exchanges) => (end || !soFar ? restoreTraffic(start, end, exchanges, settings) : soFar));
  const notices = isThinned ? [...traffic.notices, { kind: 'evidence-thinned', judged } as const] : traffic.notices;
  const told = { ...traffic, notices };
  const verdicts = settle(found);
  const report = reportOnGateway({ plan: planned, traffic: told, verdicts, contract, settings, excuses });
  clearReadings();
  return report;
}

/** Only the suites of the run are read: a stranger may list any file among the hashes. */
function differences(recorded: AnyRecording): readonly Notice[] {
  const now = recorded.subject === 'gateway' ? hashSuites(recorded.start.settings.suites ?? []) : {};
  const then = recorded.subject === 'gateway' ? recorded.start.suiteHashes : {};
  const changed = Object.keys(now).filter((file) => then[file] !== now[file]);
  const isSame = recorded.start.contractHash === loadContract(recorded.subject).hash;
  return [
    ...(isSame ? [] : [{ kind: 'other-contract' } as const]),
    ...changed.map((file) => ({ kind: 'suite-changed', file }) as const),
  ];
}

/** Cases that were not judged by the contract of the user's choice: nobody should take their clauses for judged. */
function askedOtherwise({ cases }: Report): readonly Notice[] {
  const left = cases.flatMap(({ id, expectations }) =>
    expectations.filter(isAskedOtherwise).map(({ clause }) => ({ id, clause })),
  );
  if (left.length === 0) return [];
  const clauses = [...new Set(left.map(({ clause }) => clause))];
  return [{ kind: 'asked-otherwise', cases: new Set(left.map(({ id }) => id)).size, clauses }];
}

// The plan by which a recording is judged: that of its settings, without what the recorded run did not send.

let latest: { readonly key: string; readonly checks: Checks | undefined; readonly adapted: AdaptedPlan } | undefined;

/** Recordings that are judged together were mostly made with the same settings, and a plan depends on nothing else. */
function planForRecording(
  start: RecordingStart,
  settings: Settings,
  { checks, profile }: Pick<JudgeOptions, 'checks' | 'profile'>,
): AdaptedPlan {
  const { keys, steps } = start;
  const own = profile && restoreSettings(start);
  const { baseUrl: _baseUrl, seed: _seed, ...rest } = settings;
  const extraKeys = EXTRA_KEYS.filter((extra) => keys.some(({ role }) => role === extra));
  const key = JSON.stringify([rest, own?.profile, own?.levels, extraKeys, steps, hashSuites(settings.suites)]);
  if (latest?.key === key && latest.checks === checks) return latest.adapted;
  const adapt = (by: Settings): AdaptedPlan => omitAbsent(plan(by, extraKeys, checks), { steps });
  const adapted = own ? markAskedOtherwise(adapt(settings), adapt(own)) : adapt(settings);
  latest = { key, checks, adapted };
  return adapted;
}
