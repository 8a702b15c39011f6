/** A comparison for a pull request or a release note. */
import { CHANGE_KINDS, type ChangeKind, type Comparison } from '../../report/comparison/comparison.ts';
import {
  formatScope,
  formatWaiver,
  formatFingerprints,
  foldChanges,
  type FoldedChange,
  KIND_TITLES,
  formatRemark,
  formatResult,
  formatSide,
  formatTitle,
} from './comparison-text.ts';
import { cell, prose } from '../markdown/markdown-text.ts';

/** Entries per kind; the JSON has all. */
const MAX_SHOWN = 50;

export function comparisonMarkdown(comparison: Comparison): string {
  const { old, new: now, notices, obstacles } = comparison;
  const parts = [
    `## ${formatResult(comparison)}`,
    `Old: ${prose(`${old.source}, ${old.baseUrl}, ${old.startedAt}`)}  \nNew: ${prose(`${now.source}, ${now.baseUrl}, ${now.startedAt}`)}`,
    formatScope(comparison),
    ...CHANGE_KINDS.flatMap((kind) => section(comparison, kind)),
    [...notices, ...obstacles].map((notice) => `- ${prose(notice)}`).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section({ changes }: Comparison, kind: ChangeKind): readonly string[] {
  const own = changes.filter((change) => change.kind === kind);
  const folded = foldChanges(own);
  if (folded.length === 0) return [];
  const shown = folded.slice(0, MAX_SHOWN);
  const left = folded.length - shown.length;
  const table = ['| Change | Before | Now | Clause | Fingerprint |', '|---|---|---|---|---|', ...shown.map(row)].join(
    '\n',
  );
  return [
    `### ${KIND_TITLES[kind]} (${own.length})`,
    table,
    ...(left > 0 ? [`… and ${left} more (see the JSON)`] : []),
  ];
}

function row(folded: FoldedChange): string {
  const { change } = folded;
  const waiver = formatWaiver(change);
  const what = [prose(formatTitle(folded)), formatRemark(change), waiver && `*${prose(waiver)}*`]
    .filter((part) => part !== undefined)
    .join('; ');
  const cells = [
    escapeBars(what),
    cell(formatSide(change, change.old), 160),
    cell(formatSide(change, change.new), 160),
  ];
  const fingerprints =
    folded.others.length === 0 ? `\`${change.fingerprint}\`` : prose(formatFingerprints(folded), 1000);
  return `| ${[...cells, change.clause ?? '', escapeBars(fingerprints)].join(' | ')} |`;
}

function escapeBars(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
