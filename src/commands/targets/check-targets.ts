/** `wirecheck run --targets FILE`: several gateways side by side, and a folder with a report on each. */
import { COMMAND } from '../../contract/package-files.ts';
import type { Progress } from '../../exchange/channel/hooks.ts';
import { Budget } from '../../exchange/channel/ledger.ts';
import { type Redactor, createRedactor, type Redaction } from '../../exchange/secrets/redaction.ts';
import { withoutUndefined } from '../../json.ts';
import { plan, run } from '../../run/run.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { advanceByRequests } from '../check-subject.ts';
import { readSelected } from '../choose-cases.ts';
import type { PlanLimits } from '../plan-text.ts';
import { filesRead } from '../files/prepare-files.ts';
import { refuseOpenSecrets } from '../files/secret-guard.ts';
import type { Flags } from '../settings/merge-settings.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { checkFleet, refuseForOne } from './check-fleet.ts';
import { loadTargets, type TargetsList, prepareTargets, type Target } from './read-targets.ts';
import { createScanner, type Scanner, unmistakable } from '../../exchange/secrets/scanner.ts';
import { collectSecrets, givenSecrets } from '../../exchange/secrets/secrets.ts';
import { createHash } from 'node:crypto';

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
  const { targets: listed, mistakes } = loadTargets(file, io.cwd);
  const shard = inputs.merged.get('shard');
  const targets = shard === undefined ? listed : chooseShard(listed, readShard(shard));
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
export function scannerOf(targets: readonly Target[]): Scanner {
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

export interface Shard {
  /** The first is 1. */
  readonly index: number;
  readonly parts: number;
}

/** `text`: as the setting allows it, `2/4`. */
export function readShard(text: string): Shard {
  const [index = 1, parts = 1] = text.split('/').map(Number);
  return { index, parts };
}

export function chooseShard<Of extends { readonly name: string }>(
  targets: readonly Of[],
  { index, parts }: Shard,
): readonly Of[] {
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
  for (const { item: name } of rank(names, (each) => each)) {
    const ranked = rank([...sizes.entries()], ([at]) => `${at + 1} ${name}`);
    const free = ranked
      .map(({ item: [at, size] }) => ({ at, size }))
      .find(({ size }) => size < fewest || (size === fewest && extras > 0));
    if (!free) throw new Error(`no shard has a place for ${name}`);
    if (free.size === fewest) extras -= 1;
    sizes[free.at] = free.size + 1;
    chosen.set(name, free.at + 1);
  }
  return chosen;
}

/** Puts items in an order that looks random, and is always the same. */
function rank<Of>(items: readonly Of[], nameOf: (item: Of) => string): readonly { readonly item: Of }[] {
  return items
    .map((item) => ({ item, hash: createHash('sha256').update(nameOf(item)).digest('hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
}
