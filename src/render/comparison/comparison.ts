/** The formats of a comparison: for the terminal, for a pull request or release note, as JSON, as a page, and for CI. */

import { EXIT } from '../../exit-codes.ts';
import type { ComparedRun, Comparison, FoldedChange } from '../../report/comparison/comparison.ts';
import { inert, inertJson } from '../../text/inert.ts';
import { clampWidth, hang, wrap } from '../../text/layout.ts';
import type { RenderOptions } from '../format.ts';
import { disarmLines } from '../github/github-commands.ts';
import { LOOKS } from '../looks.ts';
import { cell, code, prose } from '../markdown/markdown-text.ts';
import { type Paint, painter } from '../terminal/page.ts';
import { formatTitle } from './change-titles.ts';
import { comparisonAgent } from './comparison-agent.ts';
import { comparisonGithub, comparisonJunit, comparisonSarif } from './comparison-ci.ts';
import { comparisonHtml } from './comparison-html.ts';
import {
  factsOf,
  formatFingerprint,
  formatRemark,
  formatResult,
  formatScope,
  formatSide,
  formatWaiver,
  MAX_SIDE,
} from './comparison-text.ts';
import { contractRemarks, listRemarks } from './notice-text.ts';
import { SECTION_LOOKS } from './section-looks.ts';
import { sectionOf, sectionsOf } from './sections.ts';
import { tellEntries } from './tell-entries.ts';

type Layout = Pick<RenderOptions, 'colour' | 'width'>;

const COMPARISON_FORMATS = {
  terminal: comparisonTerminal,
  json: (comparison) => `${inertJson(JSON.stringify(tellEntries(comparison), null, 2))}\n`,
  markdown: comparisonMarkdown,
  html: comparisonHtml,
  junit: comparisonJunit,
  sarif: comparisonSarif,
  github: comparisonGithub,
  agent: comparisonAgent,
} satisfies Record<string, (comparison: Comparison, layout: Layout) => string>;

export type ComparisonFormatName = keyof typeof COMPARISON_FORMATS;
export const COMPARISON_FORMAT_NAMES = Object.keys(COMPARISON_FORMATS) as readonly ComparisonFormatName[];

/** Without options as for a file: no colour, 100 columns. */
export function renderComparison(
  comparison: Comparison,
  format: ComparisonFormatName,
  { colour = false, width }: Partial<Layout> = {},
): string {
  return COMPARISON_FORMATS[format](comparison, { colour, width: clampWidth(width) });
}

function comparisonTerminal(comparison: Comparison, { width, colour }: Layout): string {
  const paint = painter(colour);
  const parts = [
    contractRemarks(comparison).flatMap((remark) => wrap(inert(remark, 500), width)),
    [runLine('Old', comparison.old), runLine('New', comparison.new), ...wrap(formatScope(comparison), width)],
    ...sectionsOf(comparison).map(({ name, title, entries }) => [
      paint('strong', title),
      entries.map((entry) => entryLines(entry, paint, width).join('\n')).join(name === 'additive' ? '\n' : '\n\n'),
    ]),
    listRemarks(comparison).flatMap((remark) => hang('- ', inert(remark, 500), width)),
    [paint(comparison.exit === EXIT.passed ? 'good' : 'bad', formatResult(comparison))],
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return disarmLines(`${shown.join('\n\n')}\n`);
}

function runLine(name: string, { source, baseUrl, startedAt }: ComparedRun): string {
  return `${name}  ${inert(source)}: ${inert(baseUrl)}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** An additive change is one line: nobody waives it. */
function entryLines(folded: FoldedChange, paint: Paint, width: number): readonly string[] {
  const name = sectionOf(folded.change);
  const { shade, sign } = SECTION_LOOKS[name];
  const [first = '', ...rest] = hang(`${sign} `, inert(formatTitle(folded), 600), width);
  const title = [paint(LOOKS[shade].tone, first), ...rest];
  if (name === 'additive') return title;
  const fact = (label: string, text: string): readonly string[] => hang(`  ${label.padEnd(12)} `, text, width);
  return [
    ...title,
    ...factsOf(folded).flatMap(([label, text]) => fact(label, text)),
    ...fact('Fingerprint', inert(formatFingerprint(folded), 1000)).map((line) => paint('quiet', line)),
  ];
}

/** Entries of each kind in Markdown; the JSON has all. */
const MAX_SHOWN = 50;

function comparisonMarkdown(comparison: Comparison): string {
  const { old, new: now } = comparison;
  const describe = ({ source, baseUrl, startedAt }: ComparedRun): string =>
    `${prose(source)}, ${code(baseUrl)}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const parts = [
    `## ${formatResult(comparison)}`,
    ...contractRemarks(comparison).map((remark) => `> ${prose(remark)}`),
    `Old: ${describe(old)}  \nNew: ${describe(now)}`,
    formatScope(comparison),
    ...sectionsOf(comparison).flatMap(({ name, title, entries }) => [
      `### ${title} (${entries.length})`,
      (name === 'additive'
        ? entries.slice(0, MAX_SHOWN).map((entry) => `- ${prose(formatTitle(entry))}`)
        : [...TABLE_HEAD, ...entries.slice(0, MAX_SHOWN).map(row)]
      ).join('\n'),
      entries.length > MAX_SHOWN ? `… and ${entries.length - MAX_SHOWN} more (see the JSON)` : '',
    ]),
    listRemarks(comparison)
      .map((remark) => `- ${prose(remark)}`)
      .join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const TABLE_HEAD = ['| Change | Before | Now | Clause | Fingerprint |', '|---|---|---|---|---|'];

function row(folded: FoldedChange): string {
  const { change } = folded;
  const waiver = formatWaiver(change);
  const what = [prose(formatTitle(folded)), formatRemark(change), waiver && `*${change.kind}, ${prose(waiver)}*`]
    .filter((part) => part !== undefined)
    .join('; ');
  const fingerprint = prose(formatFingerprint(folded), 1000);
  const sides = [change.old, change.new].map((side) => cell(formatSide(change, side), MAX_SIDE));
  return `| ${[escapeBars(what), ...sides, change.clause ?? '', escapeBars(fingerprint)].join(' | ')} |`;
}

function escapeBars(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
