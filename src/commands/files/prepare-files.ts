/** What every command does with its files before anything is sent or written. */
import { type Excuses, readBaseline } from '../../report/excuses/apply-excuses.ts';
import { type Inputs, chooseProfile } from '../settings/read-settings.ts';
import { type Outputs, KEPT_FOLDER, REPORT_FILE } from './outputs.ts';
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inert } from '../../text/layout.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import { BUILT_IN_SUITES } from '../../suite/suite-names.ts';
import { usageError } from '../../usage-error.ts';
import { CONFIG_FILE } from '../settings/config-file.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '../../settings/setting-names.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { Profile } from '../../contract/profile/profile.ts';
import { type KnownNames, readWaivers, type Waivers } from '../../report/excuses/waivers.ts';
import { loadAllClauses, loadExploreCases, loadOtherCases, type SubjectName } from '../../subjects/subjects.ts';
import { loadOlderReport, readTextFile, requireWritable } from './user-files.ts';

/** The inputs; less of commands that read neither variables nor the config file. */
type GivenInputs = Pick<Inputs, 'merged' | 'io'> & Partial<Inputs>;

interface Prepared {
  readonly inputs: GivenInputs;
  /** One for each target. */
  readonly outputs: readonly Outputs[];
  /** Flags that choose other files for the reports. */
  readonly flags?: string;
  /** Files that are also read, and files that are also written. */
  readonly alsoRead?: readonly Input[];
  readonly alsoWritten?: readonly Output[];
  /** What excuses are read for; without it, none are. */
  readonly excusable?: Excusable;
}

/** Nothing is overwritten by mistake, excuses are read, and every file can be written. Then notices are shown. */
export function prepareFiles(prepared: Prepared): Excuses {
  const { inputs, outputs, flags = '--out or --reporter' } = prepared;
  const { alsoRead = [], alsoWritten = [], excusable } = prepared;
  const written = [...outputs.flatMap((own) => reportsOf(own, flags)), ...alsoWritten];
  refuseOverwrites([...filesRead(inputs), ...alsoRead], written);
  const excuses = excusable ? readExcuses(inputs, excusable) : {};
  // Before the first request, so that no tokens are spent on a report that cannot be written. With many folders, one file
  // of each: what can be written there shows for all of them.
  const files = outputs.flatMap((own) => (outputs.length > 1 ? own.files.slice(0, 1) : own.files));
  for (const { path } of files) requireWritable(path, 'choose another place with --out or --reporter.');
  for (const notice of inputs.notices ?? []) inputs.io.stderr.write(`${notice}\n`);
  return excuses;
}

export interface Input {
  /** Such as `The baseline old.json`. */
  readonly name: string;
  readonly path: string;
}

export interface Output {
  /** Such as `the html report`. */
  readonly name: string;
  readonly path: string;
  /** The flags that choose another file. */
  readonly flags: string;
}

/** Called before anything is sent or written. `--force` does not help: it is meant for an older output. */
export function refuseOverwrites(inputs: readonly Input[], outputs: readonly Output[]): void {
  for (const [index, output] of outputs.entries()) {
    const overwritten = inputs.find((input) => isSameFile(input.path, output.path));
    if (overwritten) {
      throw usageError.CONFLICT(
        `${overwritten.name} would be overwritten by ${output.name}: choose another file with ${output.flags}.`,
      );
    }
    const twin = outputs.slice(0, index).find((other) => isSameFile(other.path, output.path));
    if (twin) {
      const names = twin.name === output.name ? `${output.name} twice` : `${twin.name} and ${output.name}`;
      throw usageError.CONFLICT(
        `${inert(output.path, 300)} would hold ${names}: choose another file for one of them with ${output.flags}.`,
      );
    }
  }
}

function reportsOf({ files }: Outputs, flags: string): readonly Output[] {
  return files.flatMap(({ format, path }) => {
    // A run also writes to the folder of the report that it keeps, or empties it.
    const kept = basename(path) === REPORT_FILE ? [join(dirname(path), KEPT_FOLDER, REPORT_FILE)] : [];
    return [path, ...kept].map((each) => ({ name: `the ${format} report`, path: each, flags }));
  });
}

/** Every file that the settings of a command name for reading. */
export function filesRead({ merged, config, io: { cwd } }: GivenInputs): readonly Input[] {
  const named = SETTING_NAMES.flatMap((name) => {
    const files = [merged.get(name)].flat().filter((file) => typeof file === 'string');
    return inputsOf(name, files, cwd);
  });
  const found = config?.file === CONFIG_FILE ? inputsOf('config', [CONFIG_FILE], cwd) : [];
  return [...named, ...found];
}

function inputsOf(name: SettingName, files: readonly string[], cwd: string): readonly Input[] {
  const { reads } = settingOf(name);
  if (reads === undefined) return [];
  return files.filter((file) => !isNotFile(file)).map((file) => inputOf(`The ${reads} ${inert(file, 300)}`, file, cwd));
}

export function inputOf(name: string, file: string, cwd: string): Input {
  return { name, path: resolve(cwd, file) };
}

/** Whether it is a built-in suite or an address. */
function isNotFile(name: string): boolean {
  return /^https?:\/\//i.test(name) || BUILT_IN_SUITES.some((builtIn) => builtIn === name);
}

/** Whether both paths lead to one file, also through links. Devices and pipes hold nothing that could be lost. */
function isSameFile(file: string, other: string): boolean {
  const [a, b] = [statOf(file), statOf(other)];
  if (a && b) return a.isFile() && a.dev === b.dev && a.ino === b.ino;
  return a === b && realPathOf(file) === realPathOf(other);
}

/** A file without stats cannot be read or written either, which is reported elsewhere. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** The real path of a file whose folders may not exist yet. */
function realPathOf(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  return join(statOf(folder) ? realpathSync(folder) : realPathOf(folder), basename(path));
}

/** What excuses are read for. */
export interface Excusable {
  /** Whose cases they are; undefined if that shows later, in a recording. */
  readonly subject: SubjectName | undefined;
  /** Files with cases that waivers may name. */
  readonly suites: readonly string[];
}

export function readExcuses(
  { merged, io: { cwd } }: Pick<Inputs, 'merged' | 'io'>,
  { subject, suites }: Excusable,
): Excuses {
  const waivers = merged.get('waivers');
  const baseline = merged.get('baseline');
  const failOnUnusedWaivers = merged.get('fail-on-unused-waivers') ?? false;
  if (failOnUnusedWaivers && waivers === undefined)
    throw usageError.CONFLICT('--fail-on-unused-waivers needs a waiver file: add --waivers FILE.');
  return {
    ...(waivers !== undefined && {
      waivers: loadWaivers(waivers, cwd, { suites, profile: chooseProfile(merged, cwd) }),
      failOnUnusedWaivers,
    }),
    ...(baseline !== undefined && {
      baseline: readBaseline(loadOlderReport('--baseline', baseline, cwd, subject), baseline),
    }),
  };
}

export function loadWaivers(file: string, cwd: string, chosen: ChosenCases = {}): Waivers {
  return readWaivers(readTextFile('the waiver file', file, cwd), file, knownCases(chosen));
}

export interface ChosenCases {
  readonly suites?: readonly string[];
  readonly profile?: Profile | undefined;
}

/** The cases a waiver may name, on every side: the built-in ones, selected or not, and those of the given suites. */
export function knownCases({ suites = [], profile }: ChosenCases): KnownNames {
  const contract = contractOf({ levels: {}, suites, ...(profile && { profile }) });
  const own = suites.filter((name) => !BUILT_IN_SUITES.some((builtIn) => builtIn === name));
  const given = own.length === 0 ? [] : loadSuites([...BUILT_IN_SUITES, ...own], contract);
  const cases = [...loadSuites([], contract), ...given].flatMap((suite) => suite.cases);
  const clauses = [...loadAllClauses(), ...contract.clauses];
  return { contract: { clauses }, cases: [...cases, ...loadOtherCases(), ...loadExploreCases()] };
}
