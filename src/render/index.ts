/** The formats. A new one is a file beside this one and a line in the table. */
import type { Report } from '../report/report.ts';
import { badge } from './badge.ts';
import type { Format, RenderOptions } from './format.ts';
import { github } from './github/github.ts';
import { htmlPage } from './html/html.ts';
import { json } from './json.ts';
import { junit } from './junit/junit.ts';
import { clampWidth } from '../text/layout.ts';
import { markdown } from './markdown/markdown.ts';
import { sarif } from './sarif/sarif.ts';
import { terminal } from './terminal/terminal.ts';

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
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The text of a report in one of the formats; without options as for a file: no colour, 100 columns. */
export function render(report: Report, format: FormatName, options: Partial<RenderOptions> = {}): string {
  const { colour = false, width, detail = 'normal' } = options;
  return FORMATS[format].render(report, { colour, width: clampWidth(width), detail });
}
