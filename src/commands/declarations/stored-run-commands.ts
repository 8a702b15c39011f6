/** The commands that read recordings and reports of earlier runs. */
import type { Command } from 'commander';
import type { BoardFlags } from '../board.ts';
import type { CompareFlags } from '../compare.ts';
import type { ExportOptions } from '../export.ts';
import type { VerifyFlags } from '../verify.ts';
import { addTo, JUDGE_SETTINGS, RENDER_SETTINGS } from '../settings/command-settings.ts';
import type { Declaring } from './declaring.ts';
import { addJson, flagsWithJson, type JsonOptions, withJson } from './json-option.ts';
import { FOR_RECORDINGS, WITHOUT_DEFAULT_FILES } from './setting-words.ts';

export function declareRender({ add, io, exitWith }: Declaring): void {
  addJson(add('render', 'show a stored report in any format', RENDER_SETTINGS, WITHOUT_DEFAULT_FILES))
    .argument('<REPORT>', 'report.json of an earlier run')
    .action(async (report: string, _options: unknown, command: Command) => {
      const { renderCommand } = await import('../render.ts');
      exitWith(renderCommand(report, flagsWithJson(command), io));
    });
}

export function declareOpen({ add, io, exitWith }: Declaring): void {
  add('open', 'show the last report in the browser', [])
    .argument('[REPORT]', 'folder, report.json or page to show (default: the newest of the last runs)')
    .action(async (report: string | undefined) => {
      const { openCommand } = await import('../open.ts');
      exitWith(await openCommand(report, io));
    });
}

export function declareJudge({ add, io, exitWith }: Declaring): void {
  addJson(add('judge', 'judge recordings again, without sending anything', JUDGE_SETTINGS, FOR_RECORDINGS))
    .argument('<FILE...>', 'recordings made with --record, or HAR files')
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      const { judgeCommand } = await import('../judge.ts');
      exitWith(await judgeCommand(files, flagsWithJson(command), io));
    });
}

export function declareCompare({ add, io, exitWith }: Declaring): void {
  addJson(add('compare', 'show what changed between two runs: breaking, warning, additive, drift', []))
    .argument('<OLD>', 'recording or report.json of the older run')
    .argument('<NEW>', 'recording or report.json of the newer run')
    .option('--fail-on <KIND>', 'least severe change that exits with 1: breaking, warning or drift (default: breaking)')
    .option(
      '--reporter <NAME[=FILE]>',
      'terminal, json, markdown, html, junit, sarif, github or agent; without =FILE it goes to stdout (repeatable)',
      addTo,
    )
    .option('--waivers <FILE>', 'waiver file: accepted changes and announced removals')
    .option('--profile <NAME|FILE>', 'judge both recordings by this profile; a report stays judged as it was')
    .option('--profile-digest <SHA>', 'refuse any profile but the one with this digest')
    .action(async (older: string, newer: string, options: CompareFlags & JsonOptions) => {
      const { compareCommand } = await import('../compare.ts');
      exitWith(await compareCommand(older, newer, { ...options, reporter: withJson(options) }, io));
    });
}

export function declareVerify({ add, io, exitWith }: Declaring): void {
  add('verify', 'check that a report follows from a recording: judge it again, and compare', [])
    .argument('<REPORT>', 'report.json of a run')
    .argument('<RECORDING>', 'recording of the run, made with --record, or a HAR file')
    .option('--profile <NAME|FILE>', 'the profile of the report, if neither wirecheck nor the recording has it')
    .option('--baseline <FILE>', 'the older report that the report was compared with, if it was')
    .option('--json', 'print the result as JSON')
    .action(async (report: string, recording: string, options: VerifyFlags) => {
      const { verifyCommand } = await import('../verify.ts');
      exitWith(await verifyCommand(report, recording, options, io));
    });
}

export function declareBoard({ add, io, exitWith }: Declaring): void {
  addJson(add('board', 'put many reports on one page: targets and clauses, differences, history', []))
    .argument('<REPORT...>', 'report.json of runs, or folders that hold them')
    .option(
      '-o, --out <DIR>',
      'folder for board.html, board.json, board.md and badges, or none (default: wirecheck-board)',
    )
    .option(
      '--reporter <NAME[=FILE]>',
      'html, json or markdown, instead of the folder; terminal or agent, beside it; without =FILE it goes to stdout (repeatable)',
      addTo,
    )
    .option('--title <TEXT>', 'title of the board')
    .option('--fail-on <KIND>', 'exit with 1 if a target fails (must), or never (none) (default: must)')
    .action(async (reports: readonly string[], options: BoardFlags & JsonOptions) => {
      const { boardCommand } = await import('../board.ts');
      const reporter = withJson(options);
      exitWith(boardCommand(reports, { ...options, ...(reporter.length > 0 && { reporter }) }, io));
    });
}

export function declareExport({ add, io, exitWith }: Declaring): void {
  add('export', 'convert a recording to HAR', [])
    .argument('<RECORDING>', 'recording made with --record')
    .option('--har <FILE>', 'HAR 1.2 file to write, or - for stdout (required)')
    .option('--force', 'overwrite an existing file')
    .action(async (file: string, options: ExportOptions) => {
      const { exportCommand } = await import('../export.ts');
      exitWith(await exportCommand(file, options, io));
    });
}
