/** No output of a command may stand where one of its inputs does, nor where another output does: one would be lost. */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inert } from '../../text/inert.ts';
import { BUILT_IN_SUITES } from '../../suite/load-suites.ts';
import { UsageError } from '../../usage-error.ts';
import { CONFIG_FILE } from '../settings/config-file.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '../../settings/setting-names.ts';
import type { Outputs } from './outputs.ts';

/** A file that is read. */
export interface Input {
  /** In the words of the user, such as `The baseline old.json`. */
  readonly name: string;
  readonly path: string;
  /** An output that may take its place, since it holds the same again. */
  readonly renewedBy?: Output['name'];
}

/** A file that is to be written. */
export interface Output {
  /** Such as `the html report`. */
  readonly name: string;
  readonly path: string;
  /** The flags by which another place is chosen. */
  readonly flags: string;
}

/** Before anything is sent or written. `--force` does not help: whoever gives it means an older output. */
export function keepInputs(inputs: readonly Input[], outputs: readonly Output[]): void {
  for (const [index, output] of outputs.entries()) {
    const lost = inputs.find((input) => input.renewedBy !== output.name && isSame(input.path, output.path));
    if (lost) {
      throw new UsageError(
        `${lost.name} would be overwritten by ${output.name}: copy it elsewhere, or choose another place with ${output.flags}.`,
      );
    }
    const twin = outputs.slice(0, index).find((other) => isSame(other.path, output.path));
    if (twin) {
      const names = twin.name === output.name ? `${output.name} twice` : `${twin.name} and ${output.name}`;
      throw new UsageError(
        `${inert(output.path, 300)} would hold ${names}: choose another place for one of them with ${output.flags}.`,
      );
    }
  }
}

export function reportsOf({ files }: Outputs, flags: string): readonly Output[] {
  return files.map(({ format, path }) => ({ name: `the ${format} report`, path, flags }));
}

/** Every file that the settings of a command name for reading. */
export function filesRead({ merged, config, cwd }: Pick<Inputs, 'merged' | 'cwd'> & Partial<Inputs>): readonly Input[] {
  const named = SETTING_NAMES.flatMap((name) => {
    const files = [merged.get(name)].flat().filter((file) => typeof file === 'string');
    const own = inputsOf(name, files, cwd);
    // A rerun leaves the cases that failed again, which the next `--rerun-failed` looks for.
    return name === 'rerun-failed' ? own.map((each) => ({ ...each, renewedBy: 'the json report' })) : own;
  });
  const found = config?.file === CONFIG_FILE ? inputsOf('config', [CONFIG_FILE], cwd) : [];
  return [...named, ...found];
}

function inputsOf(name: SettingName, files: readonly string[], cwd: string): readonly Input[] {
  const { reads } = settingOf(name);
  if (reads === undefined) return [];
  return files
    .filter((file) => !isElsewhere(file))
    .map((file) => inputOf(`The ${reads} ${inert(file, 300)}`, file, cwd));
}

export function inputOf(name: string, file: string, cwd: string): Input {
  return { name, path: resolve(cwd, file) };
}

/** Built into the package, or at an address. */
function isElsewhere(name: string): boolean {
  return /^https?:\/\//i.test(name) || BUILT_IN_SUITES.some((builtIn) => builtIn === name);
}

/** Whether both names lead to one file, through whatever links. Devices and pipes hold nothing that could be lost. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [look(one), look(other)];
  if (a && b) return a.isFile() && a.dev === b.dev && a.ino === b.ino;
  return a === b && placeToBe(one) === placeToBe(other);
}

/** What cannot be looked at cannot be read or written either, which is said elsewhere. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** The place that a file will have whose folder is there only in part. */
function placeToBe(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  return join(look(folder) ? realpathSync(folder) : placeToBe(folder), basename(path));
}
