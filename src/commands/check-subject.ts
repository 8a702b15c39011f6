/** What every command that checks one target does around its check: files, excuses, notices, a progress line, the report. */
import { resolve } from 'node:path';
import type { Hooks, Progress, Wait } from '../exchange/channel/hooks.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import type { Scanner } from '../exchange/secrets/scanner.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { RecordingFile } from '../recording/recording-file.ts';
import type { Report } from '../report/report.ts';
import { usageError } from '../usage-error.ts';
import type { CommandIo } from './command-row.ts';
import { wantsNoProgress, readOutputs } from './files/outputs.ts';
import { prepareFiles, type Excusable } from './files/prepare-files.ts';
import { requireWritable } from './files/user-files.ts';
import type { Inputs } from './settings/read-settings.ts';
import { isLoopback } from '../run/check-address.ts';
import type { Settings } from '../settings.ts';
import { inert } from '../text/layout.ts';
import { type Advance, progressLine } from './progress.ts';

/** Something that writes a recording, and says if it could not. */
type Recording = Pick<RecordingFile, 'problem' | 'digest'>;

export type CheckHooks<Progress> = Required<Hooks<Progress>> & {
  readonly excuses: Excuses;
  /** Writes beside the progress line. */
  readonly say: (text: string) => void;
};

/** `Told`: how far the check is. */
interface SubjectCheck<Told, Recorder extends Recording> {
  readonly inputs: Inputs;
  readonly excusable: Excusable;
  /** What the progress line counts, in the plural. */
  readonly unit: string;
  readonly advance: (progress: Told) => Advance;
  readonly createRecorder: (path: string, force: boolean) => Recorder;
  /** Called after all files were checked, before the first request. */
  readonly begin: () => Promise<Begun<Told, Recorder>> | Begun<Told, Recorder>;
}

interface Begun<Told, Recorder> {
  readonly check: (hooks: CheckHooks<Told>, recorder: Recorder | undefined) => Promise<Report>;
  /** Finds all secrets that are known at the end: keys of a gateway may have arrived meanwhile. */
  readonly scanner: () => Scanner;
  /** Called after the report was written and shown. */
  readonly end?: () => void;
}

/** Of checks that record once everything is gathered. */
export const createFile = (path: string, force: boolean) => new RecordingFile(path, force);

export const advanceByCases = ({ casesDone, cases }: Progress): Advance => ({ done: casesDone, total: cases });
export const advanceByRequests = ({ requests, requestsExpected = requests, doing }: Progress): Advance => ({
  done: requests,
  total: requestsExpected,
  ...(doing !== undefined && { doing }),
});

/** Loads all formats. That happens while the first answer is awaited, since they would delay its request. */
const loadDelivery = () => import('./files/deliver.ts');

export async function checkSubject<Told, Recorder extends Recording>(
  subject: SubjectCheck<Told, Recorder>,
): Promise<number> {
  const { inputs, excusable } = subject;
  const { merged, io } = inputs;
  const outputs = readOutputs(merged, io);
  const recording = merged.get('record');
  const written = recording === undefined ? [] : [resolve(io.cwd, recording)];
  const alsoWritten = written.map((path) => ({ name: 'the recording', path, flags: '--record' }));
  const excuses = prepareFiles({ inputs, outputs: [outputs], alsoWritten, excusable });
  const [recorder] = written.map((path) => subject.createRecorder(path, merged.get('force') ?? false));
  for (const path of written) requireWritable(path, 'choose another file with --record.');
  const { check, scanner, end } = await subject.begin();
  const screen = wantsNoProgress(merged, outputs) ? undefined : io.stderr;
  const line = progressLine(screen, subject.unit);
  const interrupts = stopOnInterrupt(io, 'report', line.clear);
  let delivery: ReturnType<typeof loadDelivery> | undefined;
  try {
    const say = (text: string): void => {
      line.clear();
      screen?.write(text);
    };
    const hooks: CheckHooks<Told> = {
      excuses,
      say,
      signal: interrupts.signal,
      onProgress: (progress) => line.update(subject.advance(progress)),
      onWait: showWaiting(say),
      onAwait(awaited) {
        delivery ??= loadDelivery();
        return line.await(awaited);
      },
    };
    const report = await check(hooks, recorder).finally(line.end);
    interrupts.endRun();
    const { deliverReport } = await (delivery ?? loadDelivery());
    // The report has all that is needed of the bodies.
    clearReadings();
    const recordingDigest = recorder?.digest;
    await deliverReport(report, { outputs, inputs, scanner: scanner(), written, recordingDigest });
    end?.();
    if (recorder?.problem === undefined) return report.outcome.exit;
    throw usageError.FILE_UNWRITABLE(
      `${recording} is incomplete (${recorder.problem}). The part that was written can be judged.`,
    );
  } finally {
    interrupts.release();
  }
}

interface Interrupts {
  readonly signal: AbortSignal;
  /** An interrupt after this has nothing to stop: what is left is to write the report. A second one ends the process. */
  readonly endRun: () => void;
  /** Once everything is written. Before, a single interrupt would leave the files of two runs in one folder. */
  readonly release: () => void;
}

/** `clear`: makes room on the screen. */
export function stopOnInterrupt(
  { stderr, onInterrupt }: CommandIo,
  what: 'report' | 'reports',
  clear: () => void,
): Interrupts {
  const stop = new AbortController();
  let isOver = false;
  const release = onInterrupt(() => {
    if (isOver) return;
    stop.abort();
    clear();
    stderr.write(`Interrupted. Writing the ${what} so far; press Ctrl-C again to quit now.\n`);
  });
  return { signal: stop.signal, endRun: () => void (isOver = true), release };
}

/** Files are written as a whole set: an interrupt that comes meanwhile is ignored. */
export function writeUndisturbed<Result>({ onInterrupt }: CommandIo, write: () => Result): Result {
  const release = onInterrupt(() => undefined);
  try {
    return write();
  } finally {
    release();
  }
}

/** Milliseconds between two lines, so that a log stays short. */
const INTERVAL = 20_000;

/** Writes at once, so that nobody takes the wait for a hang, then at intervals. */
export function showWaiting(write: (text: string) => void): (wait: Wait) => void {
  let next = 0;
  return ({ elapsed, most, why }) => {
    // A wait that has just begun may be another one.
    if (elapsed > 0 && elapsed < next) return;
    next = elapsed + INTERVAL;
    const seconds = (time: number): string => `${Math.round(time / 1000)} s`;
    write(`Waiting for the target (${describeWait(why)}): ${seconds(elapsed)} of up to ${seconds(most)}\n`);
  };
}

function describeWait(why: Wait['why']): string {
  if (typeof why === 'number') return `GET /models returns ${why}`;
  return why === 'TIMEOUT' ? 'GET /models is not answered' : `no connection: ${inert(why, 40)}`;
}

/** Says where the scripted upstream listens. */
export function announceUpstream({ relay: { upstreamHost } }: Settings, url: string, fallbackUrl?: string): string {
  const second = fallbackUrl === undefined ? '' : ` A second one listens at ${fallbackUrl}.`;
  const line = `The scripted upstream listens at ${url}.${second}\n`;
  if (isLoopback(upstreamHost) || upstreamHost === '::1') return line;
  return `${line}Warning: The upstream on ${inert(upstreamHost, 100)} can be reached from other machines. It answers 404 to requests that do not belong to this run.\n`;
}
