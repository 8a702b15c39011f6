/** A comparison for a pull request or a release note. */
import { type Change, CHANGE_KINDS, type ChangeKind, type Comparison } from '../../report/comparison/comparison.ts';
import {
  comparedInWords,
  excuseInWords,
  fingerprintsInWords,
  foldChanges,
  type FoldedChange,
  KIND_TITLES,
  remarkOn,
  resultLine,
  sideInWords,
  titleOf,
} from './comparison-words.ts';
import { cell, prose } from '../markdown/markdown-text.ts';

/** Beyond this nobody reads on; the JSON has all. */
const MOST_SHOWN = 50;

export function comparisonMarkdown(comparison: Comparison): string {
  const { old, new: now, notices, obstacles } = comparison;
  const parts = [
    `## ${resultLine(comparison)}`,
    `Old: ${prose(`${old.source}, ${old.baseUrl}, ${old.startedAt}`)}  \nNew: ${prose(`${now.source}, ${now.baseUrl}, ${now.startedAt}`)}`,
    `${comparedInWords(comparison)}.`,
    ...CHANGE_KINDS.flatMap((kind) => section(comparison, kind)),
    [...notices, ...obstacles].map((notice) => `- ${prose(notice)}`).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section({ changes }: Comparison, kind: ChangeKind): readonly string[] {
  const own = changes.filter((change) => change.kind === kind);
  const folded = foldChanges(own);
  if (folded.length === 0) return [];
  const shown = folded.slice(0, MOST_SHOWN);
  const left = folded.length - shown.length;
  const table = ['| What | Before | Now | Clause | Fingerprint |', '|---|---|---|---|---|', ...shown.map(row)].join(
    '\n',
  );
  return [`### ${KIND_TITLES[kind]} (${own.length})`, table, ...(left > 0 ? [`… and ${left} more`] : [])];
}

function row(folded: FoldedChange): string {
  const { change } = folded;
  const what = [prose(titleOf(folded)), remarkOn(change) ?? '', excused(change)]
    .filter((part) => part !== '')
    .join(', ');
  const cells = [bars(what), cell(sideInWords(change, change.old), 160), cell(sideInWords(change, change.new), 160)];
  const fingerprints =
    folded.others.length === 0 ? `\`${change.fingerprint}\`` : prose(fingerprintsInWords(folded), 1000);
  return `| ${[...cells, change.clause ?? '', bars(fingerprints)].join(' | ')} |`;
}

function excused(change: Change): string {
  const words = excuseInWords(change);
  return words === undefined ? '' : `*${prose(words)}*`;
}

function bars(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
