/** What `wirecheck verify` says to people: the result first, then what differs. */
import type {
  ReportDifference,
  JudgingChange,
  Submission,
  SubmissionReason,
  SubmissionRow,
  Verification,
} from '../report/verification/verification.ts';
import type { Report } from '../report/report.ts';
import { count, inert } from '../text/layout.ts';
import type { LogLine, Part } from './document/document.ts';
import { writeTerminal } from './document/write-terminal.ts';
import { writeMarkdown } from './document/write-markdown.ts';
import { withoutTargetText } from './report/agent.ts';
import { verdictLine } from './verdict-line.ts';

/** Differences on the screen. `--json` has more. */
const SHOWN = 20;

/**
 * `line`: the sentence of the report. `judged`: what the recording gives, if it could be judged. `quotes`: false for an
 * agent, which may take a text of the files for an instruction.
 */
export function formatVerification(
  verification: Verification,
  line: string | undefined,
  judged: Report | undefined,
  { width, quotes }: { readonly width: number; readonly quotes: boolean },
): string {
  const { differences, more, notRecorded } = verification;
  const shown = differences.slice(0, SHOWN);
  const rest = differences.length - shown.length + more;
  const asLines = (lead: string, texts: readonly string[]): readonly LogLine[] => texts.map((text) => ({ lead, text }));
  const facts = [
    ...(quotes && line !== undefined ? [`The report says: ${inert(line, MAX_LINE)}`] : []),
    ...(judged && (!quotes || line === undefined || verification.result !== 'verified')
      ? [`wirecheck says: ${inert(verdictLine(quotes ? judged : withoutTargetText(judged)), MAX_LINE)}`]
      : []),
    ...listLimits(verification),
    ...verification.otherwise.map((each) => OTHERWISE[each]),
    ...listSuiteFiles(verification.recording.suites, quotes),
    ...listOthers(notRecorded),
  ];
  const lines = [
    ...asLines(
      '  - ',
      shown.map((each) => (quotes ? formatDifference(each) : WITHOUT_QUOTES[each.kind])),
    ),
    ...asLines('    ', rest === 0 ? [] : [`and ${count(rest, 'more difference')}`]),
    ...asLines('  ', facts),
  ];
  const part: Part = [
    ...sayResult(verification).map((text) => ({ kind: 'paragraph', text }) as const),
    { kind: 'lines', lines },
  ];
  const text = writeTerminal([part, saySubmission(verification.submission)], { width, colour: false });
  const row = verification.submission?.row;
  // Not folded, since it is copied.
  return row && quotes ? `${text}\n${writeMarkdown([tableOf(row)])}` : text;
}

function saySubmission(submission: Submission | undefined): Part {
  if (!submission) return [];
  const { reasons, row } = submission;
  if (row) return [{ kind: 'paragraph', text: 'THIS RESULT COUNTS. Its row for the table of RESULTS.md:' }];
  const lines = reasons.map((reason) => ({ lead: '  - ', text: formatReason(reason) }));
  const text = `THIS RESULT DOES NOT COUNT, for ${count(reasons.length, 'reason')}:`;
  return [
    { kind: 'paragraph', text },
    { kind: 'lines', lines },
  ];
}

/** With the remedy, where there is one besides another run. */
const REASONS: Readonly<Record<SubmissionReason['kind'], string>> = {
  'not-verified': 'It is not verified.',
  'other-wirecheck':
    'Another version of wirecheck, or another program, made the report or the recording. Run again with this one.',
  'no-digests': 'The report has no digest of itself or of its recording. Run again with --record.',
  draft:
    'The report was made with a draft, or with an edition that this wirecheck does not know. Run again with a release.',
  'changed-tests': 'The tests of the report are not those of its edition. Run again with a release.',
  'old-edition': 'There is a newer edition. Run again with the newest release.',
  'other-check': 'The table is for gateways. Run again with wirecheck run.',
  profile: 'It was judged by a profile or by changed levels, not by v1.',
  suites: 'It ran other suites than the built-in ones, or not all of them.',
  smaller: 'These settings decide which requests are sent. Run again without them:',
  interrupted: 'The run did not end by itself.',
  'not-judged': 'Too little was judged for a verdict.',
  waivers: 'It was judged with waivers.',
  baseline: 'It was judged with a baseline.',
  unnamed:
    'The report does not say which release was tested, with which settings, or who answers for it. Run again with',
};

function formatReason({ kind, names }: SubmissionReason): string {
  return names ? `${REASONS[kind]} ${names.join(', ')}.` : REASONS[kind];
}

/** The table of RESULTS.md with this row. The word of the vendor comes later. */
function tableOf(row: SubmissionRow): Part {
  const { name, version, edition, broken, challenged, judged, of, date, note, contact } = row;
  const listed = (ids: readonly string[]) => ids.flatMap((id, at) => [at === 0 ? '' : ', ', { code: id }]);
  const excluded = challenged.length === 0 ? [] : ['; challenged: ', ...listed(challenged)];
  const found = [...(broken.length === 0 ? ['none'] : listed(broken)), ...excluded];
  const cells = [name, version, edition, found, `${judged} of ${of}`, date, note, `self-reported: ${contact}`, ''];
  return [{ kind: 'table', columns: COLUMNS.map((head) => ({ head })), rows: [cells], isText: true }];
}

const COLUMNS = [
  'product',
  'version',
  'edition',
  'must clauses broken',
  'judged',
  'measured',
  'settings',
  'who ran it',
  'word of the vendor',
];

/** Characters of a sentence. */
const MAX_LINE = 600;

const OTHERWISE: Readonly<Record<JudgingChange, string>> = {
  strict: 'The run was made without --strict. The report is judged with it.',
  profile: 'The report is judged by another profile than its run was.',
};

/** A recording of a stranger decides which files are read, so whoever verifies or judges it is told. */
export function listSuiteFiles(suites: readonly string[], quotes = true): readonly string[] {
  if (suites.length === 0) return [];
  const which = quotes ? `: ${suites.map((file) => inert(file, 300)).join(', ')}` : '';
  return [`The recording names ${count(suites.length, 'suite file')}, read from this disk${which}.`];
}

/** The machine that judged is in every report, and matters to nobody here. */
function listOthers(notRecorded: readonly string[]): readonly string[] {
  const words = notRecorded.filter((pointer) => !pointer.startsWith('/provenance/'));
  return words.length === 0 ? [] : [`Never in a recording: ${words.map((each) => each.slice(1)).join(', ')}.`];
}

/** The result in one line, and what follows from it. */
function sayResult(verification: Verification): readonly [line: string, more: string] {
  const { edition, tool, differences, more, compared, report, recording, result } = verification;
  const by = `Judged by edition ${edition}, wirecheck ${tool.version}.`;
  if (result === 'differs') {
    const number = count(differences.length + more, 'difference');
    return [`NOT VERIFIED: this report does not follow from this recording: ${number}.`, by];
  }
  if (result === 'not-comparable') {
    if (compared !== 'nothing')
      return [
        'NOT COMPARABLE: it comes to another result.',
        `${CHANGED_SUITE} Verify with the suite file of the run. ${by}`,
      ];
    const install = `Install wirecheck ${inert(report.tool.version, 40)}, and verify with it.`;
    const made = `By its own words, ${formatMaker(report)} made this report. ${install}`;
    return ['NOT COMPARABLE: another version of wirecheck made this report.', made];
  }
  // What the library made has no digests.
  const qualified = report.stated === undefined || recording.stated === undefined ? ' WITHOUT DIGESTS' : '';
  return compared === 'everything'
    ? [`VERIFIED${qualified}: this report follows from this recording.`, `${by} ${NOT_PROVEN}`]
    : [
        `VERDICTS VERIFIED${qualified}: this recording gives the verdicts of this report.`,
        `${CHANGED_SUITE} ${by} ${NOT_PROVEN}`,
      ];
}

const NOT_PROVEN = 'Not proven: where the recording came from, and who made it.';

const CHANGED_SUITE = 'A suite file has changed since the run.';

function formatMaker({ tool, edition, editionDigest }: Verification['report']): string {
  const tests = edition === undefined ? '' : ` with edition ${inert(edition, 40)} (${inert(editionDigest ?? '', 12)})`;
  return `wirecheck ${inert(tool.version, 40)}${tests}`;
}

/** What the result rests on, if that is less than everything. */
function listLimits({ compared, report, recording }: Verification): readonly string[] {
  return [
    ...(compared === 'verdicts' ? ['Not compared: words of the cases, notices, and the digest of the contract.'] : []),
    ...(report.stated === undefined ? ['The report has no digest of itself.'] : []),
    ...(recording.stated === undefined ? ['The report has no digest of a recording.'] : []),
  ];
}

/** What an agent reads: nothing that the files say. */
const WITHOUT_QUOTES: Readonly<Record<ReportDifference['kind'], string>> = {
  'report-digest': 'The report was changed after it was written.',
  'recording-digest': 'This is not the recording that the report names.',
  'no-digest': 'The report lacks a digest that every report of a command has.',
  unreadable: 'The recording cannot be judged: it is damaged, or cut off.',
  subject: 'The report and the recording are about different sides of the wire.',
  verdict: 'A verdict differs; --json has its case.',
  findings: 'The findings of a case differ; --json has its id.',
  member: 'A member of the report differs; --json has its place.',
};

function formatDifference(difference: ReportDifference): string {
  switch (difference.kind) {
    case 'report-digest':
      return `The report was changed after it was written: its digest is ${difference.actual}, and it says ${difference.stated}.`;
    case 'recording-digest':
      return `This is not the recording that the report names: its digest is ${difference.actual}, and the report says ${difference.stated}.`;
    case 'no-digest':
      return `The report has no ${difference.member.slice(1)}. ${NO_DIGEST[difference.member]}`;
    case 'unreadable':
      return `The recording cannot be judged: ${inert(difference.message, 400)}`;
    case 'subject':
      return `The report is about a ${difference.reported}, and the recording is of a ${difference.recorded}.`;
    case 'verdict': {
      const { reported = 'nothing', judged = 'nothing' } = difference;
      return `${placeOf(difference)}: the report says ${reported}, the recording gives ${judged}.`;
    }
    case 'findings':
      return `${placeOf(difference)}: the findings differ.`;
    case 'member': {
      const { pointer, reported = 'nothing', judged = 'nothing' } = difference;
      return `${inert(pointer, 200)}: the report has ${inert(reported, 120)}, the recording gives ${inert(judged, 120)}.`;
    }
  }
}

const NO_DIGEST = {
  '/reportDigest': 'Every report of a command has one, so it was removed.',
  '/recordingDigest':
    'It was removed, or the run was made without --record. Judge the recording for a report of its own.',
} as const;

function placeOf({ case: id, clause }: { readonly case: string; readonly clause: string }): string {
  return `${inert(id, 120)}, ${inert(clause, 120)}`;
}
