/** What a format is: a name in the registry, a file it may fill, and a pure function from a report to text. */
import type { Report } from '../report/report.ts';

/** How much the formats for people say. */
export const DETAILS = ['quiet', 'normal', 'verbose'] as const;
export type Detail = (typeof DETAILS)[number];

export interface RenderOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly detail: Detail;
}

export interface Format {
  /** For `--help` and the README. */
  readonly summary: string;
  /** Written to the folder of `--out` unless other reporters were asked for; absent for a format that is only written on demand. */
  readonly defaultFile?: string;
  render(report: Report, options: RenderOptions): string;
}
