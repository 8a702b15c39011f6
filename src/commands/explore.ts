/** `wirecheck explore BASE_URL`: sends drawn requests, judges them, and shrinks those that fail. */
import { createScanner } from '../exchange/secrets/scanner.ts';
import { runExplore } from '../explore/run-explore.ts';
import { createRecorder } from '../recording/write-recording.ts';
import { checkTransport } from '../run/check-address.ts';
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { checkSubject } from './check-subject.ts';
import type { CommandIo } from './command-io.ts';
import { formatExplorePlan } from './explore-plan.ts';
import { type ExploreFlags, withSeed } from './explore-flags.ts';
import { DRAWN_REQUESTS, formatSeed, seedOf } from './explore-settings.ts';
import { guardSecrets, refuseOpenSecrets } from './files/secret-guard.ts';
import { saveTo } from './save-found.ts';
import { requireBaseUrl } from './settings/base-url.ts';
import { EXPLORE_SETTINGS } from './settings/command-settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { type Inputs, readInputs, toSettings } from './settings/read-settings.ts';

/** What was typed. */
export interface ExploreArguments extends Partial<ExploreFlags> {
  readonly baseUrl: string | undefined;
}

const MOST_COMPLETIONS = 300;
/** Completions of the controls, which come on top of the draws. */
const CONTROLS = 5;

export async function exploreCommand(options: ExploreArguments, flags: Flags, io: CommandIo): Promise<number> {
  const inputs = readInputs(EXPLORE_SETTINGS, withSeed(flags, options.path), io);
  const baseUrl = requireBaseUrl('explore', options.baseUrl, inputs.env, inputs.config);
  const settings = readSettings(inputs, baseUrl, options.path);
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (options.plan) {
    io.stdout.write(formatExplorePlan(settings, { json: options.json ?? false }));
    return 0;
  }
  const keys = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  const scanner = createScanner(settings, keys);
  return guardSecrets(scanner, () => {
    refuseOpenSecrets(scanner, settings);
    return explore({ settings, keys, save: options.save }, inputs, io);
  });
}

function readSettings(inputs: Inputs, baseUrl: string, path: string | undefined): Settings {
  const given = toSettings(inputs, baseUrl);
  const { merged } = inputs;
  const completions = given.maxCompletions ?? MOST_COMPLETIONS;
  if (completions <= CONTROLS) {
    throw new UsageError(
      `--max-completions ${completions} leaves nothing for drawn requests, since the controls take up to ${CONTROLS}: give at least ${CONTROLS + 1}.`,
    );
  }
  const shrinkCompletions = merged.get('shrink-completions') ?? 0;
  return {
    ...given,
    seed: seedOf(given, inputs),
    maxCompletions: completions + shrinkCompletions,
    explore: {
      requests: merged.get('requests') ?? 0,
      completions: completions - CONTROLS,
      shrinkCompletions,
      ...(path !== undefined && { path }),
    },
  };
}

interface ExploreTask {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly save: string | undefined;
}

async function explore({ settings, keys, save }: ExploreTask, inputs: Inputs, io: CommandIo): Promise<number> {
  const saver = saveTo(save, inputs, io);
  const scanner = createScanner(settings, keys);
  return checkSubject({
    inputs,
    io,
    excusable: { subject: 'gateway', suites: [] },
    counted: DRAWN_REQUESTS,
    createRecorder,
    begin() {
      if (!inputs.merged.get('quiet')) io.stderr.write(formatSeed(settings));
      return Promise.resolve();
    },
    async check(hooks, recorder) {
      const result = await runExplore(settings, keys, { ...hooks, ...(recorder && { recorder }) });
      saver.keep(result, settings);
      return result.report;
    },
    end: saver.tell,
    scanner: () => scanner,
  });
}
