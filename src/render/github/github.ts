/** Annotations for GitHub: the verdict, and one per root cause up to the number that GitHub shows. */
import { EXIT } from '../../exit-codes.ts';
import type { Report } from '../../report/report.ts';
import { formatCounts, listRunFlags } from '../run-text.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { baselineDay, countOlder } from '../excused.ts';
import { formatFinding, listFacts, ownSource } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { type CommandName, pickAnnotated, workflowCommand } from './github-commands.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { leftOutByReason } from '../not-judged.ts';
import { listChanges } from '../profile-text.ts';
import { verdictLine } from '../verdict-line.ts';

const MAX_REASONS = 5;
const MAX_MESSAGE_LENGTH = 1000;

export const github: Format = {
  summary: 'annotations for GitHub Actions; written automatically if GITHUB_ACTIONS is set',
  render: (report) => {
    const entries = foldFindings(report);
    const shown = pickAnnotated(entries, nameOf);
    const lines = [verdict(report, entries.length - shown.length), ...shown.map((entry) => annotation(report, entry))];
    return `${lines.join('\n')}\n`;
  },
};

/** For exit code 2, which has no verdict to annotate. */
export function errorAnnotation(message: string): string {
  return `${workflowCommand('error', { title: 'wirecheck' }, inert(message, MAX_MESSAGE_LENGTH))}\n`;
}

/** Excused findings stay visible, but are not errors. */
function nameOf({ excused, verdict: found }: Entry): CommandName {
  if (excused) return 'notice';
  return found === 'fail' ? 'error' : 'warning';
}

/** Nothing failed that explains why something was inconclusive. */
const UNDECIDED: readonly Report['outcome']['name'][] = ['not-judged', 'unused-waivers'];

function verdict(report: Report, leftOut: number): string {
  const ending = adviseOnEnding(report);
  const flags = listRunFlags(report);
  const lines = [
    formatCounts(report),
    ...(flags.length === 0 ? [] : [`Run: ${flags.join(', ')}`]),
    ...(report.profile ? listChanges(report.profile) : []).map(({ what, why }) =>
      inert(`Changed: ${what}. ${why}`, 600),
    ),
    ...(ending === undefined ? [] : [ending]),
    ...(UNDECIDED.includes(report.outcome.name) ? reasons(report) : []),
    ...fixed(report),
    ...(leftOut === 0 ? [] : [`${count(leftOut, 'more cause')} not annotated here: see the log of this step.`]),
  ];
  const name: CommandName = report.outcome.exit === EXIT.passed ? 'notice' : 'error';
  return workflowCommand(name, { title: `wirecheck: ${inert(verdictLine(report))}` }, lines.join('\n'));
}

function fixed(report: Report): readonly string[] {
  const { fixed: findings = [] } = report.baseline ?? {};
  return findings.length === 0 ? [] : [`Fixed since ${baselineDay(report)}: ${countOlder(report, findings)}.`];
}

function reasons(report: Report): readonly string[] {
  const all = leftOutByReason(report, 'inconclusive');
  const shown = all
    .slice(0, MAX_REASONS)
    .map(({ reason, cases }) => `Inconclusive in ${count(cases.length, 'case')}: ${reason}`);
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, `Inconclusive for ${count(more, 'more reason')}.`];
}

function annotation(report: Report, entry: Entry): string {
  const { expectation, case: testCase, cases } = entry;
  const [requirement, ...facts] = listFacts(formatFinding(report, entry));
  const further = formatFurther(entry);
  const message = [
    requirement?.text,
    `Case: ${inert(testCase.id)}${cases.length > 1 ? ` and ${cases.length - 1} more` : ''}`,
    ...facts.map(({ name, label, text }) => `${label}: ${text}${name === 'actual' && further ? `, ${further}` : ''}`),
  ];
  const source = ownSource(report, testCase);
  const excused = entry.excused === undefined ? '' : `, ${entry.excused}`;
  return workflowCommand(
    nameOf(entry),
    {
      ...(source && { file: inert(source.file), line: source.line }),
      title: `${inert(expectation.clause)} (${expectation.level}${excused})`,
    },
    message.join('\n'),
  );
}
