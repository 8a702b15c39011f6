/** How the time of a run was spent. */
import type { TimeReport } from '../report/report.ts';

export function timeInWords({ target, pauses, checker }: TimeReport): string {
  const parts = [
    `${seconds(target)} waiting for the target`,
    ...(pauses > 0 ? [`${seconds(pauses)} pausing`] : []),
    `${seconds(checker)} in wirecheck`,
  ];
  return parts.join(', ');
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
