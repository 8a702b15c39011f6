/** What `wirecheck verify` says to people: the result first, then what differs. */
import type { Difference, Verification } from '../report/verification/verification.ts';
import type { Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';
import { count, hang } from '../text/layout.ts';
import { withoutTargetText } from './agent/without-target-text.ts';
import { verdictLine } from './verdict-line.ts';

/** Differences on the screen. `--json` has more. */
const SHOWN = 20;
const INDENT = '  ';

export interface Shown {
  readonly width: number;
  /** False for an agent, which may take a text of the files for an instruction. */
  readonly quotes: boolean;
}

export function formatVerification(verification: Verification, report: Report, { width, quotes }: Shown): string {
  const { differences, more, notRecorded } = verification;
  const shown = differences.slice(0, SHOWN);
  const rest = differences.length - shown.length + more;
  const facts = [
    `The report says: ${verdictLine(quotes ? report : withoutTargetText(report))}`,
    ...listLimits(verification),
    ...listOthers(notRecorded),
  ];
  return [
    ...hang('', formatResult(verification), width),
    ...shown.flatMap((difference) => hang(`${INDENT}- `, formatDifference(difference, quotes), width)),
    ...(rest === 0 ? [] : [`${INDENT}  and ${count(rest, 'more difference')}`]),
    ...facts.flatMap((fact) => hang(INDENT, fact, width)),
    '',
  ].join('\n');
}

/** The machine that judged is in every report, and matters to nobody here. */
function listOthers(notRecorded: readonly string[]): readonly string[] {
  const words = notRecorded.filter((pointer) => !pointer.startsWith('/provenance/'));
  return words.length === 0
    ? []
    : [`In the report, and in no recording: ${words.map((each) => each.slice(1)).join(', ')}.`];
}

function formatResult(verification: Verification): string {
  const { edition, tool, report, differences, more } = verification;
  const by = `(edition ${edition}, wirecheck ${tool.version})`;
  switch (verification.result) {
    case 'verified':
      return `VERIFIED: this report follows from this recording ${by}. Not proven: where the recording came from, and who made it.`;
    case 'differs':
      return `NOT VERIFIED: this report does not follow from this recording ${by}: ${count(differences.length + more, 'difference')}.`;
    case 'not-comparable':
      return `NOT COMPARABLE: ${formatMaker(report)} made this report, and this one comes to other verdicts ${by}. ${formatRemedy(verification)}`;
  }
}

function formatMaker({ tool, edition, editionDigest }: Verification['report']): string {
  const tests = edition === undefined ? '' : ` with edition ${inert(edition, 40)} (${inert(editionDigest ?? '', 12)})`;
  return `wirecheck ${inert(tool.version, 40)}${tests}`;
}

function formatRemedy({ report, tool }: Verification): string {
  return report.tool.version === tool.version
    ? 'Verify with the build of wirecheck, and the suites, that made it.'
    : `Install wirecheck ${inert(report.tool.version, 40)}, and verify with it.`;
}

/** What the result rests on, if that is less than everything. */
function listLimits({ compared, report, recording }: Verification): readonly string[] {
  return [
    ...(compared === 'everything'
      ? []
      : [`Compared: verdicts, findings, target and times. ${formatMaker(report)} made the report and its words.`]),
    ...(report.stated === undefined ? ['The report has no digest of itself.'] : []),
    ...(recording.stated === undefined ? ['The report names no recording: it was made without --record.'] : []),
  ];
}

function formatDifference(difference: Difference, quotes: boolean): string {
  switch (difference.kind) {
    case 'report-digest':
      return `The report was changed after it was written: its digest is ${difference.actual}, and it says ${difference.stated}.`;
    case 'recording-digest':
      return `This is not the recording that the report names: its digest is ${difference.actual}, and the report says ${difference.stated}.`;
    case 'unreadable':
      return quotes
        ? `The recording cannot be judged: ${inert(difference.message, 400)}`
        : 'The recording cannot be judged.';
    case 'subject':
      return `The report is about a ${difference.reported}, and the recording is of a ${difference.recorded}.`;
    case 'verdict': {
      const { reported = 'nothing', judged = 'nothing' } = difference;
      return `${quotes ? placeOf(difference) : 'A case'}: the report says ${reported}, the recording gives ${judged}.`;
    }
    case 'findings':
      return `${quotes ? placeOf(difference) : 'A case'}: the findings differ.`;
    case 'member': {
      if (!quotes) return 'A member of the report differs; --json has its place and its values.';
      const { pointer, reported = 'nothing', judged = 'nothing' } = difference;
      return `${inert(pointer, 200)}: the report has ${inert(reported, 120)}, the recording gives ${inert(judged, 120)}.`;
    }
  }
}

function placeOf({ case: id, clause }: { readonly case: string; readonly clause: string }): string {
  return `${inert(id, 120)}, ${inert(clause, 120)}`;
}
