/** Milliseconds. Anything finer is noise. */
export function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Formats milliseconds: `0.4 ms`, `35 ms`, `2.40 s`, `17.4 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${Number(milliseconds.toFixed(1))} ms`;
}
