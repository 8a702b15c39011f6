/**
 * The formats of a comparison. The document for a terminal, for a pull request or release note and for agents is laid out by
 * the writers of every document. For CI there are JUnit, SARIF and annotations for GitHub: one test, result or annotation
 * per cause.
 */
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { CHANGES, type Comparison, countedAs, failsAt, type FoldedChange } from '../../report/comparison/comparison.ts';
import { groupBy } from '../../report/counts.ts';
import { clampWidth, inert, inertJson, listFirst } from '../../text/layout.ts';
import { type Document, type Fact, fact, factLine, type ListItem, type Part, plainText } from '../document/document.ts';
import { writeAgent, type AgentDocument } from '../document/write-agent.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import type { RenderOptions } from '../format.ts';
import { type Annotation, writeAnnotations } from '../github/github.ts';
import { type Element, junitDocument, junitSeconds, property, testSuite } from '../junit/junit.ts';
import { LOOKS } from '../looks.ts';
import { exitFact } from '../report/agent.ts';
import { sarifLog, sarifMessage, sarifUri } from '../sarif/sarif.ts';
import { comparisonHtml } from './comparison-html.ts';
import {
  MAX_CASES,
  MAX_FINGERPRINTS,
  type Section,
  comparedRunFacts,
  contractRemarks,
  entriesOf,
  entryFacts,
  fingerprintsOf,
  formatEvidence,
  formatRemark,
  formatRemarkOnRuns,
  formatResult,
  formatScope,
  formatTitle,
  formatWaiver,
  listCasesOf,
  listRemarks,
  sectionsOf,
  addEntries,
  titleOf,
} from './comparison-text.ts';

type Layout = Pick<RenderOptions, 'colour' | 'width'>;

const COMPARISON_FORMATS = {
  /** The closer to the end, the more it matters: on a terminal the last lines are the ones in view. */
  terminal: (comparison, layout) => {
    const { contract, scope, sections, remarks, result } = partsOf(comparison);
    return writeTerminal([contract, scope, ...sections, remarks, result], layout);
  },
  json: (comparison) => `${inertJson(JSON.stringify(addEntries(comparison), null, 2))}\n`,
  markdown: (comparison) => {
    const { contract, scope, sections, remarks, result } = partsOf(comparison, MAX_SHOWN);
    return writeMarkdown([result, contract, scope, ...sections, remarks], { readOn: 'see the JSON' });
  },
  html: comparisonHtml,
  junit,
  sarif,
  github,
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

/** `most`: entries of each kind. */
function partsOf(comparison: Comparison, most = Infinity) {
  const lines = contractRemarks(comparison).map((remark) => inert(remark, 500));
  const notes = listRemarks(comparison).map((remark) => ({ text: inert(remark, 500) }));
  const tone = comparison.exit === EXIT.passed ? 'good' : 'bad';
  return {
    result: [{ kind: 'heading', level: 2, text: formatResult(comparison), tone }],
    contract: lines.length === 0 ? [] : [{ kind: 'note', lines }],
    scope: [
      { kind: 'facts', facts: comparedRunFacts(comparison) },
      { kind: 'paragraph', text: formatScope(comparison) },
    ],
    sections: sectionsOf(comparison).map((section): Part => {
      const { look, entries } = section;
      const items = entries.map((entry) => itemOf(entry, section));
      return [{ kind: 'list', heading: `${look.title} (${entries.length})`, items, noun: 'cause', most, isOpen: true }];
    }),
    remarks: [{ kind: 'list', heading: 'Notes', items: notes, noun: 'note', isOpen: true }],
  } satisfies Record<string, Part | Document>;
}

/** An additive change is one line. */
function itemOf(entry: FoldedChange, { name, look: { sign, shade } }: Section): ListItem {
  const facts = name === 'additive' ? {} : { facts: entryFacts(entry) };
  return { text: formatTitle(entry), sign, tone: LOOKS[shade].tone, ...facts };
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

function agentOutline(comparison: Comparison): AgentDocument {
  const { obstacles, exit, failOn, old, new: now } = comparison;
  const entries = entriesOf(comparison);
  const quotes = !old.withoutBodies && !now.withoutBodies;
  const notices = comparison.notices.filter(({ kind }) => OWN_NOTICES.has(kind));
  const remarks = listRemarks({ obstacles, notices }).slice(0, MAX_REMARKS);
  const items = entries.filter(({ change }) => failsAt(change, failOn)).map((entry) => agentItem(entry, quotes));
  return [
    [
      { kind: 'heading', level: 2, text: inert(formatResult(comparison), 1_000) },
      { kind: 'facts', facts: comparedRunFacts(comparison, false) },
      { kind: 'paragraph', text: formatScope(comparison) },
      { kind: 'facts', facts: remarks.flatMap((remark) => fact('Note', inert(remark, 300))) },
    ],
    [{ kind: 'list', heading: '', items, noun: 'cause', others: { hint: 'add --reporter json=FILE' } }],
    [{ kind: 'facts', facts: [...uncountedFacts(entries, comparison), exitFact(exit, MEANINGS[exit])] }],
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
          inert(plainText(formatTitle(entry)), 200),
          `Before: ${plainText(formatEvidence(entry.change, old))}`,
          `Now: ${plainText(formatEvidence(entry.change, now))}`,
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

/** A comparison sends nothing. */
const NO_TIME = junitSeconds(0);

const SARIF_LEVELS: Readonly<Record<FoldedChange['change']['kind'], 'error' | 'warning' | 'note'>> = {
  breaking: 'error',
  warning: 'warning',
  additive: 'note',
  drift: 'note',
};

function linesOf(entry: FoldedChange): readonly string[] {
  return entryFacts(entry).map(factLine);
}

function remarksOn(comparison: Comparison): readonly string[] {
  return [...contractRemarks(comparison), ...listRemarks(comparison)].map((remark) => inert(remark, 500));
}

function junit(comparison: Comparison): string {
  const { old, new: now, exit } = comparison;
  const result = inert(formatResult(comparison), 600);
  const suite = { time: NO_TIME, startedAt: now.startedAt };
  const facts = [
    ...[property('old', old.source), property('new', now.source), property('result', result)],
    ...remarksOn(comparison).map((remark) => property('note', remark)),
  ];
  const lines = comparison.obstacles.map((obstacle) => inert(formatRemarkOnRuns(obstacle), 500));
  const whole: Element = {
    name: 'testcase',
    attributes: { name: 'the two runs can be compared', classname: 'comparison', time: NO_TIME },
    children: exit === EXIT.notJudged ? [{ name: 'error', attributes: { message: result }, lines }] : [],
  };
  const suites = sectionsOf(comparison).map(({ name, entries }) => {
    const tests = entries.map((entry) => testOf(comparison, entry));
    return testSuite({ ...suite, name }, tests);
  });
  const first = testSuite({ ...suite, name: 'comparison' }, [whole], facts);
  return junitDocument('wirecheck compare', NO_TIME, [first, ...suites]);
}

function testOf(comparison: Comparison, entry: FoldedChange): Element {
  const { change } = entry;
  const title = titleOf(entry);
  const lines = linesOf(entry);
  const waiver = formatWaiver(change);
  const details: Element[] = failsAt(change, comparison.failOn)
    ? [{ name: 'failure', attributes: { message: title, type: change.what }, lines }]
    : [
        ...(waiver === undefined ? [] : [{ name: 'skipped', attributes: { message: inert(waiver, 400) } }]),
        { name: 'system-out', attributes: {}, lines },
      ];
  const attributes = { name: title, classname: countedAs(change), time: NO_TIME };
  return { name: 'testcase', attributes, children: details };
}

function sarif(comparison: Comparison): string {
  const { tool, exit, new: now, changes } = comparison;
  const names = [...new Set(changes.map(({ what }) => what))];
  const entries = entriesOf(comparison);
  const run = {
    tool: {
      driver: {
        name: tool.name,
        version: inert(tool.version),
        rules: names.map((name) => ({
          id: name,
          shortDescription: { text: CHANGES[name].rule },
          help: {
            text: `${CHANGES[name].rule}. Touches ${CHANGES[name].clause ?? 'the clause that the result names'}.`,
          },
          defaultConfiguration: { level: 'warning' },
          properties: { tags: ['comparison'], part: '9' },
        })),
      },
    },
    invocations: [{ executionSuccessful: exit !== EXIT.notJudged, exitCode: exit }],
    results: entries.map((entry) => ({
      ruleId: entry.change.what,
      ruleIndex: names.indexOf(entry.change.what),
      level: SARIF_LEVELS[entry.change.kind],
      message: { text: sarifMessage([titleOf(entry), ...linesOf(entry)].join('\n')) },
      locations: [{ physicalLocation: { artifactLocation: { uri: sarifUri(now.source) }, region: { startLine: 1 } } }],
      partialFingerprints: { 'wirecheckChange/v1': entry.change.cause },
      occurrenceCount: entry.others.length + 1,
      suppressions: entry.change.excused
        ? [{ kind: 'external', justification: inert(entry.change.excused.reason, 400) }]
        : [],
    })),
    columnKind: 'utf16CodeUnits',
    properties: { result: inert(formatResult(comparison), 600), notes: remarksOn(comparison) },
  };
  return sarifLog(run);
}

function github(comparison: Comparison): string {
  const annotations = entriesOf(comparison).map((entry): Annotation => {
    const { kind, excused } = entry.change;
    const lesser = kind === 'warning' && !excused ? 'warning' : 'notice';
    const level = failsAt(entry.change, comparison.failOn) ? 'error' : lesser;
    const properties = { title: `${excused ? 'Waived: ' : ''}${titleOf(entry)}` };
    return { level, properties, message: linesOf(entry).join('\n') };
  });
  const result = {
    isPassed: comparison.exit === EXIT.passed,
    title: `wirecheck compare: ${inert(formatResult(comparison), 600)}`,
    lines: [formatScope(comparison), ...remarksOn(comparison)],
  };
  return writeAnnotations(result, annotations, 'the comparison');
}
