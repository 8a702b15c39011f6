/**
 * The formats of a comparison. The document for a terminal, for a pull request or release note and for agents is laid out by
 * the writers of every document; the page and the files for CI are written here.
 */
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { CHANGES, type Comparison, failsAt, type FoldedChange } from '../../report/comparison/comparison.ts';
import { groupBy } from '../../report/counts.ts';
import { clampWidth, inert, inertJson, listFirst } from '../../text/layout.ts';
import { type Block, type Document, type Fact, fact, type ListItem, type Part } from '../document/document.ts';
import { writeAgent } from '../document/write-agent.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import type { RenderOptions } from '../format.ts';
import { LOOKS } from '../looks.ts';
import { exitFact } from '../report/agent.ts';
import { comparisonGithub, comparisonJunit, comparisonSarif } from './comparison-ci.ts';
import { comparisonHtml } from './comparison-html.ts';
import { entriesOf, type Section, sectionsOf, tellEntries } from './comparison-sections.ts';
import {
  contractRemarks,
  entryFacts,
  fingerprintsOf,
  formatEvidence,
  formatRemark,
  formatResult,
  formatScope,
  formatTitle,
  listCasesOf,
  listRemarks,
  MAX_CASES,
  MAX_FINGERPRINTS,
  comparedRunFacts,
} from './comparison-text.ts';

type Layout = Pick<RenderOptions, 'colour' | 'width'>;

const COMPARISON_FORMATS = {
  /** The closer to the end, the more it matters: on a terminal the last lines are the ones in view. */
  terminal: (comparison, layout) =>
    writeTerminal(
      [
        ...[contractPart(comparison), scopePart(comparison), ...sectionParts(comparison)],
        ...[remarkPart(comparison), resultPart(comparison)],
      ],
      layout,
    ),
  json: (comparison) => `${inertJson(JSON.stringify(tellEntries(comparison), null, 2))}\n`,
  markdown: (comparison) =>
    writeMarkdown(
      [
        ...[resultPart(comparison), contractPart(comparison), scopePart(comparison)],
        ...[...sectionParts(comparison, MAX_SHOWN), remarkPart(comparison)],
      ],
      { readOn: 'see the JSON' },
    ),
  html: comparisonHtml,
  junit: comparisonJunit,
  sarif: comparisonSarif,
  github: comparisonGithub,
  agent: (comparison) => writeAgent(agentOutline(comparison)),
} satisfies Record<string, (comparison: Comparison, layout: Layout) => string>;

export type ComparisonFormatName = keyof typeof COMPARISON_FORMATS;
export const COMPARISON_FORMAT_NAMES = Object.keys(COMPARISON_FORMATS) as readonly ComparisonFormatName[];

/** Entries of each kind in Markdown; the JSON has all. */
const MAX_SHOWN = 50;

/** The defaults are those of a file: no colour, 100 columns. */
export function renderComparison(
  comparison: Comparison,
  format: ComparisonFormatName,
  { colour = false, width }: Partial<Layout> = {},
): string {
  return COMPARISON_FORMATS[format](comparison, { colour, width: clampWidth(width) });
}

function resultPart(comparison: Comparison): Part {
  const tone = comparison.exit === EXIT.passed ? 'good' : 'bad';
  return [{ kind: 'heading', level: 2, text: formatResult(comparison), tone }];
}

function contractPart(comparison: Comparison): Part {
  const lines = contractRemarks(comparison).map((remark) => inert(remark, 500));
  return lines.length === 0 ? [] : [{ kind: 'note', lines }];
}

function scopePart(comparison: Comparison): Part {
  return [
    { kind: 'facts', facts: comparedRunFacts(comparison) },
    { kind: 'paragraph', text: formatScope(comparison) },
  ];
}

function sectionParts(comparison: Comparison, most = Infinity): Document {
  return sectionsOf(comparison).map((section): Part => {
    const { look, entries } = section;
    const items = entries.map((entry) => itemOf(entry, section));
    return [{ kind: 'list', heading: `${look.title} (${entries.length})`, items, noun: 'cause', most, isOpen: true }];
  });
}

/** An additive change is one line. */
function itemOf(entry: FoldedChange, { name, look: { sign, shade } }: Section): ListItem {
  const facts = name === 'additive' ? {} : { facts: entryFacts(entry) };
  return { text: inert(formatTitle(entry), 600), sign, tone: LOOKS[shade].tone, ...facts };
}

function remarkPart(comparison: Comparison): Part {
  const items = listRemarks(comparison).map((remark) => ({ text: inert(remark, 500) }));
  return [{ kind: 'list', heading: 'Notes', items, noun: 'note', isOpen: true }];
}

const MEANINGS: Readonly<Record<SummaryExit, string>> = {
  [EXIT.passed]: 'nothing changed that --fail-on names',
  [EXIT.failed]: 'something changed that --fail-on names',
  [EXIT.notJudged]: 'too little could be compared',
};

/** Characters of a command for agents. */
const MAX_COMMAND = 600;
const MAX_REMARKS = 5;

/** Names of models are the target's. */
const OWN_NOTICES: ReadonlySet<Comparison['notices'][number]['kind']> = new Set([
  'wrong-order',
  'same-run',
  'different-contracts',
  'bodies-missing',
  'redefined',
  'other-limits',
  'fixed',
  'waiver-expired',
  'waiver-idle',
]);

function agentOutline(comparison: Comparison): Document {
  const { obstacles, exit, failOn, old, new: now } = comparison;
  const entries = entriesOf(comparison);
  const quotes = !old.withoutBodies && !now.withoutBodies;
  const notices = comparison.notices.filter(({ kind }) => OWN_NOTICES.has(kind));
  const remarks = listRemarks({ obstacles, notices }).slice(0, MAX_REMARKS);
  const items = entries.filter(({ change }) => failsAt(change, failOn)).map((entry) => agentItem(entry, quotes));
  const facts = (all: readonly Fact[]): Block => ({ kind: 'facts', facts: all });
  return [
    [
      { kind: 'heading', level: 2, text: inert(formatResult(comparison), 1_000) },
      facts(comparedRunFacts(comparison, false)),
      { kind: 'paragraph', text: formatScope(comparison) },
      facts(remarks.flatMap((remark) => fact('Note', inert(remark, 300)))),
    ],
    [{ kind: 'list', heading: '', items, noun: 'cause', others: { hint: 'add --reporter json=FILE' } }],
    [facts([...uncountedFacts(entries, comparison), exitFact(exit, MEANINGS[exit])])],
  ];
}

function agentItem(entry: FoldedChange, isQuoted: boolean): ListItem {
  const { what, kind, clause, place, old, new: now, explain } = entry.change;
  const where = [place.endpoint, place.mode, place.status === undefined ? undefined : `status ${place.status}`];
  const known = where.filter((part) => part !== undefined).join(', ');
  const cases = listCasesOf(entry).map((id) => inert(id));
  const ids = fingerprintsOf(entry).map(({ id }) => inert(id));
  const remark = formatRemark(entry.change);
  return {
    text: `${kind}: ${CHANGES[what].rule}`,
    ...(clause !== undefined && { aside: inert(clause) }),
    facts: [
      ...fact('Where', known || undefined),
      ...fact('Cases', listFirst(cases, MAX_CASES) || undefined),
      ...fact('Fingerprint', listFirst(ids, MAX_FINGERPRINTS)),
      ...fact('Note', remark && inert(remark, 400)),
      ...fact('Explain', explain && inert(explain, MAX_COMMAND)),
    ],
    quotes: isQuoted
      ? [
          inert(formatTitle(entry), 200),
          `Before: ${formatEvidence(entry.change, old)}`,
          `Now: ${formatEvidence(entry.change, now)}`,
        ]
      : [],
  };
}

/** `Warnings, which do not count: A field has a different type (1); --fail-on warning shows them with details` */
function uncountedFacts(entries: readonly FoldedChange[], { failOn }: Comparison): readonly Fact[] {
  const list = (label: string, isMeant: (change: FoldedChange['change']) => boolean, hint = ''): readonly Fact[] => {
    const groups = groupBy(
      entries.filter(({ change }) => isMeant(change)),
      ({ change }) => CHANGES[change.what].rule,
    );
    const rules = [...groups].map(([rule, { length }]) => `${rule} (${length})`).join(', ');
    return rules === '' ? [] : fact(label, `${rules}${hint}`);
  };
  const isOpen = (kind: FoldedChange['change']['kind']) => (change: FoldedChange['change']) =>
    change.kind === kind && !change.excused && !failsAt(change, failOn);
  return [
    ...list('Warnings, which do not count', isOpen('warning'), '; --fail-on warning shows them with details'),
    ...list('Drift, which does not count', isOpen('drift'), '; --fail-on drift shows them with details'),
    ...list('Waived, which do not count', ({ excused }) => excused !== undefined),
  ];
}
