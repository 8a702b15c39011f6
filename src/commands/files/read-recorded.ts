/** Loads a recording, a report or a HAR file. */
import { resolve } from 'node:path';
import { openHar } from '../../recording/har/har-import.ts';
import { readBytes } from '../../recording/read-lines.ts';
import { openAnyRecording } from '../../recording/read-recording.ts';
import { UntrustedFileLimits } from '../../recording/line-limits.ts';
import type { AnyRecording, RecordedRun } from '../../recording/recording.ts';
import type { Report } from '../../report/report.ts';
import { suiteFilesOf } from '../../recording/write-recording.ts';
import { inert } from '../../text/layout.ts';
import { existsSync } from 'node:fs';
import { usageError } from '../../usage-error.ts';
import { judgeForeign, type JudgeOptions } from '../../run/judge-recording.ts';
import { judgeAnyRecording } from '../../subjects/recorded-runs.ts';
import { loadReport } from './user-files.ts';

/** A recording, or a HAR file as one. */
export interface Recorded {
  readonly kind: 'recording' | 'har';
  /** Each call starts at the beginning. */
  readonly open: () => Promise<AnyRecording>;
  readonly judge: (opened: AnyRecording, options?: JudgeOptions) => Promise<Report>;
}

type RecordedFile = Recorded | { readonly kind: 'report'; readonly report: Report };

/** Bytes. Our own files say what they are in the first few hundred; HAR files may have a longer preamble. */
const HEAD_SIZE = 64 * 1024;

/** `isStrangers`: more is refused. */
export async function loadRecorded(file: string, cwd: string, isStrangers = false): Promise<RecordedFile> {
  const path = resolve(cwd, file);
  const { text, isBroken } = await readHead(path);
  if (text.includes('"wirecheck-recording"')) {
    const open = () => openAnyRecording(path, file, isStrangers ? new UntrustedFileLimits() : undefined);
    return { kind: 'recording', open, judge: judgeAnyRecording };
  }
  if (text.includes('"wirecheck-report"')) return { kind: 'report', report: loadReport(file, cwd) };
  if (/^\s*\{(?:.*?[,{])?\s*"log"\s*:\s*\{/s.test(text)) {
    // It has the calls of a gateway, and was opened as such.
    const judge: Recorded['judge'] = (opened, options) => judgeForeign(opened as RecordedRun, options);
    return { kind: 'har', open: () => openHar(path, file), judge };
  }
  if (text.trim() !== '')
    throw usageError.FILE_INVALID(`${file} is not a wirecheck recording, a wirecheck report or a HAR file.`);
  throw usageError.FILE_INVALID(
    isBroken
      ? `${file} is damaged or cut off, and cannot be decompressed. Copy it again, or record again.`
      : `${file} is empty: name a recording, a report or a HAR file.`,
  );
}

/** `isBroken`: the gzip data is damaged or cut off. */
async function readHead(path: string) {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isBroken = false;
  for await (const part of readBytes(path, () => (isBroken = true))) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= HEAD_SIZE) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(parts).subarray(0, HEAD_SIZE)), isBroken };
}

/** The suites of a run: names and files. */
export function suitesOf(opened: AnyRecording): readonly string[] {
  return opened.subject === 'gateway' ? (opened.start.settings.suites ?? []) : [];
}

/** Files with cases of the user's own, which are read from where they were. Throws a UsageError if one is not there. */
export function suiteFilesIn(opened: AnyRecording): readonly string[] {
  const files = suiteFilesOf(suitesOf(opened));
  const missing = files.find((file) => !existsSync(file));
  if (missing === undefined) return files;
  throw usageError.FILE_MISSING(
    `Cannot find the suite file ${inert(missing, 300)}, which the recording names: put it there, or start wirecheck in the folder from which the run was started.`,
  );
}
