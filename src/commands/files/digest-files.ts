/** The digests of a report and of its recording, beside those that the report states. */
import { resolve } from 'node:path';
import { digestRecording } from '../../recording/recording-file.ts';
import type { Report } from '../../report/report.ts';
import { digestReport } from '../../report/seal-report.ts';
import type { ReportDifference } from '../../report/verification/verification.ts';
import { inert } from '../../text/inert.ts';

export interface Digests {
  readonly report: string;
  readonly recording: string;
}

interface DigestedFiles {
  readonly digests: Digests;
  readonly damage: readonly ReportDifference[];
}

/** Bytes, uncompressed: a small file may unpack to terabytes. */
const MAX_RECORDING = 1024 ** 3;

export async function digestFiles(report: Report, recording: string, cwd: string): Promise<DigestedFiles> {
  let isBroken = false;
  const reading = { shown: recording, most: MAX_RECORDING, onBroken: () => (isBroken = true) };
  const actual = {
    report: digestReport(report),
    recording: await digestRecording(resolve(cwd, recording), reading),
  };
  const { reportDigest, recordingDigest } = report;
  const damage = compareDigests('recording-digest', recordingDigest, actual.recording);
  return {
    digests: actual,
    damage: [
      ...compareDigests('report-digest', reportDigest, actual.report),
      // A run that was killed leaves such a file, and its report may have been made from that.
      ...(isBroken && damage.length > 0 ? [describeBroken(recording)] : []),
      ...damage,
    ],
  };
}

function describeBroken(file: string): ReportDifference {
  return { kind: 'unreadable', message: `the gzip data of ${inert(file, 300)} is damaged or cut off. Copy it again.` };
}

function compareDigests(
  kind: 'report-digest' | 'recording-digest',
  stated: string | undefined,
  actual: string,
): readonly ReportDifference[] {
  return stated === undefined || stated === actual ? [] : [{ kind, stated, actual }];
}
