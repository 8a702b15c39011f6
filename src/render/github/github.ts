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
import { type Annotation, workflowCommand, writeAnnotations } from './github-commands.ts';
import { inert } from '../../text/layout.ts';
import { undecidedFacts } from '../unjudged.ts';
import { verdictLine } from '../verdict-line.ts';

const MAX_MESSAGE_LENGTH = 1000;

export const github: Format = {
  summary: 'annotations for GitHub Actions; written automatically if GITHUB_ACTIONS is set',
  render: (report) =>
    writeAnnotations(
      {
        isPassed: report.outcome.exit === EXIT.passed,
        title: `wirecheck: ${inert(verdictLine(report))}`,
        lines: resultLines(report),
      },
      foldFindings(report).map((entry) => annotate(report, entry)),
      'the log of this step',
    ),
};

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
