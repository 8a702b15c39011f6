/** Annotations for GitHub: the verdict, and one per root cause up to the number that GitHub shows. */

import { adviseOnEnding } from '../../exchange/ending.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Report } from '../../report/report.ts';
import { formatCounts, listChangeTexts, listRunFlags } from '../run-text.ts';
import { baselineDay, countOlder } from '../excused.ts';
import { factLine, plainText } from '../document/document.ts';
import { findingFacts, formatFinding, ownSource, formatFurther } from '../finding-text.ts';
import { type RootCause, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { count, disarm, inert } from '../../text/layout.ts';
import { undecidedFacts } from '../unjudged.ts';
import { coverageFact, verdictFacts, verdictLine } from '../verdict-line.ts';

const MAX_MESSAGE_LENGTH = 1000;

export const github: Format = (report) =>
  writeAnnotations(
    {
      isPassed: report.outcome.exit === EXIT.passed,
      title: `wirecheck: ${inert(verdictLine(report))}`,
      lines: resultLines(report),
    },
    foldFindings(report).map((entry) => annotate(report, entry)),
    'the log of this step',
  );

/** Exit code 2 has no verdict to annotate. */
export function errorAnnotation(message: string): string {
  return `${workflowCommand('error', { title: 'wirecheck' }, inert(message, MAX_MESSAGE_LENGTH))}\n`;
}

function resultLines(report: Report): readonly string[] {
  const ending = adviseOnEnding(report);
  const flags = listRunFlags(report);
  const { fixed = [] } = report.baseline ?? {};
  return [
    formatCounts(report),
    ...[...coverageFact(report), ...verdictFacts(report)].map(factLine),
    ...(flags.length === 0 ? [] : [`Run: ${flags.join(', ')}`]),
    ...listChangeTexts(report).map((text) => inert(`Changed: ${text}`, 600)),
    ...(ending === undefined ? [] : [ending]),
    ...undecidedFacts(report).map(factLine),
    ...(fixed.length === 0 ? [] : [`Fixed since ${baselineDay(report)}: ${countOlder(report, fixed)}.`]),
  ];
}

/** Excused findings stay visible, but are not errors. */
function annotate(report: Report, entry: RootCause): Annotation {
  const { expectation, case: testCase, cases, excused, verdict } = entry;
  const [requirement, ...facts] = findingFacts(formatFinding(report, entry), formatFurther(entry));
  const message = [
    requirement && plainText(requirement.text),
    `Case: ${inert(testCase.id)}${cases.length > 1 ? ` and ${cases.length - 1} more` : ''}`,
    ...facts.map(factLine),
  ];
  const source = ownSource(report, testCase);
  const title = `${inert(expectation.clause)} (${expectation.level}${excused === undefined ? '' : `, ${excused}`})`;
  return {
    level: excused ? 'notice' : verdict === 'fail' ? 'error' : 'warning',
    properties: { ...(source && { file: inert(source.file), line: source.line }), title },
    message: message.join('\n'),
  };
}

/*
 * Workflow commands: lines by which a program tells GitHub's runner what to do. Whatever a target says must neither be
 * one nor end one.
 */

const LEVELS: readonly Annotation['level'][] = ['error', 'warning', 'notice'];
/** GitHub shows ten annotations of each kind for a step; the verdict or the result is one of them. */
const MAX_ANNOTATIONS = 9;

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly properties: Readonly<Record<string, string | number>>;
  readonly message: string;
}

/** The result, then the annotations that GitHub shows, the worst first. `readOn`: where the others are. */
export function writeAnnotations(
  result: { readonly isPassed: boolean; readonly title: string; readonly lines: readonly string[] },
  annotations: readonly Annotation[],
  readOn: string,
): string {
  const shown = LEVELS.flatMap((each) => annotations.filter(({ level }) => level === each).slice(0, MAX_ANNOTATIONS));
  const left = annotations.length - shown.length;
  const more = left === 0 ? [] : [`${count(left, 'more cause')} not annotated here: see ${readOn}.`];
  const { isPassed, title, lines } = result;
  const commands = [
    workflowCommand(isPassed ? 'notice' : 'error', { title }, [...lines, ...more].join('\n')),
    ...shown.map(({ level, properties, message }) => workflowCommand(level, properties, message)),
  ];
  return `${commands.join('\n')}\n`;
}

/** Always one line. */
export function workflowCommand(
  name: Annotation['level'],
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(
    ([key, value]) => `${key}=${dataText(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${name}${list.length === 0 ? '' : ` ${list.join(',')}`}::${dataText(message)}`;
}

/** The percent sign is escaped first, because the other escapes contain it. */
function dataText(text: string): string {
  return disarm(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
