/** `wirecheck verify REPORT RECORDING`: judges the recording again, and compares. Nothing is sent. */
import { currentEdition } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { tellCauses } from '../render/tell-causes.ts';
import { formatVerification } from '../render/verification-text.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import {
  type Compared,
  compareReports,
  type JudgedAgain,
  listNotRecorded,
} from '../report/verification/compare-reports.ts';
import type { Difference, Verification, VerificationResult } from '../report/verification/verification.ts';
import { withoutBodies } from '../report/without-bodies.ts';
import { inert } from '../text/inert.ts';
import { clampWidth } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { detectAgent } from './files/detect-agent.ts';
import { digestFiles, type Digests } from './files/digest-files.ts';
import { judgeForReport } from './files/judge-for-report.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { loadReport } from './files/load-report.ts';

export interface VerifyFlags {
  readonly profile?: string;
  readonly baseline?: string;
  readonly json?: boolean;
}

/** Differences that are listed. */
const MAX_LISTED = 200;

const EXITS = { verified: EXIT.passed, differs: EXIT.failed, 'not-comparable': EXIT.usage } as const;

export async function verifyCommand(
  reportFile: string,
  recordingFile: string,
  flags: VerifyFlags,
  io: CommandIo,
): Promise<number> {
  const { cwd, stdout } = io;
  const report = loadReport(reportFile, cwd);
  const { digests, damage } = await digestFiles(report, recordingFile, cwd);
  const compared = await compareWithRecording(report, recordingFile, { flags, cwd, damage });
  const verification = conclude(report, { ...compared, damage, digests, reportFile, recordingFile });
  stdout.write(
    flags.json
      ? `${JSON.stringify(verification, null, 2)}\n`
      : formatVerification(verification, report, {
          width: clampWidth(stdout.columns),
          quotes: detectAgent(io) === undefined,
        }),
  );
  return verification.exit;
}

interface Comparing {
  readonly flags: VerifyFlags;
  readonly cwd: string;
  readonly damage: readonly Difference[];
}

const NOT_COMPARED: Compared = { compared: 'everything', certain: [], judgement: [] };
const onlyThis = (difference: Difference): Compared => ({ ...NOT_COMPARED, certain: [difference] });

async function compareWithRecording(
  report: Report,
  file: string,
  { flags, cwd, damage }: Comparing,
): Promise<Compared> {
  // Whatever else differs follows from the damage.
  if (damage.some(({ kind }) => kind === 'unreadable')) return NOT_COMPARED;
  try {
    const judged = await judgeForReport(report, await loadRecorded(file, cwd), { ...flags, file, cwd });
    const reported = { ...report, outcome: outcomeOfRecording(report.outcome) };
    return judged.kind === 'judged'
      ? compareReports(reported, tellAgain(report, judged.report))
      : onlyThis(judged.difference);
  } catch (error) {
    // A recording that is known to be damaged may be unreadable too.
    if (!(error instanceof UsageError) || error.code !== 'FILE_INVALID' || damage.length === 0) throw error;
    return onlyThis({ kind: 'unreadable', message: inert(error.message, 400) });
  }
}

/** As the report was delivered. A report of the library has no digest, no sentence and no causes. */
function tellAgain({ reportDigest, causes, outcome }: Report, judged: Report): JudgedAgain {
  const isOfLibrary = reportDigest === undefined && causes === undefined && outcome.line === undefined;
  const [whole, bare] = [judged, withoutBodies(judged)];
  return isOfLibrary ? { whole, bare } : { whole: tellCauses(whole), bare: tellCauses(bare) };
}

interface Concluded extends Compared {
  readonly damage: readonly Difference[];
  readonly digests: Digests;
  readonly reportFile: string;
  readonly recordingFile: string;
}

function conclude(report: Report, concluded: Concluded): Verification {
  const { damage, certain, judgement, compared, digests } = concluded;
  const all = [...damage, ...certain, ...judgement];
  const result: VerificationResult =
    damage.length + certain.length > 0 ? 'differs' : judgement.length > 0 ? 'not-comparable' : 'verified';
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
    },
    compared,
    differences: all.slice(0, MAX_LISTED),
    more: Math.max(0, all.length - MAX_LISTED),
    notRecorded: listNotRecorded(report),
  };
}
