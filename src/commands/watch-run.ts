/** Runs something long with a progress line, until it ends or is interrupted. */
import type { OnAwait } from '../exchange/awaited.ts';
import type { Wait } from '../exchange/walking/wait-until-ready.ts';
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

export async function watchRun<Progress>(
  io: CommandIo,
  quiet: boolean,
  { unit, advance }: Counted<Progress>,
  start: (hooks: WatchHooks<Progress>) => Promise<Report>,
): Promise<Report> {
  const line = progressLine(quiet ? undefined : io.stderr, unit);
  const { signal, release } = stopOnInterrupt(io, 'report', line.clear);
  try {
    const onProgress = (progress: Progress): void => line.update(advance(progress));
    const onWait = tellWaiting(quiet ? () => undefined : (text) => io.stderr.write(text));
    return await start({ onProgress, signal, onWait, onAwait: line.await });
  } finally {
    line.end();
    release();
  }
}

/** `clear`: makes room on the screen. */
export function stopOnInterrupt(
  { stderr, onInterrupt }: CommandIo,
  what: 'report' | 'reports',
  clear: () => void,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const release = onInterrupt(() => {
    stop.abort();
    clear();
    stderr.write(`Interrupted. Writing the ${what} so far; press Ctrl-C again to quit now.\n`);
  });
  return { signal: stop.signal, release };
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
