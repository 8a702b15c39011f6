/** The second half of the flow, from a recording in place of a live target: recording → verdict → report. */
import { EXIT } from '../exit-codes.ts';
import { loadContract } from '../contract/load-contract.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Profile } from '../contract/profile/profile.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { OmissionReason, Plan } from '../plan/plan.ts';
import { NOT_RECORDED, omitSending } from '../recording/absent-steps.ts';
import { type AnyRecording, type RecordedRun, restoreSettings } from '../recording/recording.ts';
import { joinTraffic, restoreTraffic } from '../recording/recorded-traffic.ts';
import { hashSuites } from '../recording/write-recording.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { isAskedOtherwise } from '../report/judged-musts.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import type { Report, TimeReport } from '../report/report.ts';
import { reportOnGateway } from '../report/report-on-gateway.ts';
import { planForRecording } from './plan-for-recording.ts';
import { plan } from './run.ts';
import type { Settings } from '../settings.ts';
import { BUILT_IN_SUITES, RECORDED_SUITE } from '../suite/suite-names.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Checks } from '../verdict/check.ts';
import { judgeGateway } from '../verdict/judge.ts';
import { PartialJudge } from '../verdict/judge-in-parts.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A run never has as many exchanges, without `--detect`, or bytes: a recorded run is judged whole, as it was live. */
const MAX_WHOLE_RUN = { exchanges: 1_000, bytes: 64 * 1024 * 1024 };
/** Of a longer recording, so much is in memory at a time. */
const PART = { exchanges: 250, bytes: 1024 * 1024 };

export interface JudgeOptions {
  readonly checks?: Checks;
  readonly excuses?: Excuses;
  /** Default: as the run was. */
  readonly strict?: boolean;
  /** Default: that of the run. Cases whose requests it changes were not recorded, so they are skipped. */
  readonly profile?: Profile;
}

/** To the same report as the run that made the recording, where clauses and suites are the same. */
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
  const notices = [...report.notices, ...recorded.notices()];
  if (report.outcome.exit !== EXIT.passed || report.outcome.mustJudged > 0) return { ...report, notices };
  const outcome = { ...report.outcome, name: 'not-judged', exit: EXIT.notJudged } as const;
  return { ...report, outcome, notices: [...notices, { kind: 'no-must' }] };
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
  readonly settle?: (verdicts: readonly Verdict[]) => readonly Verdict[];
}

/** Judges a recording by a plan: whole if it is no longer than a run, otherwise part by part. */
async function judgeItems(
  recorded: RecordedRun,
  { planned, settings, checks = CHECKS, excuses = {}, settle = (verdicts) => verdicts }: ItemOptions,
): Promise<Report> {
  const { start } = recorded;
  const contract = contractOf(settings);
  const report = (traffic: Traffic, verdicts: readonly Verdict[]): Report =>
    reportOnGateway({ plan: planned, traffic, verdicts: settle(verdicts), contract, settings, excuses });
  const held = new UnjudgedPart();
  const whole = { ...MAX_WHOLE_RUN, exchanges: Math.max(MAX_WHOLE_RUN.exchanges, planned.most.requests) };
  let parts: PartialJudge | undefined;
  let judged = 0;
  /** How the run went, in case that its recording has no last line to say so. */
  let sofar: Traffic | undefined;
  const judgePart = (): void => {
    parts ??= new PartialJudge(planned, contract, settings, checks);
    const part = restoreTraffic(start, undefined, held.exchanges, settings);
    parts.add({ ...part, ending: { kind: 'complete' } });
    sofar = sofar ? joinTraffic(sofar, part) : part;
    judged += part.exchanges.length;
    held.clear();
    clearReadings();
  };
  for await (const item of recorded.items()) {
    if (item.kind === 'amendment') held.amend(item.id, item.controlAfter);
    else if (item.kind === 'exchange') held.add(item.exchange, item.again, parts);
    if (held.isBeyond(parts ? PART : whole)) judgePart();
  }
  const end = recorded.end();
  if (!parts) {
    const traffic = restoreTraffic(start, end, held.exchanges, settings);
    const made = report(traffic, judgeGateway(planned, traffic, { contract, settings, checks }));
    clearReadings();
    return made;
  }
  judgePart();
  const closing = end || !sofar ? restoreTraffic(start, end, [], settings) : sofar;
  const { verdicts, exchanges } = parts.end(closing);
  const notice = { kind: 'evidence-thinned', judged } as const;
  return report({ ...closing, exchanges, notices: [...closing.notices, notice] }, verdicts);
}

/** What was read and not yet judged. */
class UnjudgedPart {
  #exchanges = new Map<string, Exchange>();
  #bytes = 0;
  #read = 0;

  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** Evidence goes by ids, so that none may be that of another exchange which is here or kept. */
  add(exchange: Exchange, again: boolean, kept: Pick<PartialJudge, 'keeps'> | undefined): void {
    this.#bytes += sizeOf(exchange);
    this.#read += 1;
    const isTaken = !again && (this.#exchanges.has(exchange.id) || kept?.keeps(exchange.id) === true);
    const id = isTaken ? `${exchange.id} (${this.#read})` : exchange.id;
    this.#exchanges.set(id, id === exchange.id ? exchange : { ...exchange, id });
  }

  amend(id: string, controlAfter: NonNullable<Exchange['controlAfter']>): void {
    const exchange = this.#exchanges.get(id);
    if (exchange) this.#exchanges.set(id, { ...exchange, controlAfter });
  }

  isBeyond({ exchanges, bytes }: { readonly exchanges: number; readonly bytes: number }): boolean {
    return this.#exchanges.size > exchanges || this.#bytes > bytes;
  }

  clear(): void {
    this.#exchanges = new Map();
    this.#bytes = 0;
  }
}

function sizeOf({ attempts }: Exchange): number {
  return attempts.reduce(
    (sum, { outcome }) => sum + (outcome.kind === 'answer' ? outcome.answer.body.bytes.length : 0),
    0,
  );
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
