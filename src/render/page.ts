/** What every section of the terminal report is made from, and what it is. */
import type { Report } from '../report/report.ts';
import type { RenderOptions } from './format.ts';
import type { Paint } from './terminal/paint.ts';

export interface Page {
  readonly report: Report;
  readonly options: RenderOptions;
  readonly paint: Paint;
}

/** Lines without an empty one at either end; no lines where there is nothing to say. */
export type Section = readonly string[];
