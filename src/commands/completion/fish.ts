/** Completion for fish. */
import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed.ts';
import { AFTER_INSTALL } from './shells.ts';

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of wirecheck for fish, made by `wirecheck completion fish`.',
    AFTER_INSTALL.fish,
    // The second word alone is the command: `wirecheck explain run` explains.
    'function __wirecheck_command',
    '  set -l words (commandline -opc)',
    '  test (count $words) -gt 1; and test $words[2] = $argv[1]',
    'end',
    'complete -c wirecheck -f',
    ...commands.map(
      ({ name, summary }) => `complete -c wirecheck -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
}

function commandLines({ name, flags, value }: CompletedCommand): readonly string[] {
  const start = `complete -c wirecheck -n ${quote(`__wirecheck_command ${name}`)}`;
  const own = offer(value);
  return [...(own === '' ? [] : [`${start}${own}`]), ...flags.map((flag) => `${start}${flagOptions(flag)}`)];
}

function flagOptions({ long, short, summary, value }: CompletedFlag): string {
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
  const taken = value ? ` -x${offer(value)}` : '';
  return ` -l ${long.slice(2)}${letter}${taken} -d ${quote(summary)}`;
}

/** What it offers, files included: `-f` at the top turned them off. */
function offer({ names, files }: CompletedValue): string {
  const found = { any: ['(__fish_complete_path)'], folders: ['(__fish_complete_directories)'], none: [] }[files];
  const all = [...names, ...found].join(' ');
  return all === '' ? '' : ` -a ${quote(all)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
