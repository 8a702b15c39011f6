/** No output of a command may stand where one of its inputs does, nor where another output does: one would be lost. */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inert } from '../../text/inert.ts';
import { BUILT_IN_SUITES } from '../../suite/load-suites.ts';
import { UsageError } from '../../usage-error.ts';
import { CONFIG_FILE } from '../settings/config-file.ts';
import type { Told } from '../settings/read-settings.ts';
import type { SettingName } from '../settings/settings-table.ts';
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

/** The settings that name a file to read, and what the file is to the user. */
const READ: Partial<Record<SettingName, string>> = {
  'api-key-file': 'The key file',
  waivers: 'The waiver file',
  baseline: 'The baseline',
  'rerun-failed': 'The report',
  suite: 'The suite file',
  ca: 'The certificate authority',
  'client-cert': 'The client certificate',
  'client-key': 'The key of the client certificate',
  openapi: 'The OpenAPI description',
  config: 'The configuration file',
  'env-file': 'The file of variables',
};

/** Every file that the settings of a command name for reading. */
export function filesRead({ merged, config, cwd }: Pick<Told, 'merged' | 'cwd'> & Partial<Told>): readonly Input[] {
  const own = (name: SettingName, files: readonly string[]) =>
    files.filter((file) => !isElsewhere(file)).map((file) => inputOf(`${READ[name]} ${inert(file, 300)}`, file, cwd));
  const named = (Object.keys(READ) as SettingName[]).map((name) => {
    const value: unknown = merged.get(name);
    const files = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
    // What is left to ask again is what the next `--rerun-failed` looks for, so the loop may write over itself.
    if (name === 'rerun-failed') return own(name, files).map((each) => ({ ...each, renewedBy: 'the json report' }));
    return own(name, files);
  });
  const found = config?.file === CONFIG_FILE ? own('config', [CONFIG_FILE]) : [];
  return [...named.flat(), ...found];
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
