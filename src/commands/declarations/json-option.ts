/** `--json` of the commands that have reporters. */
import type { Command } from 'commander';
import { flagsOf } from '../settings/command-settings.ts';
import type { Flags } from '../settings/merge-settings.ts';

export function addJson(command: Command): Command {
  return command.option('--json', 'short for --reporter json');
}

/** The flags that were typed, with the reporter that `--json` stands for. */
export function flagsWithJson(command: Command): Flags {
  const { json, reporter, ...flags } = flagsOf(command);
  const reporters = withJson({ json: json === true, reporter: Array.isArray(reporter) ? reporter : [] });
  return reporters.length === 0 ? flags : { ...flags, reporter: reporters };
}

export function withJson({ json = false, reporter = [] }: JsonOptions): readonly string[] {
  return json ? [...reporter, 'json'] : reporter;
}

export interface JsonOptions {
  readonly json?: boolean;
  readonly reporter?: readonly string[];
}
