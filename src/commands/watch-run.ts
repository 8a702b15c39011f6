/** Runs something long with a progress line, until it ends or is interrupted. */
import type { Report } from '../report/report.ts';
import type { CommandIo } from './command-io.ts';
import { type Advance, progressLine } from './progress.ts';

export interface WatchHooks<Progress> {
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** What the progress line counts. */
export interface Counted<Progress> {
  /** In the plural. */
  readonly unit: string;
  readonly advance: (progress: Progress) => Advance;
}

export async function watchRun<Progress>(
  { stderr, onInterrupt }: CommandIo,
  quiet: boolean,
  { unit, advance }: Counted<Progress>,
  start: (hooks: WatchHooks<Progress>) => Promise<Report>,
): Promise<Report> {
  const stop = new AbortController();
  const line = progressLine(quiet ? undefined : stderr, unit);
  const release = onInterrupt(() => {
    stop.abort();
    line.clear();
    stderr.write('Interrupted. Writing the report so far; press Ctrl-C again to quit now.\n');
  });
  try {
    return await start({ onProgress: (progress) => line.update(advance(progress)), signal: stop.signal });
  } finally {
    line.end();
    release();
  }
}
