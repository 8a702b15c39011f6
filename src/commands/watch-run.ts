/** Runs something long with a progress line, until it ends or is interrupted. */
import type { Report } from '../report/report.ts';
import type { CommandIo } from './command-io.ts';
import { type ProgressLine, progressLine } from './progress.ts';

export interface WatchHooks {
  readonly onProgress: ProgressLine['update'];
  readonly signal: AbortSignal;
}

export async function watchRun(
  { stderr, onInterrupt }: CommandIo,
  quiet: boolean,
  start: (hooks: WatchHooks) => Promise<Report>,
): Promise<Report> {
  const stop = new AbortController();
  const line = progressLine(quiet ? { ...stderr, live: false } : stderr);
  const release = onInterrupt(() => {
    stop.abort();
    stderr.write('Interrupted. Writing the report so far; press Ctrl-C again to quit now.\n');
  });
  try {
    return await start({ onProgress: line.update, signal: stop.signal });
  } finally {
    line.end();
    release();
  }
}
