/** A file that holds a run, whatever its kind: a recording, a report, or a HAR that something else wrote. */
import { resolve } from 'node:path';
import { openHar } from '../../recording/har/har-import.ts';
import { readBytes } from '../../recording/read-lines.ts';
import { openRecording } from '../../recording/read-recording.ts';
import type { RecordedRun } from '../../recording/recording.ts';
import type { Report } from '../../report/report.ts';
import { UsageError } from '../../usage-error.ts';
import { loadReport } from './load-report.ts';

export type RecordedFile =
  /** It can be read more than once, each time from its beginning. */
  | { readonly kind: 'recording' | 'har'; open(): Promise<RecordedRun> }
  | { readonly kind: 'report'; readonly report: Report };

/** The word that tells stands in the first few hundred bytes of what we write; others may begin with a longer preamble. */
const BEGINNING = 64 * 1024;

export async function loadRecorded(file: string, cwd: string): Promise<RecordedFile> {
  const path = resolve(cwd, file);
  const start = await beginningOf(path);
  if (start.includes('"wirecheck-recording"')) return { kind: 'recording', open: () => openRecording(path, file) };
  if (start.includes('"wirecheck-report"')) return { kind: 'report', report: loadReport(file, cwd) };
  if (/^\s*\{(?:.*?[,{])?\s*"log"\s*:\s*\{/s.test(start)) return { kind: 'har', open: () => openHar(path, file) };
  throw new UsageError(
    start.trim() === ''
      ? `${file} is empty.`
      : `${file} is neither a recording nor a report of wirecheck, and no HAR either.`,
  );
}

async function beginningOf(path: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of readBytes(path, () => undefined)) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= BEGINNING) break;
  }
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, BEGINNING));
}
