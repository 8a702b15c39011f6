/** `wirecheck verify REPORT RECORDING`: judges the recording again, and compares. Nothing is sent. */
import { resolve } from 'node:path';
import { currentEdition } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { digestRecording } from '../recording/recording-digest.ts';
import { tellCauses, withoutCauses } from '../render/tell-causes.ts';
import { formatVerification } from '../render/verification-text.ts';
import type { Report } from '../report/report.ts';
import { digestReport } from '../report/seal-report.ts';
import { compareMembers } from '../report/verification/compare-members.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import { compareReports, listNotRecorded } from '../report/verification/compare-reports.ts';
import type { Difference, Verification, VerificationResult } from '../report/verification/verification.ts';
import { inert } from '../text/inert.ts';
import { clampWidth } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { detectAgent } from './files/detect-agent.ts';
import { judgeForReport } from './files/judge-for-report.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { loadReport } from './files/load-report.ts';

export interface VerifyFlags {
  readonly profile?: string;
  readonly baseline?: string;
  readonly json?: boolean;
}

/** Bytes, uncompressed: a small file may unpack to terabytes. */
const MAX_RECORDING = 1024 ** 3;
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
  const digests = {
    report: digestReport(report),
    recording: await digestRecording(resolve(cwd, recordingFile), { shown: recordingFile, most: MAX_RECORDING }),
  };
  const damage = findDamage(report, digests);
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

interface Digests {
  readonly report: string;
  readonly recording: string;
}

function findDamage({ reportDigest, recordingDigest }: Report, actual: Digests): readonly Difference[] {
  return [
    ...digestDifference('report-digest', reportDigest, actual.report),
    ...digestDifference('recording-digest', recordingDigest, actual.recording),
  ];
}

function digestDifference(
  kind: 'report-digest' | 'recording-digest',
  stated: string | undefined,
  actual: string,
): readonly Difference[] {
  return stated === undefined || stated === actual ? [] : [{ kind, stated, actual }];
}

interface Comparing {
  readonly flags: VerifyFlags;
  readonly cwd: string;
  readonly damage: readonly Difference[];
}

type Compared = ReturnType<typeof compareReports>;

const onlyThis = (difference: Difference): Compared => ({
  compared: 'everything',
  certain: [difference],
  judgement: [],
});

async function compareWithRecording(
  report: Report,
  file: string,
  { flags, cwd, damage }: Comparing,
): Promise<Compared> {
  try {
    const judged = await judgeForReport(report, await loadRecorded(file, cwd), { ...flags, file, cwd });
    if (judged.kind !== 'judged') return onlyThis(judged.difference);
    const outcome = outcomeOfRecording(report.outcome);
    const result = compareReports(withoutCauses({ ...report, outcome }), judged.report);
    return result.compared === 'everything'
      ? { ...result, certain: [...result.certain, ...compareTold(report)] }
      : result;
  } catch (error) {
    // A recording that is known to be damaged may be unreadable too.
    if (!(error instanceof UsageError) || error.code !== 'FILE_INVALID' || damage.length === 0) throw error;
    return onlyThis({ kind: 'unreadable', message: inert(error.message, 400) });
  }
}

/** Sentence and causes follow from the rest of the report. A report of the library has neither. */
function compareTold(report: Report): readonly Difference[] {
  if (report.causes === undefined && report.outcome.line === undefined) return [];
  const again = tellCauses(withoutCauses(report));
  return [
    ...compareMembers(report.outcome.line, again.outcome.line, ['outcome', 'line']),
    ...compareMembers(report.causes, again.causes, ['causes']),
  ];
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
