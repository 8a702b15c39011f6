/** Reads `--targets FILE`, and prepares every chosen target before anything is sent. */
import type { Level } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import { isObject, memberOf } from '../../json.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { checkAddress, checkTransport } from '../../run/check-address.ts';
import type { Keys, Settings } from '../../settings.ts';
import { CHANGED_LEVELS } from '../../settings/settings-without-flag.ts';
import { Mistakes } from '../../mistakes.ts';
import { toFileNames } from '../../text/file-name.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { readSelected } from '../choose-cases.ts';
import { readTextFile } from '../files/read-text.ts';
import type { CommandIo } from '../command-io.ts';
import { RUN_SETTINGS, SETTINGS_WITHOUT_SECRETS } from '../settings/command-settings.ts';
import { fillIn, levelsOf } from '../settings/config-file.ts';
import type { Flags } from '../settings/merge-settings.ts';
import { readExcuses } from '../settings/read-excuses.ts';
import { requireKeys } from '../settings/read-keys.ts';
import { type Inputs, readInputs } from '../settings/read-settings.ts';
import type { TargetEntry, TargetsFile } from './targets-file.ts';

/** A target as the file has it: which variables are set does not matter yet. */
export interface ListedTarget {
  readonly name: string;
  /** Of its folder, unlike that of every other target in the file. */
  readonly folder: string;
  readonly entry: TargetEntry;
  /** In the list. */
  readonly index: number;
  readonly document: YamlDocument;
}

/** With its settings, which need no key yet. */
export interface SettledTarget {
  readonly name: string;
  readonly folder: string;
  readonly inputs: Inputs;
  readonly settings: Settings;
}

export interface Target extends SettledTarget {
  readonly keys: Keys;
  readonly excuses: Excuses;
}

export function loadTargets(file: string, cwd: string): readonly ListedTarget[] {
  const document = parseYaml(readTextFile('the targets file', file, cwd), file);
  const mistakes = new Mistakes();
  mistakes.attempt(() => refuseKeys(document));
  mistakes.attempt(() => checkFile('targets', document));
  refuseTwins(document, mistakes);
  mistakes.throwAny();
  const { targets } = document.value as TargetsFile;
  const names = targets.map(({ name }) => name.trim());
  const folders = toFileNames(names, 'target');
  return targets.map((entry, index) => {
    const name = names[index] ?? entry.name;
    return { name, folder: folders[index] ?? name, entry, index, document };
  });
}

function refuseTwins(document: YamlDocument, mistakes: Mistakes): void {
  const targets = memberOf(document.value, 'targets');
  const names = (Array.isArray(targets) ? targets : []).map((target: unknown) => memberOf(target, 'name'));
  const written = names.map((name) => (typeof name === 'string' ? name.trim() : ''));
  for (const [index, name] of written.entries()) {
    if (name === '' || written.indexOf(name) === index) continue;
    const at = { file: document.file, line: document.lineOf(['targets', index, 'name']) };
    mistakes.attempt(() => {
      throw new UsageError(`the name ${inert(name, 100)} is already used. Choose another.`, at);
    });
  }
}

/** Runs before the schema does, whose message would not say where a key belongs. */
function refuseKeys(document: YamlDocument): void {
  const targets = memberOf(document.value, 'targets');
  if (!Array.isArray(targets)) return;
  for (const [index, target] of targets.entries()) {
    const key = isObject(target) ? Object.keys(target).find((name) => /^api[-_]?key$/i.test(name)) : undefined;
    if (key === undefined) continue;
    throw new UsageError(
      `${key} must be left out of a file that is shared: name the variable that holds it, as apiKeyEnv.`,
      { file: document.file, line: document.lineOf(['targets', index, key]) },
    );
  }
}

export function prepareTargets(listed: readonly ListedTarget[], flags: Flags, io: CommandIo): readonly Target[] {
  return prepareEach(listed, (target) => prepareTarget(target, flags, io));
}

/** For a plan: secrets may be missing on this machine. */
export function settleTargets(listed: readonly ListedTarget[], flags: Flags, io: CommandIo): readonly SettledTarget[] {
  return prepareEach(listed, (target) => settleTarget(target, false, flags, io));
}

/** All mistakes at once: a fleet is not set up one variable at a time. */
function prepareEach<Prepared>(
  listed: readonly ListedTarget[],
  prepare: (target: ListedTarget) => Prepared,
): readonly Prepared[] {
  const mistakes = new Mistakes();
  const targets = listed.flatMap((target) => mistakes.attempt(() => atItsPlace(target, prepare)) ?? []);
  mistakes.throwAny();
  return targets;
}

/** A mistake without a place of its own is that of the target. */
function atItsPlace<Prepared>(target: ListedTarget, prepare: (target: ListedTarget) => Prepared): Prepared {
  try {
    return prepare(target);
  } catch (error) {
    if (!(error instanceof UsageError) || error.at !== undefined) throw error;
    throw new UsageError(error.message, placeOf(target));
  }
}

function prepareTarget(target: ListedTarget, flags: Flags, io: CommandIo): Target {
  const settled = settleTarget(target, true, flags, io);
  const { inputs, settings } = settled;
  // An extra key belongs to one gateway, and must not be sent to the others.
  const { full } = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  const keys = full === undefined ? {} : { full };
  const excuses = readExcuses(inputs, { subject: 'gateway', suites: settings.suites });
  return { ...settled, keys, excuses };
}

function settleTarget(target: ListedTarget, needsSecrets: boolean, flags: Flags, io: CommandIo): SettledTarget {
  const names = needsSecrets ? RUN_SETTINGS : SETTINGS_WITHOUT_SECRETS;
  const { name, folder, index, document } = target;
  const own = readInputs(names, flags, io);
  const mistakes = new Mistakes();
  const filled = Object.entries(target.entry).map(
    ([key, member]) =>
      [key, mistakes.attempt(() => fillIn(member, ['targets', index, key], document, own.env))] as const,
  );
  const entry = Object.fromEntries(filled.filter(([, member]) => member !== undefined)) as unknown as TargetEntry;
  const baseUrl = checkedAddress(target, entry, mistakes);
  if (needsSecrets) mistakes.attempt(() => requireVariable(entry.apiKeyEnv, own.env, placeOf(target, 'apiKeyEnv')));
  mistakes.throwAny();
  const merged = readInputs(names, { ...flags, ...flagsFor(entry) }, io);
  const inputs = withLevels(merged, entry.levels ?? {}, target);
  const settings = readSelected(inputs, baseUrl);
  checkTransport(baseUrl, settings.allowHttp);
  return { name, folder, inputs, settings };
}

/** Empty if it has a mistake. */
function checkedAddress(target: ListedTarget, { baseUrl }: Partial<TargetEntry>, mistakes: Mistakes): string {
  if (baseUrl === undefined) return '';
  const at = placeOf(target, 'baseUrl');
  return mistakes.attempt(() => checkAddress({ text: baseUrl, name: 'baseUrl', at })) ?? '';
}

function placeOf({ document, index }: ListedTarget, ...path: readonly string[]) {
  return { file: document.file, line: document.lineOf(['targets', index, ...path]) };
}

/** The most specific source: what a target has for itself overrides everything else. */
function flagsFor({ apiKeyEnv, model, strict, waivers, profile, headers, headersFromEnv }: TargetEntry): Flags {
  return {
    ...(apiKeyEnv !== undefined && { 'api-key-env': apiKeyEnv, 'api-key-file': 'none' }),
    ...(model !== undefined && { model }),
    ...(strict !== undefined && { strict: String(strict) }),
    ...(waivers !== undefined && { waivers }),
    ...(profile !== undefined && { profile }),
    ...(headers && { header: joinEntries(headers, ': ') }),
    ...(headersFromEnv && { 'header-env': joinEntries(headersFromEnv, '=') }),
  };
}

function joinEntries(map: Readonly<Record<string, string>>, joint: string): readonly string[] {
  return Object.entries(map).map(([name, value]) => `${name}${joint}${value}`);
}

function withLevels(inputs: Inputs, levels: Readonly<Record<string, Level>>, target: ListedTarget): Inputs {
  if (Object.keys(levels).length === 0) return inputs;
  const { inFile } = CHANGED_LEVELS;
  const config = {
    file: target.document.file,
    values: { ...inputs.config?.values, [inFile]: { ...levelsOf(inputs.config), ...levels } },
    lineOf: (...path: readonly (string | number)[]) => target.document.lineOf(['targets', target.index, ...path]),
  };
  return { ...inputs, config };
}

/** A name in another spelling may be the key, given in the place of its variable. */
const USUAL_NAME = /^[A-Z_][A-Z0-9_]{0,60}$/;

function requireVariable(
  name: string | undefined,
  env: Inputs['env'],
  at: { readonly file: string; readonly line: number },
): void {
  if (name === undefined) return;
  const value = env[name];
  if (value !== undefined && value.trim() !== '') return;
  const shown = USUAL_NAME.test(name) ? `the variable ${name}` : 'the variable that apiKeyEnv names';
  throw new UsageError(`${shown} is ${value === undefined ? 'not set' : 'empty'}: set it to the key.`, {
    ...at,
    code: 'KEY_MISSING',
  });
}
