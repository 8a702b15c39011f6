/** A comparison for the terminal. */
import {
  type Change,
  CHANGE_KINDS,
  type ChangeKind,
  type ComparedRun,
  type Comparison,
} from '../../report/comparison/comparison.ts';
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
import type { RenderOptions } from '../format.ts';
import { disarmLines } from '../github/github-commands.ts';
import { inert } from '../../text/inert.ts';
import { hang, wrap } from '../../text/layout.ts';
import { type Paint, painter, type Tone } from '../terminal/page.ts';

const TONES: Record<ChangeKind, Tone> = { breaking: 'bad', warning: 'warn', additive: 'good', drift: 'unsure' };
const MARKS: Record<ChangeKind, string> = { breaking: '✗', warning: '!', additive: '+', drift: '~' };

export function comparisonTerminal(comparison: Comparison, options: Pick<RenderOptions, 'colour' | 'width'>): string {
  const { width, colour } = options;
  const paint = painter(colour);
  const sections = [
    [runLine('Old', comparison.old), runLine('New', comparison.new), ...wrap(formatScope(comparison), width)],
    ...CHANGE_KINDS.map((kind) => section(comparison, kind, paint, width)),
    [...comparison.notices, ...comparison.obstacles].flatMap((notice) => hang('- ', inert(notice, 500), width)),
    [paint(comparison.exit === 0 ? 'good' : 'bad', formatResult(comparison))],
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return disarmLines(`${shown.join('\n\n')}\n`);
}

function runLine(name: string, { source, baseUrl, startedAt }: ComparedRun): string {
  return `${name}  ${inert(source)}: ${inert(baseUrl)}, ${startedAt.slice(0, 16).replace('T', ' ')}`;
}

function section({ changes }: Comparison, kind: ChangeKind, paint: Paint, width: number): readonly string[] {
  const folded = foldChanges(changes.filter((change) => change.kind === kind));
  if (folded.length === 0) return [];
  return [paint('strong', KIND_TITLES[kind]), ...folded.flatMap((one) => ['', ...entry(one, paint, width)]).slice(1)];
}

function entry(folded: FoldedChange, paint: Paint, width: number): readonly string[] {
  const { change } = folded;
  const { kind, clause, old, new: now } = change;
  const [first = '', ...rest] = hang(`${MARKS[kind]} `, inert(formatTitle(folded), 600), width);
  const excuse = formatWaiver(change);
  const remark = formatRemark(change);
  const name = folded.others.length === 0 ? 'Fingerprint ' : 'Fingerprints';
  return [
    paint(TONES[kind], first),
    ...rest,
    ...hang('  Before       ', evidence(change, old), width),
    ...hang('  Now          ', evidence(change, now), width),
    ...(clause === undefined ? [] : [`  Clause       ${clause}`]),
    ...(remark === undefined ? [] : hang('  Note         ', remark, width)),
    ...(excuse === undefined ? [] : hang('  Waiver       ', inert(excuse, 300), width)),
    ...hang(`  ${name} `, inert(formatFingerprints(folded), 1000), width).map((line) => paint('quiet', line)),
  ];
}

function evidence(change: Change, side: Change['old']): string {
  const shown = inert(formatSide(change, side), 200);
  return side.exchanges.length === 0 ? shown : `${shown} (${inert(side.exchanges.join(', '), 200)})`;
}
