/** The formats. A new one needs a file beside this one, a line in this table, and its name in `FORMAT_NAMES`. */
import type { Report } from '../report/report.ts';
import { agent } from './report/agent.ts';
import { badge } from './badge.ts';
import type { Format, RenderOptions } from './format.ts';
import { github } from './github/github.ts';
import { htmlPage } from './html/html.ts';
import { json } from './json.ts';
import { junit } from './junit/junit.ts';
import { clampWidth } from '../text/layout.ts';
import { prometheus } from './prometheus.ts';
import { sarif } from './sarif/sarif.ts';
import type { FormatName } from '../settings/format-names.ts';
import { summary } from './report/summary.ts';
import { markdown, terminal } from './report/outlines.ts';

export type { Detail, Format, RenderOptions } from './format.ts';

export const FORMATS = {
  terminal,
  json,
  html: htmlPage,
  junit,
  markdown,
  sarif,
  github,
  badge,
  agent,
  prometheus,
  summary,
} satisfies Record<FormatName, Format>;

/** The text of a report in one of the formats; without options as for a file: no colour, 100 columns. */
export function render(report: Report, format: FormatName, options: Partial<RenderOptions> = {}): string {
  const { colour = false, width, detail = 'normal', ...rest } = options;
  return FORMATS[format](report, { colour, width: clampWidth(width), detail, ...rest });
}
