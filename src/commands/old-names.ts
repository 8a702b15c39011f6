/** Names and forms of 0.x that work until 1.0. Help does not show them, and each says on stderr what takes its place. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { usageError } from '../usage-error.ts';
import type { CommandIo } from './command-row.ts';

/** What is called in its place, with the arguments that follow the old name. */
type Successor = (args: readonly string[], cwd: string) => { readonly shown: string; readonly args: readonly string[] };

const OLD_NAMES: Readonly<Record<string, Successor>> = {
  contract: (args) => ({ shown: 'explain contract', args: ['explain', 'contract', ...args] }),
  editions: (args) => ({ shown: 'list editions', args: ['list', 'editions', ...args] }),
  profile(args) {
    const { suggest, ...read } = valuesOf(args);
    if (suggest !== undefined) {
      if (read.name !== undefined)
        throw usageError.CONFLICT('--suggest drafts a new profile: remove the name of the other one.');
      return { shown: 'render REPORT --reporter profile', args: ['render', suggest, '--reporter', 'profile'] };
    }
    const isList = read.name === undefined && !args.some((each) => ['-h', '--help'].includes(each));
    return isList
      ? { shown: 'list profiles', args: ['list', 'profiles', ...args] }
      : { shown: 'explain PROFILE', args: ['explain', ...args] };
  },
  export(args, cwd) {
    const { name, har, force } = valuesOf(args);
    const shown = 'render RECORDING --reporter har';
    if (name === undefined) return { shown, args: ['render', ...args] };
    if (har === undefined) throw usageError.VALUE_MISSING('--har is missing: give --har FILE, or --har - for stdout.');
    if (har === '-') return { shown, args: ['render', name, '--reporter', 'har'] };
    if (!force && existsSync(resolve(cwd, har)))
      throw usageError.FILE_EXISTS(`${har} already exists: choose another file, or add --force.`);
    return { shown, args: ['render', name, '--reporter', `har=${har}`] };
  },
};

function valuesOf(args: readonly string[]) {
  const options = { suggest: { type: 'string' }, har: { type: 'string' }, force: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { suggest: text(values.suggest), har: text(values.har), force: values.force === true, name: positionals[0] };
}

/** The arguments as they are written now, which stderr is told; the same if the name is not old. */
export function withoutOldName(args: readonly string[], { cwd, stderr }: CommandIo): readonly string[] {
  const [old = '', ...rest] = args;
  if (!Object.hasOwn(OLD_NAMES, old)) return args;
  const successor = OLD_NAMES[old]?.(rest, cwd);
  if (!successor) return args;
  stderr.write(`\`wirecheck ${old}\` works until 1.0: use \`wirecheck ${successor.shown}\`.\n`);
  return successor.args;
}
