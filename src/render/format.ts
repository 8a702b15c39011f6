/** A format: a pure function from a report to text. */
import type { Report } from '../report/report.ts';

/** How much detail the formats for people show. */
export type Detail = 'quiet' | 'normal' | 'verbose';

export interface RenderOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly detail: Detail;
  /** The file that it is written to, for a format with several forms. */
  readonly file?: string;
  /** Files of this report that were written, as a person would name them. */
  readonly written?: readonly string[];
  /** The page with the full report, if one is written beside it. */
  readonly page?: string | undefined;
  /** The file with every case and its evidence. */
  readonly fullReport?: string | undefined;
}

export type Format = (report: Report, options: RenderOptions) => string;
