/** How far a run is: one line that overwrites itself if a person is watching, otherwise a line at intervals. */
import type { Screen } from './command-io.ts';

export interface Advance {
  readonly done: number;
  readonly total: number;
}

export interface ProgressLine {
  readonly update: (advance: Advance) => void;
  /** Makes room for other text. The line comes back with the next repaint. */
  readonly clear: () => void;
  /** Clears the line for good. */
  readonly end: () => void;
}

const CLEAR = '\r\u001b[2K';
/** Milliseconds. */
export const REPAINT_INTERVAL = 200;
/** Milliseconds. Some CI systems end a job that prints nothing for minutes. */
export const LOG_INTERVAL = 20_000;

/** `unit`: what is counted, in the plural. Without a screen, nothing is shown. */
export function progressLine(screen: Screen | undefined, unit: string): ProgressLine {
  if (!screen) return { update: () => undefined, clear: () => undefined, end: () => undefined };
  const began = performance.now();
  let last: Advance | undefined;
  const text = (): string => formatProgress(last, unit, performance.now() - began);
  const clear = (): void => (screen.live ? screen.write(CLEAR) : undefined);
  const paint = (): void =>
    screen.write(screen.live ? CLEAR + text().slice(0, (screen.columns || 80) - 1) : `${text()}\n`);
  // The timer must not keep the process alive.
  const timer = setInterval(paint, screen.live ? REPAINT_INTERVAL : LOG_INTERVAL).unref();
  return {
    update: (advance) => void (last = advance),
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/** An estimate from fewer would be a guess. */
const MIN_DONE = 10;
/** Milliseconds. */
const MIN_ELAPSED = 2_000;

/** `87/109 requests · 15 s, about 40 s left` */
export function formatProgress(advance: Advance | undefined, unit: string, elapsed: number): string {
  if (!advance) return `no ${unit} yet · ${formatSeconds(elapsed)}`;
  const { done, total } = advance;
  const isKnown = done >= MIN_DONE && elapsed >= MIN_ELAPSED && total > done;
  const left = isKnown ? `, about ${formatSeconds(roundUp((elapsed / done) * (total - done)))} left` : '';
  return `${done}/${total} ${unit} · ${formatSeconds(elapsed)}${left}`;
}

/** No more precise than it is: to whole seconds below ten, then to five. */
function roundUp(milliseconds: number): number {
  const step = milliseconds < 10_000 ? 1_000 : 5_000;
  return Math.ceil(milliseconds / step) * step;
}

/** `15 s`, from two minutes on `2 min 5 s`. */
export function formatSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
}
