/** `wirecheck verify REPORT RECORDING`: judges the recording again, and compares. Nothing is sent. */
import { currentEdition, loadEditions } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { valueAt, formatJson, withoutUndefined } from '../json.ts';
import { addCauses } from '../render/json.ts';
import { formatVerification } from '../render/verification-text.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { type Compared, compareReports, listNotRecorded } from '../report/verification/compare-reports.ts';
import { judgeSubmission } from '../report/verification/submission.ts';
import type { ReportDifference, Verification, VerificationResult } from '../report/verification/verification.ts';
import { withoutBodies } from '../report/without-bodies.ts';
import { clampWidth, inert } from '../text/layout.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { detectAgent } from './files/outputs.ts';
import { loadRecorded, type Recorded, suiteFilesIn, suitesOf } from './files/read-recorded.ts';
import { loadReport, loadOlderReport } from './files/user-files.ts';
import type { Call, OwnOptions } from './command-row.ts';
import { loadContract } from '../contract/read-contract.ts';
import { UNCHANGED } from '../contract/profile/apply-profile.ts';
import type { Profile } from '../contract/profile/profile.ts';
import { builtInProfiles, loadProfile } from '../contract/profile/read-profile.ts';
import { relayExploreContract } from '../gather/explore/explore-cases.ts';
import type { AnyRecording } from '../recording/recording.ts';
import { type Excuses, readBaseline } from '../report/excuses/apply-excuses.ts';
import { restoreWaivers } from '../report/excuses/waivers.ts';
import { reportProfile } from '../report/profile-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { type ChosenCases, knownCases } from './files/prepare-files.ts';
import { resolve } from 'node:path';
import { digestRecording } from '../recording/recording-file.ts';
import { digestReport } from '../report/seal-report.ts';

/** Differences that are listed. */
const MAX_LISTED = 200;

const EXITS = { verified: EXIT.passed, differs: EXIT.failed, 'not-comparable': EXIT.usage } as const;

export async function verifyCommand({ args, options, io }: Call): Promise<number> {
  const [reportFile = '', recordingFile = ''] = args;
  const { cwd, stdout } = io;
  const report = await loadFirst(reportFile, recordingFile, cwd);
  const digested = await digestFiles(report, recordingFile, cwd);
  const compared = await compareWithRecording(report, recordingFile, { ...options, cwd }, digested.damage);
  const verification = conclude(report, { ...compared, ...digested, reportFile, recordingFile }, options.submission);
  const look = { width: clampWidth(stdout.columns), quotes: detectAgent(io) === undefined };
  stdout.write(
    options.json
      ? formatJson(verification)
      : formatVerification(verification, report.outcome.line, compared.judged, look),
  );
  return verification.exit;
}

function wrongOrder(file: string): UsageError {
  return usageError.FILE_INVALID(`${inert(file, 300)} is a report: name the report first, then the recording.`);
}

interface ComparedFiles extends Compared, Pick<Verification, 'otherwise'> {
  readonly suites: readonly string[];
  /** The version of wirecheck that made the recording. */
  readonly recordedBy?: string;
  /** What the recording gives. Absent if it could not be judged. */
  readonly judged?: Report;
}

const NOT_COMPARED: ComparedFiles = { compared: 'everything', certain: [], judgement: [], otherwise: [], suites: [] };
const onlyThis = (difference: ReportDifference): ComparedFiles => ({ ...NOT_COMPARED, certain: [difference] });

/** Whoever swaps the two files is told so. */
async function loadFirst(reportFile: string, recordingFile: string, cwd: string): Promise<Report> {
  try {
    return loadReport(reportFile, cwd);
  } catch (error) {
    const second = await loadRecorded(recordingFile, cwd).catch(() => undefined);
    if (second?.kind === 'report') throw wrongOrder(recordingFile);
    throw error;
  }
}

async function compareWithRecording(
  report: Report,
  file: string,
  given: Given,
  damage: readonly ReportDifference[],
): Promise<ComparedFiles> {
  // Whatever else differs follows from the damage.
  if (damage.some(({ kind }) => kind === 'unreadable')) return NOT_COMPARED;
  const recorded = await loadRecorded(file, given.cwd, true);
  if (recorded.kind === 'report') throw wrongOrder(file);
  // It may have other clauses and other words: only that version can say whether its report follows.
  if (report.tool.version !== packageVersion()) return { ...NOT_COMPARED, compared: 'nothing' };
  try {
    return await judgeForReport(report, recorded, given);
  } catch (error) {
    // A recording that is known to be damaged may be unreadable too.
    if (!(error instanceof UsageError) || error.kind !== 'FILE_INVALID' || damage.length === 0) throw error;
    return onlyThis({ kind: 'unreadable', message: inert(error.message, 400) });
  }
}

/** Tells causes as the report did when it was delivered. */
function tellAgain(report: Report, judged: Report): Parameters<typeof compareReports>[1] {
  // The library once left them out.
  const tell = report.causes !== undefined || report.outcome.line !== undefined ? addCauses : (own: Report) => own;
  return { whole: tell(judged), bare: tell(withoutBodies(judged)) };
}

/** A command that has a recording states both. Without them, nothing says that these two files belong together. */
function listMissingDigests(report: Report): readonly ReportDifference[] {
  const missing = (['/reportDigest', '/recordingDigest'] as const).filter((at) => valueAt(report, at) === undefined);
  // A report of the library has none.
  return missing.length === 2 ? [] : missing.map((member) => ({ kind: 'no-digest', member }));
}

type Found = ComparedFiles & DigestedFiles & Readonly<Record<'reportFile' | 'recordingFile', string>>;

function conclude(report: Report, found: Found, isSubmitted = false): Verification {
  const { judgement, compared, otherwise, digests } = found;
  const certain = [...found.damage, ...listMissingDigests(report), ...found.certain];
  const all = [...certain, ...judgement];
  const isOpen = judgement.length > 0 || compared === 'nothing';
  const result: VerificationResult = certain.length > 0 ? 'differs' : isOpen ? 'not-comparable' : 'verified';
  const { edition, editionDigest, reportDigest, recordingDigest } = report;
  const tool = { name: 'wirecheck', version: packageVersion() } as const;
  const submission = isSubmitted
    ? judgeSubmission(report, { result, tool, recordedBy: found.recordedBy }, loadEditions())
    : undefined;
  return {
    format: 'wirecheck-verification',
    version: 1,
    result,
    exit: submission === undefined || submission.row ? EXITS[result] : EXIT.failed,
    tool,
    ...currentEdition(),
    report: {
      file: found.reportFile,
      tool: report.tool,
      ...withoutUndefined({ edition, editionDigest }),
      outcome: report.outcome.name,
      digest: digests.report,
      ...(reportDigest !== undefined && { stated: reportDigest }),
    },
    recording: {
      file: found.recordingFile,
      digest: digests.recording,
      ...(recordingDigest !== undefined && { stated: recordingDigest }),
      suites: found.suites,
    },
    compared,
    otherwise,
    differences: all.slice(0, MAX_LISTED),
    more: Math.max(0, all.length - MAX_LISTED),
    notRecorded: listNotRecorded(report),
    ...withoutUndefined({ submission }),
  };
}

interface Given extends OwnOptions {
  readonly cwd: string;
}

/** Judges as strictly as the report was judged, by the same profile and with the same excuses. */
export async function judgeForReport(report: Report, recorded: Recorded, given: Given): Promise<ComparedFiles> {
  const opened = await recorded.open();
  const { name: reported } = traitsOf(report);
  const subject = hasUpstream(opened) ? 'relay' : opened.subject;
  if (reported !== subject) return onlyThis({ kind: 'subject', reported, recorded: subject });
  // A profile with the clauses of these files cannot be found without them.
  const suites = suiteFilesIn(opened);
  const { settings } = opened.start;
  const unchanged = hasUpstream(opened) ? relayExploreContract(UNCHANGED) : loadContract(opened.subject);
  const digest = reportProfile(settings, unchanged)?.digest;
  const profile = findProfile(report, digest, given);
  const judged = await recorded.judge(opened, {
    // A lenient report of a strict run then differs: no command makes one.
    strict: report.strict || settings.strict,
    ...(profile && { profile }),
    excuses: excusesOf(report, given, { suites: suitesOf(opened), profile: profile ?? settings.profile }),
  });
  const isRecording = recorded.kind === 'recording';
  return {
    ...compareReports({ ...report, outcome: outcomeOfRecording(report.outcome) }, tellAgain(report, judged)),
    otherwise: [
      ...(isRecording && report.strict && !settings.strict ? (['strict'] as const) : []),
      ...(isRecording && report.profile && report.profile.digest !== digest ? (['profile'] as const) : []),
    ],
    suites,
    ...(isRecording && { recordedBy: opened.start.tool.version }),
    judged,
  };
}

/** `relay --explore` records what it sends, as a run does. */
function hasUpstream(opened: AnyRecording): boolean {
  return opened.subject === 'gateway' && opened.start.settings.explore?.upstreamUrl !== undefined;
}

/** The profile of the report; undefined for that of the recording. A report that hides the profile of its run then differs from what the run gives. */
function findProfile({ profile: wanted }: Report, recorded: string | undefined, given: Given): Profile | undefined {
  const { profile: name, cwd } = given;
  if (!wanted) {
    if (name === undefined) return undefined;
    throw usageError.CONFLICT('The report names no profile: leave out --profile.');
  }
  if (name === undefined && wanted.digest === recorded) return undefined;
  const chosen = name ?? builtInProfiles().find((each) => each === wanted.name);
  const profile = chosen === undefined ? undefined : loadProfile(chosen, cwd);
  if (profile?.digest === wanted.digest) return profile;
  throw new UsageError(
    `The report was judged by the profile ${inert(wanted.name ?? 'of a config file', 100)} with the digest ${wanted.digest}: pass it with --profile FILE.`,
    { code: name === undefined ? 'VALUE_MISSING' : 'CONFLICT' },
  );
}

/** The report has its waivers, but not the older report that it was compared with. */
function excusesOf(report: Report, { baseline, submission, cwd }: Given, chosen: ChosenCases): Excuses {
  const { waivers, baseline: compared } = report;
  if (!compared && baseline !== undefined)
    throw usageError.CONFLICT('The report was made without a baseline: leave out --baseline.');
  // It does not count whatever the baseline says, and all reasons are told at once.
  if (compared && baseline === undefined && !submission)
    throw usageError.VALUE_MISSING(
      `The report was made with the baseline ${inert(compared.file, 300)}: pass it with --baseline FILE.`,
    );
  const older =
    baseline === undefined ? undefined : loadOlderReport('--baseline', baseline, cwd, traitsOf(report).name);
  return {
    ...(waivers && {
      waivers: restoreWaivers(waivers.file, waivers.entries, knownCases(chosen)),
      failOnUnusedWaivers: waivers.failOnUnused,
    }),
    ...(compared && older && { baseline: readBaseline(older, compared.file) }),
  };
}

/** Bytes, uncompressed: a small file may unpack to terabytes. */
const MAX_RECORDING = 1024 ** 3;

/** `damage`: digests that are not those that the report states. */
type DigestedFiles = Awaited<ReturnType<typeof digestFiles>>;

async function digestFiles(report: Report, file: string, cwd: string) {
  let isBroken = false;
  const reading = { shown: file, most: MAX_RECORDING, onBroken: () => (isBroken = true) };
  const digests = { report: digestReport(report), recording: await digestRecording(resolve(cwd, file), reading) };
  const compare = (kind: 'report-digest' | 'recording-digest', stated: string | undefined, actual: string) =>
    stated === undefined || stated === actual ? [] : [{ kind, stated, actual }];
  const ofRecording = compare('recording-digest', report.recordingDigest, digests.recording);
  const message = `the gzip data of ${inert(file, 300)} is damaged or cut off. Copy it again.`;
  // A run that was killed leaves such a file, and its report may have been made from that.
  const broken = isBroken && ofRecording.length > 0 ? [{ kind: 'unreadable', message } as const] : [];
  return {
    digests,
    damage: [...compare('report-digest', report.reportDigest, digests.report), ...broken, ...ofRecording],
  };
}
