/** How far a run is: one line that overwrites itself if a person is watching, otherwise a line at intervals. */
import type { Awaited, OnAwait } from '../exchange/channel/hooks.ts';
import { inert } from '../text/inert.ts';
import type { Screen } from './command-io.ts';

export interface Advance {
  readonly done: number;
  readonly total: number;
  /** What goes on after the last of them. */
  readonly doing?: string;
  /** What goes on beside them, where the rest takes nobody knows how long. */
  readonly now?: string;
}

export interface ProgressLine {
  readonly update: (advance: Advance) => void;
  readonly await: OnAwait;
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
  if (!screen) {
    const nothing = (): void => undefined;
    return { update: nothing, await: () => nothing, clear: nothing, end: nothing };
  }
  const began = performance.now();
  let last: Advance | undefined;
  const waits = new Set<() => Awaited>();
  const text = (): string => formatProgress(last, unit, performance.now() - began, findLongest(waits));
  const clear = (): void => (screen.live ? screen.write(CLEAR) : undefined);
  const paint = (): void =>
    screen.write(screen.live ? CLEAR + text().slice(0, (screen.columns || 80) - 1) : `${text()}\n`);
  // The timer must not keep the process alive.
  const timer = setInterval(paint, screen.live ? REPAINT_INTERVAL : LOG_INTERVAL).unref();
  return {
    update: (advance) => void (last = advance),
    await(look) {
      waits.add(look);
      return () => void waits.delete(look);
    },
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

/** Milliseconds. A shorter wait is ordinary. */
const MIN_WAIT = 1_000;

/** The longest wait, if nothing has come for a while: as long as answers arrive, one that is slow is not worth telling. */
export function findLongest(waits: ReadonlySet<() => Awaited>): Awaited | undefined {
  const all = [...waits].map((look) => look());
  if (all.some(({ elapsed }) => elapsed < MIN_WAIT)) return undefined;
  return all.toSorted((a, b) => b.elapsed - a.elapsed)[0];
}

/** `87/109 requests · 15 s, about 40 s left`, or `3/109 requests · 12 s · waiting 9 s of 60 s: answer to GET /models` */
export function formatProgress(advance: Advance | undefined, unit: string, elapsed: number, awaited?: Awaited): string {
  const waiting = awaited ? ` · ${formatAwaited(awaited)}` : '';
  if (!advance) return `starting · ${formatSeconds(elapsed)}${waiting}`;
  const { done, total, doing, now } = advance;
  if (doing !== undefined) return `${done} ${unit} · ${formatSeconds(elapsed)} · ${doing}${waiting}`;
  if (now !== undefined) return `${done}/${total} ${unit} · ${formatSeconds(elapsed)} · ${now}${waiting}`;
  // While something hangs, an estimate would be a guess.
  if (awaited) return `${done}/${total} ${unit} · ${formatSeconds(elapsed)}${waiting}`;
  const isKnown = done >= MIN_DONE && elapsed >= MIN_ELAPSED && total > done;
  const left = isKnown ? `, about ${formatSeconds(roundUp((elapsed / done) * (total - done)))} left` : '';
  return `${done}/${total} ${unit} · ${formatSeconds(elapsed)}${left}`;
}

/** `waiting 9 s of 60 s: answer to GET /models` */
export function formatAwaited({ what, elapsed, most }: Awaited): string {
  return `waiting ${formatSeconds(elapsed)} of ${formatSeconds(Math.round(most / 1_000) * 1_000)}: ${inert(what, 100)}`;
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
