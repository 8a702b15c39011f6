/** How far a fleet is: a table that overwrites itself if a person is watching, otherwise a line at intervals. */
import type { Awaited, OnAwait } from '../../exchange/channel/hooks.ts';
import { inert } from '../../text/inert.ts';
import { columnsOf, count, padEnd } from '../../text/layout.ts';
import type { CommandIo } from '../command-io.ts';
import {
  type Advance,
  findLongest,
  formatAwaited,
  formatSeconds,
  LOG_INTERVAL,
  REPAINT_INTERVAL,
} from '../progress.ts';

export interface FleetProgress {
  /** Undefined before the first answer. */
  readonly update: (name: string, advance: Advance | undefined) => void;
  readonly await: (name: string) => OnAwait;
  /** The line stays. */
  readonly finish: (name: string, result: string) => void;
  /** Makes room for other text. The table comes back with the next repaint. */
  readonly clear: () => void;
  readonly end: () => void;
}

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
): FleetProgress {
  const began = performance.now();
  const shown = new Map(names.map((name) => [name, inert(name, MAX_NAME)]));
  const width = Math.max(...[...shown.values()].map(columnsOf));
  const label = (name: string): string => padEnd(shown.get(name) ?? '', width);
  const running = new Map<string, Advance | undefined>();
  const waits = new Map<string, Set<() => Awaited>>();
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
      return `${label(name)}  ${formatAdvance(advance, unit)}${awaited ? ` · ${formatAwaited(awaited)}` : ''}`;
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
  // The timer must not keep the process alive.
  const timer = quiet ? undefined : setInterval(paint, stderr.live ? REPAINT_INTERVAL : LOG_INTERVAL).unref();
  return {
    update: (name, advance) => void running.set(name, advance),
    await: (name) => (look) => {
      const own = waits.get(name) ?? new Set();
      waits.set(name, own.add(look));
      return () => void own.delete(look);
    },
    finish(name, result) {
      running.delete(name);
      done += 1;
      clear();
      stdout.write(`${label(name)}  ${result}\n`);
    },
    clear,
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

function formatAdvance(advance: Advance | undefined, unit: string): string {
  return advance ? `${advance.done}/${advance.total} ${unit}s` : 'starting';
}

function cutToColumns(line: string, columns: number): string {
  let cut = line;
  while (columnsOf(cut) > columns) cut = cut.slice(0, -1);
  return cut;
}
