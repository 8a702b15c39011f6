/** `wirecheck verify REPORT RECORDING`: judges the recording again, and compares. Nothing is sent. */
import { currentEdition } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { valueAt } from '../json.ts';
import { tellCauses } from '../render/json.ts';
import { formatVerification } from '../render/verification-text.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import {
  type Compared,
  compareReports,
  type JudgedAgain,
  listNotRecorded,
} from '../report/verification/compare-reports.ts';
import type { ReportDifference, Verification, VerificationResult } from '../report/verification/verification.ts';
import { withoutBodies } from '../report/without-bodies.ts';
import { inert } from '../text/inert.ts';
import { clampWidth } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import { detectAgent } from './files/outputs.ts';
import { digestFiles, type Digests } from './files/digest-files.ts';
import { judgeForReport } from './files/judge-for-report.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { loadReport } from './files/read-files.ts';
import type { Call } from './table/command-row.ts';

export interface VerifyFlags {
  readonly profile?: string;
  readonly baseline?: string;
  readonly json?: boolean;
}

/** Differences that are listed. */
const MAX_LISTED = 200;

const EXITS = { verified: EXIT.passed, differs: EXIT.failed, 'not-comparable': EXIT.usage } as const;

export async function verifyCommand({ args, options: flags, io }: Call<VerifyFlags>): Promise<number> {
  const [reportFile = '', recordingFile = ''] = args;
  const { cwd, stdout } = io;
  const report = await loadFirst(reportFile, recordingFile, cwd);
  const { digests, damage } = await digestFiles(report, recordingFile, cwd);
  const compared = await compareWithRecording(report, recordingFile, { flags, cwd, damage });
  const verification = conclude(report, { ...compared, damage, digests, reportFile, recordingFile });
  stdout.write(
    flags.json
      ? `${JSON.stringify(verification, null, 2)}\n`
      : formatVerification(verification, report.outcome.line, compared.judged, {
          width: clampWidth(stdout.columns),
          quotes: detectAgent(io) === undefined,
        }),
  );
  return verification.exit;
}

function wrongOrder(file: string): UsageError {
  return new UsageError(`${inert(file, 300)} is a report: name the report first, then the recording.`, {
    code: 'FILE_INVALID',
  });
}

interface Comparing {
  readonly flags: VerifyFlags;
  readonly cwd: string;
  readonly damage: readonly ReportDifference[];
}

interface ComparedFiles extends Compared, Pick<Verification, 'otherwise'> {
  readonly suites: readonly string[];
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
  { flags, cwd, damage }: Comparing,
): Promise<ComparedFiles> {
  // Whatever else differs follows from the damage.
  if (damage.some(({ kind }) => kind === 'unreadable')) return NOT_COMPARED;
  const recorded = await loadRecorded(file, cwd, true);
  if (recorded.kind === 'report') throw wrongOrder(file);
  // It may have other clauses and other words: only that version can say whether its report follows.
  if (report.tool.version !== packageVersion()) return { ...NOT_COMPARED, compared: 'nothing' };
  try {
    const judged = await judgeForReport(report, recorded, { ...flags, file, cwd });
    if (judged.kind !== 'judged') return onlyThis(judged.difference);
    const reported = { ...report, outcome: outcomeOfRecording(report.outcome) };
    const { otherwise, suites } = judged;
    return {
      ...compareReports(reported, tellAgain(report, judged.report)),
      otherwise,
      suites,
      judged: judged.report,
    };
  } catch (error) {
    // A recording that is known to be damaged may be unreadable too.
    if (!(error instanceof UsageError) || error.kind !== 'FILE_INVALID' || damage.length === 0) throw error;
    return onlyThis({ kind: 'unreadable', message: inert(error.message, 400) });
  }
}

/** A report of the library has no digests. */
function isOfLibrary({ reportDigest, recordingDigest }: Report): boolean {
  return reportDigest === undefined && recordingDigest === undefined;
}

/** As the report was delivered. */
function tellAgain(report: Report, judged: Report): JudgedAgain {
  const [whole, bare] = [judged, withoutBodies(judged)];
  // The library once left them out.
  const isTold = report.causes !== undefined || report.outcome.line !== undefined;
  return isTold ? { whole: tellCauses(whole), bare: tellCauses(bare) } : { whole, bare };
}

/** A command that has a recording states both. Without them, nothing says that these two files belong together. */
function listMissingDigests(report: Report): readonly ReportDifference[] {
  if (isOfLibrary(report)) return [];
  const members = ['/reportDigest', '/recordingDigest'] as const;
  return members
    .filter((member) => valueAt(report, member) === undefined)
    .map((member) => ({ kind: 'no-digest', member }));
}

interface Concluded extends ComparedFiles {
  readonly damage: readonly ReportDifference[];
  readonly digests: Digests;
  readonly reportFile: string;
  readonly recordingFile: string;
}

function conclude(report: Report, concluded: Concluded): Verification {
  const { judgement, compared, otherwise, digests } = concluded;
  const certain = [...concluded.damage, ...listMissingDigests(report), ...concluded.certain];
  const all = [...certain, ...judgement];
  const isOpen = judgement.length > 0 || compared === 'nothing';
  const result: VerificationResult = certain.length > 0 ? 'differs' : isOpen ? 'not-comparable' : 'verified';
  const { edition, editionDigest, reportDigest, recordingDigest } = report;
  return {
    format: 'wirecheck-verification',
    version: 1,
    result,
    exit: EXITS[result],
    tool: { name: 'wirecheck', version: packageVersion() },
    ...currentEdition(),
    report: {
      file: concluded.reportFile,
      tool: report.tool,
      ...(edition !== undefined && { edition }),
      ...(editionDigest !== undefined && { editionDigest }),
      outcome: report.outcome.name,
      digest: digests.report,
      ...(reportDigest !== undefined && { stated: reportDigest }),
    },
    recording: {
      file: concluded.recordingFile,
      digest: digests.recording,
      ...(recordingDigest !== undefined && { stated: recordingDigest }),
      suites: concluded.suites,
    },
    compared,
    otherwise,
    differences: all.slice(0, MAX_LISTED),
    more: Math.max(0, all.length - MAX_LISTED),
    notRecorded: listNotRecorded(report),
  };
}
