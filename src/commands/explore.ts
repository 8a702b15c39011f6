/** `wirecheck explore BASE_URL`: sends drawn requests, judges them, and shrinks those that fail. */
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { packageVersion } from '../contract/package-files.ts';
import { createScanner } from '../exchange/secrets/scanner.ts';
import { type ExploreProgress, runExplore } from '../explore/run-explore.ts';
import { formatSuite } from '../explore/save-cases.ts';
import { toBytes } from '../plan/request-word.ts';
import { createRecorder } from '../recording/write-recording.ts';
import { checkTransport } from '../run/check-address.ts';
import type { Keys, Settings } from '../settings.ts';
import { checkSubject } from './check-subject.ts';
import { checkLevels } from './choose-cases.ts';
import type { CommandIo } from './command-io.ts';
import { formatExplorePlan } from './explore-plan.ts';
import { guardSecrets, refuseOpenSecrets } from './files/secret-guard.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import { requireBaseUrl } from './settings/base-url.ts';
import { EXPLORE_SETTINGS } from './settings/command-settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { type Inputs, readInputs, toSettings } from './settings/read-settings.ts';

export interface ExploreFlags {
  readonly plan: boolean;
  readonly path: string;
  readonly save: string;
}

/** What was typed. */
export interface ExploreArguments extends Partial<ExploreFlags> {
  readonly baseUrl: string | undefined;
}

const MAX_RANDOM_SEED = 1_000_000;
const MOST_COMPLETIONS = 300;
/** Completions of the controls, which come on top of the draws. */
const CONTROLS = 5;

export async function exploreCommand(options: ExploreArguments, flags: Flags, io: CommandIo): Promise<number> {
  const inputs = readInputs(EXPLORE_SETTINGS, withSeed(flags), io);
  const baseUrl = requireBaseUrl('explore', options.baseUrl, inputs.env, inputs.config);
  const settings = readSettings(inputs, baseUrl, options.path);
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (options.plan) {
    io.stdout.write(formatExplorePlan(settings));
    return 0;
  }
  const keys = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  const scanner = createScanner(settings, keys);
  return guardSecrets(scanner, () => {
    refuseOpenSecrets(scanner, settings);
    return explore({ settings, keys, save: options.save }, inputs, io);
  });
}

/** `--seed random` is for the curious. */
function withSeed(flags: Flags): Flags {
  return flags['seed'] === 'random' ? { ...flags, seed: String(randomInt(MAX_RANDOM_SEED)) } : flags;
}

function readSettings(inputs: Inputs, baseUrl: string, path: string | undefined): Settings {
  const given = toSettings(inputs, baseUrl);
  const { merged } = inputs;
  checkLevels(given.levels, inputs.config);
  const completions = given.maxCompletions ?? MOST_COMPLETIONS;
  const shrinkCompletions = merged.get('shrink-completions') ?? 0;
  return {
    ...given,
    seed: merged.origin('seed') === undefined ? versionSeed() : given.seed,
    maxCompletions: completions + shrinkCompletions,
    explore: {
      requests: merged.get('requests') ?? 0,
      completions: Math.max(0, completions - CONTROLS),
      shrinkCompletions,
      ...(path !== undefined && { path }),
    },
  };
}

/** The same for everybody who has this version, so that runs can be compared. */
function versionSeed(): number {
  return toBytes(0, packageVersion()).readUInt16BE(0);
}

const REQUESTS = {
  unit: 'requests',
  advance: ({ requests, requestsExpected }: ExploreProgress) => ({ done: requests, total: requestsExpected }),
};

interface ExploreTask {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly save: string | undefined;
}

async function explore({ settings, keys, save }: ExploreTask, inputs: Inputs, io: CommandIo): Promise<number> {
  const path = save === undefined ? undefined : resolve(io.cwd, save);
  if (path !== undefined) requireWritable(path, 'choose another file with --save.', save);
  const scanner = createScanner(settings, keys);
  return checkSubject({
    inputs,
    io,
    excusable: { subject: 'gateway', suites: [] },
    counted: REQUESTS,
    createRecorder,
    begin() {
      if (!inputs.merged.get('quiet')) io.stderr.write(`Seed ${settings.seed}.\n`);
      return Promise.resolve();
    },
    async check(hooks, recorder) {
      const { report, causes } = await runExplore(settings, keys, { ...hooks, ...(recorder && { recorder }) });
      if (path !== undefined) writeWhole(path, formatSuite(causes, settings));
      return report;
    },
    scanner: () => scanner,
  });
}
