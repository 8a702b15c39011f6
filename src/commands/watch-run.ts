/** Runs something long with a progress line, until it ends or is interrupted. */
import type { OnAwait } from '../exchange/channel/hooks.ts';
import type { Wait } from '../exchange/channel/hooks.ts';
import type { Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';
import type { CommandIo } from './command-io.ts';
import { type Advance, progressLine } from './progress.ts';

export interface WatchHooks<Progress> {
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
  /** For `--wait-for`. */
  readonly onWait: (wait: Wait) => void;
  readonly onAwait: OnAwait;
}

/** What the progress line counts. */
export interface Counted<Progress> {
  /** In the plural. */
  readonly unit: string;
  readonly advance: (progress: Progress) => Advance;
}

export interface Watched<Progress> {
  readonly start: (hooks: WatchHooks<Progress>) => Promise<Report>;
  readonly deliver: (report: Report) => Promise<void>;
}

export async function watchRun<Progress>(
  io: CommandIo,
  quiet: boolean,
  { unit, advance }: Counted<Progress>,
  { start, deliver }: Watched<Progress>,
): Promise<Report> {
  const line = progressLine(quiet ? undefined : io.stderr, unit);
  const interrupts = stopOnInterrupt(io, 'report', line.clear);
  const { signal } = interrupts;
  try {
    const onProgress = (progress: Progress): void => line.update(advance(progress));
    const onWait = tellWaiting(quiet ? () => undefined : (text) => io.stderr.write(text));
    const report = await start({ onProgress, signal, onWait, onAwait: line.await }).finally(line.end);
    interrupts.endRun();
    await deliver(report);
    return report;
  } finally {
    interrupts.release();
  }
}

interface Interrupts {
  readonly signal: AbortSignal;
  /** From here on, an interrupt has nothing to stop: what is left is to write the report. A second one ends the process. */
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
export function tellWaiting(write: (text: string) => void): (wait: Wait) => void {
  let next = 0;
  return ({ elapsed, most, why }) => {
    if (elapsed < next) return;
    next = elapsed + INTERVAL;
    const seconds = (time: number): string => `${Math.round(time / 1000)} s`;
    write(`Waiting for the target (${describeWait(why)}): ${seconds(elapsed)} of up to ${seconds(most)}\n`);
  };
}

function describeWait(why: Wait['why']): string {
  if (typeof why === 'number') return `GET /models returns ${why}`;
  return why === 'TIMEOUT' ? 'GET /models is not answered' : `no connection: ${inert(why, 40)}`;
}
