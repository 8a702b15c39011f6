/** The formats of a comparison. */
import type { Comparison } from '../../report/comparison/comparison.ts';
import { comparisonHtml } from './comparison-html.ts';
import { comparisonMarkdown } from './comparison-markdown.ts';
import { comparisonTerminal } from './comparison-terminal.ts';
import type { RenderOptions } from '../format.ts';
import { inertJson } from '../../text/inert.ts';
import { clampWidth } from '../../text/layout.ts';

type ComparisonFormat = (comparison: Comparison, options: Pick<RenderOptions, 'colour' | 'width'>) => string;

const COMPARISON_FORMATS = {
  terminal: comparisonTerminal,
  json: (comparison) => `${inertJson(JSON.stringify(comparison, null, 2))}\n`,
  markdown: comparisonMarkdown,
  html: comparisonHtml,
} satisfies Record<string, ComparisonFormat>;

export type ComparisonFormatName = keyof typeof COMPARISON_FORMATS;
export const COMPARISON_FORMAT_NAMES = Object.keys(COMPARISON_FORMATS) as readonly ComparisonFormatName[];

/** Without options as for a file: no colour, 100 columns. */
export function renderComparison(
  comparison: Comparison,
  format: ComparisonFormatName,
  { colour = false, width }: Partial<Pick<RenderOptions, 'colour' | 'width'>> = {},
): string {
  return COMPARISON_FORMATS[format](comparison, { colour, width: clampWidth(width) });
}
