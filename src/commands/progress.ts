/** How far a run is: one line that overwrites itself if a person is watching, otherwise a line at intervals. */
import type { Awaited, OnAwait } from '../exchange/channel/hooks.ts';
import { columnsOf, count, inert, padEnd } from '../text/layout.ts';
import type { Screen, CommandIo } from './command-row.ts';

export interface Advance {
  readonly done: number;
  readonly total: number;
  /** What goes on after the last of them. */
  readonly doing?: string;
  /** What goes on beside them, where the rest takes nobody knows how long. */
  readonly now?: string;
  /** What is waited for, and for how long at most, in place of any one request. */
  readonly awaits?: string;
}

const CLEAR = '\r\u001b[2K';
/** Milliseconds. */
const REPAINT_INTERVAL = 200;
/** Milliseconds. Some CI systems end a job that prints nothing for minutes. */
const LOG_INTERVAL = 20_000;

/** `unit`: what is counted, in the plural. Without a screen, nothing is shown. */
export function progressLine(screen: Screen | undefined, unit: string) {
  let began = performance.now();
  let last: Advance | undefined;
  const waits = new Set<() => Awaited>();
  const text = (): string => formatProgress(last, unit, performance.now() - began, findLongest(waits));
  const clear = (): void => (screen?.live ? screen.write(CLEAR) : undefined);
  const paint = (on: Screen): void =>
    on.write(on.live ? CLEAR + text().slice(0, (on.columns || 80) - 1) : `${text()}\n`);
  const stop = screen && repeatPainting(screen, () => paint(screen));
  return {
    update(advance: Advance) {
      // Another round of a watch.
      if (last?.doing !== undefined && advance.doing === undefined) began = performance.now();
      last = advance;
    },
    await: awaitIn(waits),
    /** Makes room for other text. The line comes back with the next repaint. */
    clear,
    /** Clears the line for good. */
    end: () => {
      stop?.();
      clear();
    },
  };
}

function repeatPainting({ live }: Screen, paint: () => void): () => void {
  // The timer must not keep the process alive.
  const timer = setInterval(paint, live ? REPAINT_INTERVAL : LOG_INTERVAL).unref();
  return () => clearInterval(timer);
}

function awaitIn(waits: Set<() => Awaited>): OnAwait {
  return (look) => {
    waits.add(look);
    return () => void waits.delete(look);
  };
}

/** An estimate from fewer would be a guess. */
const MIN_DONE = 10;
/** Milliseconds. */
const MIN_ELAPSED = 2_000;

/** Milliseconds. A shorter wait is ordinary. */
const MIN_WAIT = 1_000;

/** The longest wait, if nothing has come for a while: as long as answers arrive, one that is slow is not worth telling. */
function findLongest(waits: ReadonlySet<() => Awaited>): Awaited | undefined {
  const all = [...waits].map((look) => look());
  if (all.some(({ elapsed }) => elapsed < MIN_WAIT)) return undefined;
  return all.toSorted((a, b) => b.elapsed - a.elapsed)[0];
}

/** `87/109 requests · 15 s, about 40 s left`, or `3/109 requests · 12 s · waiting 9 s of 60 s: answer to GET /models` */
export function formatProgress(advance: Advance | undefined, unit: string, elapsed: number, awaited?: Awaited): string {
  const awaits = advance?.awaits ?? (awaited && formatAwaited(awaited));
  const waiting = awaits === undefined ? '' : ` · ${awaits}`;
  if (!advance) return `starting · ${formatSeconds(elapsed)}${waiting}`;
  const { done, total, doing, now } = advance;
  if (doing !== undefined) return `${count(done, unit.slice(0, -1))} · ${formatSeconds(elapsed)} · ${doing}${waiting}`;
  if (now !== undefined) return `${done}/${total} ${unit} · ${formatSeconds(elapsed)} · ${now}${waiting}`;
  // While something hangs, an estimate would be a guess.
  if (awaited) return `${done}/${total} ${unit} · ${formatSeconds(elapsed)}${waiting}`;
  const isKnown = done >= MIN_DONE && elapsed >= MIN_ELAPSED && total > done;
  const left = isKnown ? `, about ${formatSeconds(roundUp((elapsed / done) * (total - done)))} left` : '';
  return `${done}/${total} ${unit} · ${formatSeconds(elapsed)}${left}`;
}

/** `waiting 9 s of 60 s: answer to GET /models` */
function formatAwaited({ what, elapsed, most }: Awaited): string {
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

export type FleetProgress = ReturnType<typeof fleetProgress>;

export interface FleetWords {
  /** What is checked, such as `target`. */
  readonly target: string;
  /** What is counted, such as `request`. */
  readonly unit: string;
  /** The flag that names the file with the targets. */
  readonly flag: string;
}

const UP_AND_CLEAR = '\u001b[1A\u001b[2K';
const MAX_NAME = 40;

export function fleetProgress(
  names: readonly string[],
  quiet: boolean,
  { target, unit }: FleetWords,
  { stdout, stderr }: CommandIo,
) {
  const began = performance.now();
  const shown = new Map(names.map((name) => [name, inert(name, MAX_NAME)]));
  const width = Math.max(...[...shown.values()].map(columnsOf));
  const label = (name: string): string => padEnd(shown.get(name) ?? '', width);
  const running = new Map<string, Advance | undefined>();
  const waits = new Map(names.map((name) => [name, new Set<() => Awaited>()]));
  let done = 0;
  let painted = 0;

  const summary = (): string => {
    const waiting = names.length - done - running.size;
    const states = [`${running.size} running`, ...(waiting > 0 ? [`${waiting} waiting`] : [])].join(', ');
    const requests = [...running.values()].reduce((sum, advance) => sum + (advance?.done ?? 0), 0);
    const sent = running.size > 0 ? ` (${count(requests, unit)})` : '';
    return `${done} of ${count(names.length, target)} done, ${states}${sent} · ${formatSeconds(performance.now() - began)}`;
  };
  const rows = (): readonly string[] => [
    ...[...running].map(([name, advance]) => {
      const awaited = findLongest(waits.get(name) ?? new Set());
      const state = advance ? `${advance.done}/${advance.total} ${unit}s` : 'starting';
      return `${label(name)}  ${state}${awaited ? ` · ${formatAwaited(awaited)}` : ''}`;
    }),
    summary(),
  ];
  const clear = (): void => {
    if (painted > 0) stderr.write(UP_AND_CLEAR.repeat(painted));
    painted = 0;
  };
  const paint = (): void => {
    if (!stderr.live) return stderr.write(`${summary()}\n`);
    clear();
    const lines = rows();
    // A line that wraps would be two to clear.
    stderr.write(lines.map((line) => `${cutToColumns(line, (stderr.columns || 80) - 1)}\n`).join(''));
    painted = lines.length;
  };
  const stop = quiet ? undefined : repeatPainting(stderr, paint);
  return {
    /** Tells how far a target is; undefined before the first answer. */
    update: (name: string, advance: Advance | undefined) => void running.set(name, advance),
    await: (name: string): OnAwait => awaitIn(waits.get(name) ?? new Set()),
    /** The line stays. */
    finish(name: string, result: string) {
      running.delete(name);
      done += 1;
      clear();
      stdout.write(`${label(name)}  ${result}\n`);
    },
    /** Makes room for other text. The table comes back with the next repaint. */
    clear,
    end() {
      stop?.();
      clear();
    },
  };
}

function cutToColumns(line: string, columns: number): string {
  let cut = line;
  while (columnsOf(cut) > columns) cut = cut.slice(0, -1);
  return cut;
}
