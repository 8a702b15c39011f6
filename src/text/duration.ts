/** Durations and instants in words. */

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

/** The day (UTC) of an instant in ISO 8601, such as `2030-12-31`. */
export function formatDay(instant: string): string {
  return instant.slice(0, 10);
}

/** An instant in ISO 8601, to the minute: `2030-12-31 23:59 UTC`. */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
