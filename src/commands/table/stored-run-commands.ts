/** The commands that read recordings and reports of earlier runs. */
import { EXIT } from '../../exit-codes.ts';
import { JUDGE_SETTINGS, RENDER_SETTINGS } from '../settings/command-settings.ts';
import { type CommandRow, listExits, option, WITHOUT_DEFAULT_FILES } from './command-row.ts';

const group = 'Compare and publish';

export const STORED_RUN_COMMANDS = {
  judge: {
    group,
    summary: 'judge recordings again, without sending anything',
    args: [['<FILE...>', 'recordings made with --record, or HAR files']],
    settings: JUDGE_SETTINGS,
    words: {
      ...WITHOUT_DEFAULT_FILES,
      profile:
        "judge by this profile: a file with changes to v1, or a profile of wirecheck's such as common-servers (default: the profile of the recorded run)",
    },
    hasReporters: true,
    help: `
Examples:
  wirecheck run https://gateway.example/v1 --record old.ndjson.gz
  wirecheck judge old.ndjson.gz
  wirecheck judge old.ndjson.gz --out judged-again
  wirecheck judge traffic.har          traffic that a browser or proxy recorded

The settings of the recorded run apply, and the exit code is the same unless
clauses or suites changed. Without --out or --reporter, no files are written.
`,
    load: async () => (await import('../judge.ts')).judgeCommand,
  },

  compare: {
    group,
    summary: 'show what changed between two runs: breaking, warning, additive, drift',
    args: [
      ['<OLD>', 'recording or report.json of the older run'],
      ['<NEW>', 'recording or report.json of the newer run'],
    ],
    hasReporters: true,
    options: [
      option(
        '--fail-on <KIND>',
        'least severe change that exits with 1: breaking, warning or drift (default: breaking)',
      ),
      option(
        '--reporter <NAME[=FILE]>',
        'terminal, json, markdown, html, junit, sarif, github or agent; without =FILE it goes to stdout (repeatable)',
        { isList: true },
      ),
      option('--waivers <FILE>', 'waiver file: accepted changes and announced removals'),
      option('--profile <NAME|FILE>', 'judge both recordings by this profile; a report stays judged as it was'),
      option('--profile-digest <SHA>', 'refuse any profile but the one with this digest'),
    ],
    help: `
Examples:
  wirecheck compare old.ndjson.gz new.ndjson.gz
  wirecheck compare old/report.json new/report.json --fail-on warning
  wirecheck compare old.ndjson.gz new.ndjson.gz --reporter html=changes.html

${listExits({
  passed: 'no breaking change',
  failed: 'a breaking change, or one that --fail-on names',
  usage: 'usage error',
  notJudged: 'a run is incomplete or without bodies, or the newer one judged less',
})}
`,
    load: async () => (await import('../compare.ts')).compareCommand,
  },

  verify: {
    group,
    summary: 'check that a report follows from a recording: judge it again, and compare',
    args: [
      ['<REPORT>', 'report.json of a run'],
      ['<RECORDING>', 'recording of the run, made with --record, or a HAR file'],
    ],
    options: [
      option('--profile <NAME|FILE>', 'the profile of the report, if neither wirecheck nor the recording has it'),
      option('--baseline <FILE>', 'the older report that the report was compared with, if it was'),
      option('--json', 'print the result as JSON'),
    ],
    help: `
Examples:
  wirecheck run https://gateway.example/v1 --record run.ndjson.gz \\
    --product 'Sea Gateway' --product-version 2.4
  wirecheck verify wirecheck-report/report.json run.ndjson.gz

The recording is judged again, offline, and everything in the report is
compared. Digests find damage and mismatch, not forgery. Nothing is signed.

${listExits({
  passed: 'the report follows from the recording',
  failed: 'it does not',
  usage: 'usage error, or another version of wirecheck made the report and this one comes to other verdicts',
})}
`,
    load: async () => (await import('../verify.ts')).verifyCommand,
  },

  render: {
    group,
    summary: 'show a stored report in any format, or convert a recording to HAR',
    args: [['<REPORT>', 'report.json of an earlier run; for har, a recording made with --record']],
    settings: RENDER_SETTINGS,
    words: {
      ...WITHOUT_DEFAULT_FILES,
      reporter: `${WITHOUT_DEFAULT_FILES['reporter']}; also profile, which drafts a profile from the failures of a report, without safety clauses, and har, which converts a recording to HAR 1.2`,
    },
    hasReporters: true,
    help: `
Examples:
  wirecheck render wirecheck-report/report.json
  wirecheck render wirecheck-report/report.json --verbose
  wirecheck render wirecheck-report/report.json --reporter json=copy.json
  wirecheck render wirecheck-report/report.json --reporter profile > acme.yaml
  wirecheck render old.ndjson.gz --reporter har=old.har
`,
    load: async () => (await import('../render.ts')).renderCommand,
  },

  board: {
    group,
    summary: 'put many reports on one page: targets and clauses, differences, history',
    args: [['<REPORT...>', 'report.json of runs, or folders that hold them']],
    hasReporters: true,
    options: [
      option(
        '-o, --out <DIR>',
        'folder for board.html, board.json, board.md and badges, or none (default: wirecheck-board)',
      ),
      option(
        '--reporter <NAME[=FILE]>',
        'html, json or markdown, instead of the folder; terminal or agent, beside it; without =FILE it goes to stdout (repeatable)',
        { isList: true },
      ),
      option('--title <TEXT>', 'title of the board'),
      option('--fail-on <KIND>', 'exit with 1 if a target fails (must), or never (none) (default: must)'),
    ],
    help: `
Examples:
  wirecheck board reports/*/report.json
  wirecheck board reports/ --out board --title 'Our gateways'
  wirecheck board reports/ --reporter markdown >> "$GITHUB_STEP_SUMMARY"

Reports on the same target become its history; the latest one is its state.
${listExits(
  {
    passed: 'every target passes',
    failed: 'a target fails',
    usage: 'usage error',
    notJudged: 'a target was not judged',
  },
  ` --fail-on none turns ${EXIT.failed} and ${EXIT.notJudged} into ${EXIT.passed}.`,
)}
`,
    load: async () => (await import('../board.ts')).boardCommand,
  },

  open: {
    group,
    summary: 'show the last report in the browser',
    args: [['[REPORT]', 'folder, report.json or page to show (default: the newest of the last runs)']],
    help: `
Examples:
  wirecheck open
  wirecheck open reports/staging
  wirecheck open wirecheck-report/report.json

Without a name, it shows the newest page in the usual folder for reports, in
wirecheck-rerun and in wirecheck-board. A run that judged next to nothing, such
as one whose target was down, keeps the report before it in last-judged, which
is then shown. Without a browser, it prints the path.
`,
    load: async () => (await import('../open.ts')).openCommand,
  },
} satisfies Record<string, CommandRow>;
