/** A comparison for CI: JUnit, SARIF and annotations for GitHub. One test, result or annotation per cause. */
import { EXIT } from '../../exit-codes.ts';
import { CHANGES, type Comparison, countedAs, failsAt, type FoldedChange } from '../../report/comparison/comparison.ts';
import { inert } from '../../text/layout.ts';
import { plainText } from '../document/document.ts';
import { type Annotation, writeAnnotations } from '../github/github-commands.ts';
import { type Element, type TestSuite, junitDocument, junitSeconds, property, testSuite } from '../junit/junit.ts';
import { sarifLog, sarifMessage, sarifUri } from '../sarif/sarif.ts';
import { entriesOf, sectionsOf } from './comparison-sections.ts';
import {
  contractRemarks,
  entryFacts,
  formatRemarkOnRuns,
  formatResult,
  formatScope,
  formatTitle,
  formatWaiver,
  listRemarks,
} from './comparison-text.ts';

/** A comparison sends nothing. */
const NO_TIME = junitSeconds(0);

const SARIF_LEVELS: Readonly<Record<FoldedChange['change']['kind'], 'error' | 'warning' | 'note'>> = {
  breaking: 'error',
  warning: 'warning',
  additive: 'note',
  drift: 'note',
};

function titleOf(entry: FoldedChange): string {
  return inert(formatTitle(entry), 600);
}

function linesOf(entry: FoldedChange): readonly string[] {
  return entryFacts(entry).map(({ label, text }) => `${label}: ${plainText(text)}`);
}

function remarksOn(comparison: Comparison): readonly string[] {
  return [...contractRemarks(comparison), ...listRemarks(comparison)].map((remark) => inert(remark, 500));
}

export function comparisonJunit(comparison: Comparison): string {
  const { old, new: now, exit } = comparison;
  const result = inert(formatResult(comparison), 600);
  const suite = (name: string, tests: readonly Element[], properties?: readonly Element[]): TestSuite =>
    testSuite({ name, time: NO_TIME, startedAt: now.startedAt }, tests, properties);
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
  const suites = sectionsOf(comparison).map(({ name, entries }) =>
    suite(
      name,
      entries.map((entry) => testOf(comparison, entry)),
    ),
  );
  return junitDocument('wirecheck compare', NO_TIME, [suite('comparison', [whole], facts), ...suites]);
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

export function comparisonSarif(comparison: Comparison): string {
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

export function comparisonGithub(comparison: Comparison): string {
  const annotations = entriesOf(comparison).map((entry): Annotation => {
    const { kind, excused } = entry.change;
    const level = failsAt(entry.change, comparison.failOn)
      ? 'error'
      : kind === 'warning' && !excused
        ? 'warning'
        : 'notice';
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
