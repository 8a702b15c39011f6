/** A comparison for CI: JUnit, SARIF and annotations for GitHub. One test, result or annotation per cause. */

import { EXIT } from '../../exit-codes.ts';
import {
  type Change,
  CHANGES,
  type Comparison,
  FAIL_ON,
  type FoldedChange,
} from '../../report/comparison/comparison.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { type CommandName, pickAnnotated, workflowCommand } from '../github/github-commands.ts';
import { property } from '../junit/junit-case.ts';
import { junitSeconds } from '../junit/junit-times.ts';
import { type Element, xmlDocument } from '../junit/junit-xml.ts';
import { sarifLog, sarifMessage, sarifUri } from '../sarif/sarif-rules.ts';
import { formatTitle } from './change-titles.ts';
import { factsOf, formatFingerprint, formatResult, formatScope, formatWaiver } from './comparison-text.ts';
import { contractRemarks, formatRemarkOnRuns, listRemarks } from './notice-text.ts';
import { SARIF_LEVELS } from './section-looks.ts';
import { sectionOf, sectionsOf } from './sections.ts';

/** A comparison sends nothing. */
const NO_TIME = junitSeconds(0);

/** Whether it fails the comparison. */
function isFailing({ failOn }: Comparison, { kind, excused }: Change): boolean {
  const failing: readonly string[] = FAIL_ON.slice(0, FAIL_ON.indexOf(failOn) + 1);
  return !excused && failing.includes(kind);
}

function titleOf(entry: FoldedChange): string {
  return inert(formatTitle(entry), 600);
}

function linesOf(entry: FoldedChange): readonly string[] {
  const facts = factsOf(entry).map(([name, text]) => `${name}: ${text}`);
  return entry.change.kind === 'additive'
    ? facts
    : [...facts, `Fingerprint: ${inert(formatFingerprint(entry), 1_000)}`];
}

function remarksOn(comparison: Comparison): readonly string[] {
  return [...contractRemarks(comparison), ...listRemarks(comparison)].map((remark) => inert(remark, 500));
}

export function comparisonJunit(comparison: Comparison): string {
  const { old, new: now, exit } = comparison;
  const result = inert(formatResult(comparison), 600);
  // The schemas of this format know neither fractions nor a zone.
  const timestamp = now.startedAt.slice(0, 19);
  const testSuite = (
    name: string,
    counts: { tests: number; failures: number; errors: number; skipped?: number },
    children: Element[],
  ) => ({
    name: 'testsuite',
    attributes: { name, timestamp, skipped: 0, ...counts, time: NO_TIME },
    children,
  });
  const suites = sectionsOf(comparison).map(({ name, entries }) => {
    const failures = entries.filter(({ change }) => isFailing(comparison, change)).length;
    const tests = entries.map((entry) => testOf(comparison, entry));
    const skipped = entries.filter(({ change }) => change.excused).length;
    return testSuite(name, { tests: tests.length, failures, errors: 0, skipped }, tests);
  });
  const isOpen = exit === EXIT.notJudged;
  const facts = [
    ...[property('old', old.source), property('new', now.source), property('result', result)],
    ...remarksOn(comparison).map((remark) => property('note', remark)),
  ];
  const lines = comparison.obstacles.map((obstacle) => inert(formatRemarkOnRuns(obstacle), 500));
  const whole = testSuite('comparison', { tests: 1, failures: 0, errors: isOpen ? 1 : 0 }, [
    { name: 'properties', attributes: {}, children: facts },
    {
      name: 'testcase',
      attributes: { name: 'the two runs can be compared', classname: 'comparison', time: NO_TIME },
      children: isOpen ? [{ name: 'error', attributes: { message: result }, lines }] : [],
    },
  ]);
  const all = [whole, ...suites];
  const sum = (name: 'tests' | 'failures' | 'errors'): number =>
    all.reduce((total, { attributes }) => total + attributes[name], 0);
  return xmlDocument({
    name: 'testsuites',
    attributes: {
      name: 'wirecheck compare',
      tests: sum('tests'),
      failures: sum('failures'),
      errors: sum('errors'),
      time: NO_TIME,
    },
    children: all,
  });
}

function testOf(comparison: Comparison, entry: FoldedChange): Element {
  const { change } = entry;
  const title = titleOf(entry);
  const lines = linesOf(entry);
  const waiver = formatWaiver(change);
  const details: Element[] = isFailing(comparison, change)
    ? [{ name: 'failure', attributes: { message: title, type: change.what }, lines }]
    : [
        ...(waiver === undefined ? [] : [{ name: 'skipped', attributes: { message: inert(waiver, 400) } }]),
        { name: 'system-out', attributes: {}, lines },
      ];
  const attributes = { name: title, classname: sectionOf(change), time: NO_TIME };
  return { name: 'testcase', attributes, children: details };
}

export function comparisonSarif(comparison: Comparison): string {
  const { tool, exit, new: now, changes } = comparison;
  const names = [...new Set(changes.map(({ what }) => what))];
  const entries = sectionsOf(comparison).flatMap((section) => section.entries);
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
  const entries = sectionsOf(comparison).flatMap((section) => section.entries);
  const nameOf = ({ change }: FoldedChange): CommandName => {
    if (isFailing(comparison, change)) return 'error';
    return change.kind === 'warning' && !change.excused ? 'warning' : 'notice';
  };
  const shown = pickAnnotated(entries, nameOf);
  const more = entries.length - shown.length;
  const rest = more === 0 ? [] : [`${count(more, 'more cause')} not annotated here: see the comparison.`];
  const result = workflowCommand(
    comparison.exit === EXIT.passed ? 'notice' : 'error',
    { title: `wirecheck compare: ${inert(formatResult(comparison), 600)}` },
    [formatScope(comparison), ...remarksOn(comparison), ...rest].join('\n'),
  );
  const annotations = shown.map((entry) =>
    workflowCommand(
      nameOf(entry),
      { title: `${entry.change.excused ? 'Waived: ' : ''}${titleOf(entry)}` },
      linesOf(entry).join('\n'),
    ),
  );
  return `${[result, ...annotations].join('\n')}\n`;
}
