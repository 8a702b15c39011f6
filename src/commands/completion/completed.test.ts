import { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../command-line.ts';
import { completedCommands, placeholderOf } from './completed.ts';

const screen = { write: () => undefined, colour: false, live: false, columns: 80 };
const io = { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
const program = buildProgram([], io, () => undefined);
const commands = completedCommands(program);

/** Names that nobody can list: of variables, of people, of headers, of kinds with a share. */
const FREE = ['--api-key-env', '--key-env', '--owner', '--header', '--header-env', '--mix'];

it('Every flag that takes a name or a kind offers names', () => {
  const without = program.commands.flatMap((command) =>
    command.options.flatMap(({ flags, long = '', hidden }) => {
      if (hidden || !/NAME|KIND/.test(placeholderOf(flags)) || FREE.includes(long)) return [];
      const completed = commands.find(({ name }) => name === command.name())?.flags.find((flag) => flag.long === long);
      return completed?.value?.names.length ? [] : [`${command.name()} ${long}`];
    }),
  );
  expect(without).toEqual([]);
});

it('No name needs a quote in any shell, and no description has a line break', () => {
  const names = commands
    .flatMap(({ value, flags }) => [value, ...flags.map((flag) => flag.value)])
    .flatMap((value) => value?.names ?? []);
  expect(names.filter((name) => !/^[\w./-]+$/.test(name))).toEqual([]);
  const words = commands.flatMap(({ summary, flags }) => [summary, ...flags.map((flag) => flag.summary)]);
  expect(words.filter((text) => text === '' || /\n/.test(text))).toEqual([]);
});

it('A flag that is added to a command is completed', () => {
  const own = new Command('wirecheck');
  own.command('new').option('-n, --new <FILE>', 'a new flag').argument('<REPORT>');
  expect(completedCommands(own)[0]).toMatchObject({
    name: 'new',
    flags: [{ long: '--new', short: '-n', value: { files: 'any' } }, { long: '--help' }],
    value: { files: 'any' },
  });
});
