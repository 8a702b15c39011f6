/** What a shell can complete, read from the commands themselves: their flags come from the table of settings. */
import type { Argument, Command, Option } from 'commander';
import { namesFor } from './value-names.ts';

/** The values of a flag or an argument. */
export interface CompletedValue {
  readonly names: readonly string[];
  readonly files: 'any' | 'folders' | 'none';
}

export interface CompletedFlag {
  /** Such as `--model`. */
  readonly long: string;
  /** Such as `-m`. */
  readonly short?: string;
  readonly summary: string;
  /** Absent for a switch. */
  readonly value?: CompletedValue;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Of all its arguments together. */
  readonly value: CompletedValue;
}

/** In the order of the help. */
export function completedCommands(program: Command): readonly CompletedCommand[] {
  const shown = program.createHelp().visibleCommands(program);
  const own = shown.filter((command) => command.name() !== 'help');
  const commands = own.map((command) => ({
    name: command.name(),
    summary: command.description(),
    flags: [...command.options.flatMap((option) => completedFlag(command, option)), HELP],
    value: argumentValue(command),
  }));
  const names = commands.map(({ name }) => name);
  return [
    ...commands,
    { name: 'help', summary: 'show the help of a command', flags: [], value: { names, files: 'none' } },
  ];
}

const HELP: CompletedFlag = { long: '--help', short: '-h', summary: 'show this help' };

function completedFlag(command: Command, option: Option): readonly CompletedFlag[] {
  const { long, short, description, hidden } = option;
  if (hidden || long === undefined) return [];
  const value = option.required ? valueOf(placeholderOf(option.flags), namesFor(command.name(), long)) : undefined;
  return [{ long, ...(short !== undefined && { short }), summary: firstPart(description), ...(value && { value }) }];
}

function argumentValue(command: Command): CompletedValue {
  const { registeredArguments: all } = command;
  const names = namesFor(command.name(), 'argument');
  return valueOf(all.map((argument: Argument) => argument.name()).join('|'), names);
}

/** `FILE` of `--waivers <FILE>`. */
export function placeholderOf(flags: string): string {
  return /<(.*)>/.exec(flags)?.[1] ?? '';
}

const FILES = /FILE|REPORT|RECORDING|OLD|NEW/;
const FOLDERS = /DIR/;

function valueOf(placeholder: string, names: readonly string[]): CompletedValue {
  return { names, files: FILES.test(placeholder) ? 'any' : FOLDERS.test(placeholder) ? 'folders' : 'none' };
}

/** A menu has one short line for each: without remarks, and without what follows a semicolon. */
function firstPart(summary: string): string {
  return summary.replace(/[;:(].*$/s, '').trim();
}
