/** Loads a recording, a report or a HAR file. */
import { resolve } from 'node:path';
import { openHar } from '../../recording/har/har-import.ts';
import { readBytes } from '../../recording/read-lines.ts';
import { openAnyRecording } from '../../recording/read-recording.ts';
import type { AnyRecording, RecordedRun } from '../../recording/recording.ts';
import type { Report } from '../../report/report.ts';
import { UsageError } from '../../usage-error.ts';
import { loadReport } from './load-report.ts';

export type RecordedFile =
  /** Each call of `open` starts at the beginning. */
  | { readonly kind: 'recording'; open(): Promise<AnyRecording> }
  | { readonly kind: 'har'; open(): Promise<RecordedRun> }
  | { readonly kind: 'report'; readonly report: Report };

/** Bytes. Our own files say what they are in the first few hundred; HAR files may have a longer preamble. */
const HEAD_SIZE = 64 * 1024;

export async function loadRecorded(file: string, cwd: string): Promise<RecordedFile> {
  const path = resolve(cwd, file);
  const head = await readHead(path);
  if (head.includes('"wirecheck-recording"')) return { kind: 'recording', open: () => openAnyRecording(path, file) };
  if (head.includes('"wirecheck-report"')) return { kind: 'report', report: loadReport(file, cwd) };
  if (/^\s*\{(?:.*?[,{])?\s*"log"\s*:\s*\{/s.test(head)) return { kind: 'har', open: () => openHar(path, file) };
  throw new UsageError(
    head.trim() === ''
      ? `${file} is empty: name a recording, a report or a HAR file.`
      : `${file} is not a wirecheck recording, a wirecheck report or a HAR file.`,
    { code: 'FILE_INVALID' },
  );
}

async function readHead(path: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of readBytes(path, () => undefined)) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= HEAD_SIZE) break;
  }
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, HEAD_SIZE));
}
