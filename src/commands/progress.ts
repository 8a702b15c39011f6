/** The progress line of a run, which overwrites itself. Only if a person is watching. */
import { count } from '../text/layout.ts';
import type { Progress } from '../run/run.ts';
import type { Screen } from './command-io.ts';

/** A client is not charged for anything. */
type Shown = Omit<Progress, 'completions'> & Partial<Pick<Progress, 'completions'>>;

export interface ProgressLine {
  readonly update: (progress: Shown) => void;
  /** Clears the line for good. */
  readonly end: () => void;
}

const CLEAR = '\r\u001b[2K';
/** Milliseconds. */
const REPAINT_INTERVAL = 200;

export function progressLine(screen: Screen): ProgressLine {
  if (!screen.live) return { update: () => undefined, end: () => undefined };
  let last: Shown | undefined;
  let at = 0;
  const paint = () => {
    if (last === undefined) return;
    const now = { ...last, elapsed: last.elapsed + performance.now() - at };
    screen.write(CLEAR + formatProgress(now).slice(0, (screen.columns || 80) - 1));
  };
  // The elapsed time must advance between updates. The timer must not keep the process alive.
  const timer = setInterval(paint, REPAINT_INTERVAL).unref();
  return {
    update: (progress) => {
      last = progress;
      at = performance.now();
    },
    end: () => {
      clearInterval(timer);
      screen.write(CLEAR);
    },
  };
}

export function formatProgress({ casesDone, cases, requests, completions, elapsed }: Shown): string {
  return [
    `${casesDone} of ${count(cases, 'case')}`,
    count(requests, 'request'),
    ...(completions === undefined ? [] : [`${count(completions, 'completion')} charged`]),
    `${Math.floor(elapsed / 1000)} s`,
  ].join(' · ');
}
