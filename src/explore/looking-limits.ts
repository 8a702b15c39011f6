/** How much is sent to look into what failed. */
import type { Settings } from '../settings.ts';

/** Requests that one finding may take, with those that show it and its neighbour once more. */
export const MOST_PER_FINDING = 40;

/** Findings that are shrunk. */
export const MOST_SHRUNK = 12;

/** Requests of one run for all of this, attempts and controls included. */
export const MOST_LOOKING = MOST_PER_FINDING * MOST_SHRUNK;

/** Milliseconds that are spent on requests which get no answer. */
export const MOST_SILENT = 90_000;

/** Attempts of one request, and the control that may follow it. */
export function attemptsFor(patience: 'once' | 'full', { retries }: Pick<Settings, 'retries'>): number {
  return 2 + (patience === 'once' ? 0 : retries);
}
