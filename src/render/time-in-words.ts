/** Who took the time of a run, in words. */
import type { TimeReport } from '../report/report.ts';

export function timeInWords({ target, pauses, checker }: TimeReport): string {
  const parts = [
    `${seconds(target)} the target's`,
    ...(pauses > 0 ? [`${seconds(pauses)} pauses`] : []),
    `${seconds(checker)} wirecheck's own`,
  ];
  return parts.join(', ');
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
