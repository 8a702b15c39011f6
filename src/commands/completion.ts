/** `wirecheck completion SHELL`: a script that asks the hidden command `complete` for what could follow. */
import { readPackageFile } from '../contract/package-files.ts';
import { FORMAT_NAMES } from '../settings/format-names.ts';
import { requireName } from '../text/suggestion.ts';
import { buildProgram } from './command-line.ts';
import type { CommandIo, Call } from './command-row.ts';

/** Each has a script in `templates/completion`, whose head says how to have the command: an alias would not do in zsh. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function completionCommand({ args: [name = ''], io: { stdout } }: Call): void {
  stdout.write(readPackageFile(`templates/completion/wirecheck.${requireName('Unknown shell', name, SHELLS)}`));
}

/** A line for each word that could stand there, with its meaning after a tab; `:files` or `:folders` for names of those. */
export async function completeCommand({ words: line, io }: Call): Promise<void> {
  const { words, files = 'none' } = await completeLine(line, io);
  for (const { word, summary } of words) io.stdout.write(summary === undefined ? `${word}\n` : `${word}\t${summary}\n`);
  if (files !== 'none') io.stdout.write(`:${files}\n`);
}

interface Completed {
  readonly words: readonly { readonly word: string; readonly summary?: string }[];
  readonly files?: 'files' | 'folders' | 'none';
}

/** `line`: what follows `wirecheck`; the last word, which may be empty, is completed. */
export async function completeLine(line: readonly string[], io: CommandIo): Promise<Completed> {
  const program = buildProgram([...line.slice(0, 1), '--help', 'all'], io, async () => {});
  const word = line.at(-1) ?? '';
  const startingWith = (known: Completed): Completed => ({
    ...known,
    words: known.words.filter((each) => each.word.startsWith(word)),
  });
  const shown = program.createHelp().visibleCommands(program);
  if (line.length < 2) {
    const commands = shown.map((each) => ({ word: each.name(), summary: firstPart(each.description()) }));
    return startingWith({ words: [...commands, { word: '--help' }, { word: '--version' }] });
  }
  // The command of a client follows, which is not ours.
  if (line.slice(0, -1).includes('--')) return { words: [], files: 'files' };
  const [name = ''] = line;
  if (name === 'help') return startingWith({ words: shown.map((each) => ({ word: each.name() })) });
  const command = program.commands.find((each) => each.name() === name);
  if (!command) return { words: [] };
  const { flag, value, lead } = openFlag(line);
  const option = command.options.find(({ long, short }) => flag !== undefined && [long, short].includes(flag));
  if (option?.required) {
    const { words, files } = valuesOf(placeholderOf(option.flags), await namesFor(name, option.long ?? ''));
    const fitting = words.filter((each) => each.word.startsWith(value));
    return { words: fitting.map((each) => ({ ...each, word: `${lead}${each.word}` })), files };
  }
  // A part of `html=FILE`, which bash makes words of.
  if (line.at(-2) === '=' || word === '=') return { words: [], files: 'files' };
  if (word.startsWith('-')) {
    const flags = command.options.flatMap(({ long, short, description, hidden }) =>
      hidden ? [] : [long, short].flatMap((each) => (each ? { word: each, summary: firstPart(description) } : [])),
    );
    return startingWith({ words: [...flags, { word: '--help', summary: 'show this help' }, { word: '-h' }] });
  }
  const places = command.registeredArguments.map((each) => each.name()).join('|');
  return startingWith(valuesOf(places, await namesFor(name, 'argument')));
}

/** The flag whose value is typed. `lead`: what comes before the value in the last word. */
function openFlag(line: readonly string[]): { readonly flag?: string; readonly value: string; readonly lead: string } {
  const [before, last] = line.slice(-2);
  const word = last ?? '';
  const [, lead = '', flag, value = ''] = /^((--[^=]+)=)(.*)$/s.exec(word) ?? [];
  if (flag !== undefined) return { flag, value, lead };
  // bash has three words: the flag, the equals sign, and the value.
  if (word === '=' && before !== undefined) return { flag: before, value: '', lead: '' };
  const opened = before === '=' ? line.at(-3) : before;
  return { ...(opened !== undefined && { flag: opened }), value: word, lead: '' };
}

/** `FILE` of `--waivers <FILE>`. */
export function placeholderOf(flags: string): string {
  return /<(.*)>/.exec(flags)?.[1] ?? '';
}

function valuesOf(placeholder: string, names: readonly string[]): Required<Completed> {
  const isFile = /FILE|REPORT|RECORDING|OLD|NEW/.test(placeholder);
  return {
    words: names.map((word) => ({ word })),
    files: isFile ? 'files' : placeholder.includes('DIR') ? 'folders' : 'none',
  };
}

/** A menu has one short line for each: without remarks, and without what follows a semicolon. */
function firstPart(summary: string): string {
  return summary.replace(/[;:(].*$/s, '').trim();
}

type Names = () => Promise<readonly string[]>;

const profiles: Names = async () => (await import('../contract/profile/read-profile.ts')).builtInProfiles();
const clauses: Names = async () => (await import('../subjects/subjects.ts')).loadAllClauses().map(({ id }) => id);

/**
 * The names that a flag or an argument takes: by flag, or by command and flag where commands differ. Each loads only its
 * own table, since somebody waits for them.
 */
const NAMES: Readonly<Record<string, Names>> = {
  '--reporter': async () => FORMAT_NAMES,
  'render --reporter': async () => [...FORMAT_NAMES, ...(await import('./render.ts')).CONVERSION_NAMES],
  'compare --reporter': async () => (await import('../render/comparison/comparison.ts')).COMPARISON_FORMAT_NAMES,
  'board --reporter': async () => (await import('../render/board/board-html.ts')).BOARD_FORMAT_NAMES,
  'compare --fail-on': async () => (await import('../report/comparison/comparison.ts')).FAIL_ON,
  'board --fail-on': async () => (await import('./board.ts')).BOARD_FAIL_ON,
  '--profile': profiles,
  '--suite': async () => (await import('../suite/suite-names.ts')).BUILT_IN_SUITES,
  '--only': clauses,
  '--print-config': async () => (await import('./relay-configs.ts')).CONFIG_NAMES,
  '--ci': async () => (await import('./init.ts')).CIS,
  '--fault': async () => Object.keys((await import('../gateway/index.ts')).FAULTS),
  '--variant': async () => Object.keys((await import('../gateway/index.ts')).VARIANTS),
  'list argument': async () => (await import('./list.ts')).LIST_NAMES,
  'explain argument': async () => [...(await clauses()), ...(await profiles()), 'contract'],
  'waive argument': clauses,
  'schema argument': async () => (await import('../contract/published-schemas.ts')).schemaNames(),
  'completion argument': async () => SHELLS,
};

/** `flag`: such as `--suite`, or `argument`. None for a value that is free. */
async function namesFor(command: string, flag: string): Promise<readonly string[]> {
  return (await (NAMES[`${command} ${flag}`] ?? NAMES[flag])?.()) ?? [];
}
