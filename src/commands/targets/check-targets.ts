/** `wirecheck run --targets FILE`: several gateways side by side, and a folder with a report on each. */
import type { Level } from '../../contract/contract.ts';
import { COMMAND } from '../../contract/package-files.ts';
import { type FilePlace, placeOf as placeIn } from '../../contract/yaml/yaml-document.ts';
import type { Progress } from '../../exchange/channel/hooks.ts';
import { Budget } from '../../exchange/channel/ledger.ts';
import { type Redaction, type Redactor, createRedactor } from '../../exchange/secrets/redaction.ts';
import { type Scanner, createScanner, unmistakable } from '../../exchange/secrets/scanner.ts';
import { collectSecrets, givenSecrets } from '../../exchange/secrets/secrets.ts';
import { withoutUndefined } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { checkAddress, checkTransport } from '../../run/check-address.ts';
import { inOrderOfHash } from '../../random.ts';
import { plan, run } from '../../run/run.ts';
import type { Keys, Settings } from '../../settings.ts';
import { CHANGED_LEVELS, KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import { advanceByRequests } from '../check-subject.ts';
import { readSelected } from '../choose-cases.ts';
import type { Call } from '../command-row.ts';
import { filesRead, readExcuses } from '../files/prepare-files.ts';
import { refuseOpenSecrets } from '../files/secret-guard.ts';
import type { PlanLimits } from '../plan-text.ts';
import { RUN_SETTINGS, SETTINGS_WITHOUT_SECRETS } from '../settings/command-settings.ts';
import { type ConfigFile, fillInEach, levelsOf, soundMembers } from '../settings/config-file.ts';
import type { Flags } from '../settings/merge-settings.ts';
import { type Inputs, isVariable, locateSuites, readInputs, requireKeys } from '../settings/read-settings.ts';
import { checkFleet, refuseForOne } from './check-fleet.ts';
import { type ListedTarget, type TargetEntry, type TargetsList, readTargets } from './read-targets.ts';

/** The plan does not depend on it. */
const ANY_ADDRESS = 'https://gateway.example/v1';

const WORDS = { target: 'target', unit: 'request', flag: '--targets' };

export async function checkTargets(file: string, flags: Flags, inputs: Inputs): Promise<number> {
  const chosen = chooseTargets(file, inputs);
  if (chosen.targets.length === 0) return 0;
  const targets = prepareTargets(chosen, { flags, io: inputs.io });
  const scanner = scannerOf(targets);
  for (const { settings } of targets) refuseOpenSecrets(scanner, settings);
  // Counts over all targets. The usual time limit is that of one target; one that the user gave is for the whole.
  const time = inputs.merged.origin('max-time') === undefined ? undefined : inputs.merged.get('max-time');
  const budget = new Budget(limitsOf(inputs), time === undefined ? undefined : AbortSignal.timeout(time));
  // Finds the secrets of all targets in the answers of one.
  const redactor = redactorOf(targets);
  return checkFleet({
    inputs: { ...inputs, notices: [...inputs.notices, ...extraKeyNotices(inputs)] },
    targets,
    words: WORDS,
    alsoRead: targets.flatMap((target) => filesRead(target.inputs)),
    scanner,
    hostOf: ({ settings }) => new URL(settings.baseUrl).origin,
    async check({ name, settings, keys, excuses }, { onAdvance, ...hooks }) {
      const others = countFinds(redactor);
      const onProgress = (progress: Progress): void => onAdvance(advanceByRequests(progress));
      const report = await run(settings, keys, { ...hooks, excuses, budget, others, onProgress });
      const notices = others.finds > 0 ? [...report.notices, { kind: 'other-key' } as const] : report.notices;
      return { ...report, target: { name, ...report.target }, notices };
    },
    finish(missing) {
      const which = missing === 0 ? 'target' : 'started target';
      const out = inputs.merged.get('out');
      inputs.io.stderr.write(
        `Wrote one folder per ${which} to ${out}. To see them on one page: ${COMMAND} board ${out}\n`,
      );
    },
  });
}

/** The targets of the shard, if there is one. If it has none, that is said. */
export function chooseTargets(file: string, inputs: Inputs): TargetsList {
  const { io } = inputs;
  refuseForOne(inputs, ['reporter', 'record', 'rerun-failed', 'last-failed', 'baseline'], WORDS);
  const { targets: listed, mistakes } = readTargets(file, io.cwd);
  const shard = inputs.merged.get('shard');
  const targets = shard === undefined ? listed : chooseShard(listed, shard);
  if (targets.length === 0) {
    mistakes.throwAny();
    io.stdout.write(`Shard ${shard} has no targets: ${file} lists ${listed.length}. Nothing was sent.\n`);
    return { targets, mistakes };
  }
  // Mistakes that are not in the targets file are reported once, not for each target.
  plan(readSelected(inputs, ANY_ADDRESS));
  return { targets, mistakes };
}

function extraKeyNotices({ env }: Inputs): readonly string[] {
  const { full: _full, second: _second, ...extra } = KEY_VARIABLES;
  return Object.values(extra)
    .filter((variable) => (env[variable] ?? '').trim() !== '')
    .map((variable) => `Ignored ${variable}: with --targets, extra keys are not used.`);
}

export function limitsOf({ merged }: Inputs): PlanLimits {
  return withoutUndefined({ maxRequests: merged.get('max-requests'), maxCompletions: merged.get('max-completions') });
}

/** Finds the secrets of all targets in what is written in the end. */
function scannerOf(targets: readonly Target[]): Scanner {
  const [first, ...others] = targets;
  if (!first) throw new Error('a fleet without targets');
  const secrets = others.flatMap(({ settings, keys }) => collectSecrets(settings, keys).secrets);
  const addresses = others.map(({ settings }) => settings.baseUrl);
  return createScanner(first.settings, first.keys, secrets, addresses);
}

/** A target's own key is redacted before, so what is found here belongs to another. */
function redactorOf(targets: readonly Target[]): Redactor {
  const given = targets.flatMap(({ settings, keys }) => givenSecrets(settings, keys));
  const distinct = new Map(given.map((secret) => [secret.text, secret]));
  return createRedactor([...distinct.values()].flatMap(unmistakable));
}

/** The redactor, with the number of texts in which it found something. */
function countFinds(redactor: Redactor): Redactor & { readonly finds: number } {
  let finds = 0;
  const count = <Of>(redaction: Redaction<Of>): Redaction<Of> => {
    if (redaction.seen.length > 0) finds += 1;
    return redaction;
  };
  return {
    text: (text) => count(redactor.text(text)),
    body: (bytes) => count(redactor.body(bytes)),
    get finds() {
      return finds;
    },
  };
}

/** `shard`: as the setting allows it, `2/4`. The first is 1. */
export function chooseShard<Of extends { readonly name: string }>(
  targets: readonly Of[],
  shard: string,
): readonly Of[] {
  const [index = 1, parts = 1] = shard.split('/').map(Number);
  const names = targets.map(({ name }) => name);
  const shards = shardsByName(names, parts);
  return targets.filter(({ name }) => shards.get(name) === index);
}

/**
 * Every target belongs to exactly one shard, no two shards differ by more than one target, and the choice depends on nothing
 * but the names: machines that know the same file agree, and another target moves few.
 *
 * Rendezvous hashing with places: a target goes to the shard it ranks highest of those that still have one.
 */
function shardsByName(names: readonly string[], parts: number): ReadonlyMap<string, number> {
  const fewest = Math.floor(names.length / parts);
  let extras = names.length % parts;
  const sizes = Array.from({ length: parts }, () => 0);
  const chosen = new Map<string, number>();
  for (const name of inOrderOfHash(names, (each) => each)) {
    const ranked = inOrderOfHash([...sizes.entries()], ([at]) => `${at + 1} ${name}`);
    const free = ranked.find(([, size]) => size < fewest || (size === fewest && extras > 0));
    if (!free) throw new Error(`no shard has a place for ${name}`);
    const [at, size] = free;
    if (size === fewest) extras -= 1;
    sizes[at] = size + 1;
    chosen.set(name, at + 1);
  }
  return chosen;
}

// Every chosen target is prepared before anything is sent.

/** A target with its settings, which need no key yet. */
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

type Given = Pick<Call, 'flags' | 'io'>;

function prepareTargets(listed: TargetsList, given: Given): readonly Target[] {
  return prepareEach(listed, (target, mistakes) => {
    const { inputs, settings } = settleTarget(target, true, given, mistakes);
    const excuses = inputs && readTargetExcuses(target, inputs, settings, mistakes);
    const keys = inputs && mistakes.attempt(() => atItsPlace(target, () => requireKeys(inputs)));
    if (!inputs || !settings || !excuses || !keys) return undefined;
    const { name, folder } = target;
    // An extra key belongs to one gateway, and must not be sent to the others.
    return { name, folder, inputs, settings, keys: withoutUndefined({ full: keys.full }), excuses };
  });
}

/** Prepares targets for a plan: secrets may be missing on this machine. */
export function settleTargets(listed: TargetsList, given: Given): readonly SettledTarget[] {
  return prepareEach(listed, (target, mistakes) => {
    const { inputs, settings } = settleTarget(target, false, given, mistakes);
    const { name, folder } = target;
    return inputs && settings && { name, folder, inputs, settings };
  });
}

/** All mistakes at once: a fleet is not set up one variable at a time. */
function prepareEach<Prepared>(
  { targets: listed, mistakes }: TargetsList,
  prepare: (target: ListedTarget, mistakes: Mistakes) => Prepared | undefined,
): readonly Prepared[] {
  const prepareOne = (target: ListedTarget): Prepared | undefined => {
    const own = new Mistakes();
    const prepared = prepare(target, own);
    own.throwAny();
    return prepared;
  };
  const targets = listed.flatMap((target) => mistakes.attempt(() => prepareOne(target)) ?? []);
  mistakes.throwAny();
  return targets;
}

/** A mistake without a place of its own is that of the target, or of its key. */
function atItsPlace<Value>(target: ListedTarget, read: () => Value, ...key: readonly string[]): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError) || error.at !== undefined) throw error;
    throw new UsageError(error.message, { ...placeOf(target, ...key), code: error.kind });
  }
}

/** Reads excuses also if there are no settings: mistakes in a waiver file are told with those of the target that names it. */
function readTargetExcuses(
  target: ListedTarget,
  inputs: Inputs,
  settings: Settings | undefined,
  mistakes: Mistakes,
): Excuses | undefined {
  const { merged, io } = inputs;
  const suites = settings?.suites ?? locateSuites(merged.get('suite') ?? [], io.cwd);
  try {
    return readExcuses(inputs, { subject: 'gateway', suites });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, at, kind } = error;
    if (target.entry.waivers !== undefined && at?.startsWith(`${merged.get('waivers') ?? ''}:`)) {
      const whose = target.name === '' ? '' : `target ${target.name}: `;
      const place = { ...placeOf(target, 'waivers'), code: kind };
      for (const line of message.split('\n')) mistakes.note(new UsageError(`${whose}${line}`, place));
    } else if (settings)
      mistakes.add(at === undefined ? new UsageError(message, { ...placeOf(target), code: kind }) : error);
    // Without settings, the other mistakes have been found with them.
    return undefined;
  }
}

/** `given`: the flags and the process of the command. Without `needsSecrets`, secrets may be missing on this machine. */
function settleTarget(target: ListedTarget, needsSecrets: boolean, { flags, io }: Given, mistakes: Mistakes) {
  const names = needsSecrets ? RUN_SETTINGS : SETTINGS_WITHOUT_SECRETS;
  const { index, document, isSound } = target;
  const { env } = readInputs(names, flags, io);
  const sound = soundMembers(target.entry, ['targets', index], isSound);
  const filling = { document, env, mistakes };
  const entry = fillInEach(sound, ['targets', index], filling) as Partial<TargetEntry>;
  const { baseUrl: text } = entry;
  const at = placeOf(target, 'baseUrl');
  // Empty if it has a mistake.
  const baseUrl = (text !== undefined && mistakes.attempt(() => checkAddress({ text, name: 'baseUrl', at }))) || '';
  if (needsSecrets) mistakes.attempt(() => requireVariable(entry.apiKeyEnv, env, placeOf(target, 'apiKeyEnv')));
  const attempt = <Value>(read: () => Value, ...key: readonly string[]): Value | undefined =>
    mistakes.attempt(() => atItsPlace(target, read, ...key));
  const own = asConfig(target, entry);
  const inputs = attempt(() => withLevels(readInputs(names, flags, io, own), entry.levels ?? {}, own.placeOf));
  const settings = inputs && attempt(() => readSelected(inputs, baseUrl));
  if (settings && baseUrl !== '') attempt(() => checkTransport(baseUrl, settings.allowHttp), 'baseUrl');
  return { inputs, settings };
}

function placeOf({ document, index }: ListedTarget, ...path: Path): FilePlace {
  return placeIn(document, 'targets', index, ...path);
}

/** Its keys for settings are those of the config file. */
function asConfig(target: ListedTarget, entry: Partial<TargetEntry>): ConfigFile {
  return {
    file: target.document.file,
    values: entry,
    placeOf: (...path) => placeOf(target, ...path),
    mistakes: new Mistakes(),
  };
}

function requireVariable(name: string | undefined, env: Inputs['env'], at: FilePlace): void {
  if (name === undefined) return;
  const value = env[name];
  if (value !== undefined && value.trim() !== '') return;
  const shown = isVariable(name) ? `the variable ${name}` : 'the variable that apiKeyEnv names';
  throw usageError.KEY_MISSING(`${shown} is ${value === undefined ? 'not set' : 'empty'}: set it to the key.`, at);
}

type Path = readonly (string | number)[];

/** `placeOf`: of a part of the target in the targets file. */
function withLevels(inputs: Inputs, levels: Readonly<Record<string, Level>>, placeOf: ConfigFile['placeOf']): Inputs {
  if (Object.keys(levels).length === 0) return inputs;
  const { inFile } = CHANGED_LEVELS;
  const { config: own } = inputs;
  // A level that only the config file changes has its place there.
  const isOwn = (key: string, path: Path): boolean => key !== inFile || path.some((id) => !Object.hasOwn(levels, id));
  const config: Inputs['config'] = {
    file: own?.file ?? placeOf(inFile).file,
    values: { ...own?.values, [inFile]: { ...levelsOf(own), ...levels } },
    placeOf: (key, ...path) => (own && isOwn(key, path) ? own.placeOf(key, ...path) : placeOf(key, ...path)),
    mistakes: own?.mistakes ?? new Mistakes(),
  };
  return { ...inputs, config };
}
