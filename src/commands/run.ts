/** `wirecheck run BASE_URL`, and what it shares with `wirecheck demo`: run, write the files, print the report. */
import { createRecorder } from '../recording/write-recording.ts';
import { Mistakes } from '../mistakes.ts';
import { checkTransport } from '../run/check-address.ts';
import { run } from '../run/run.ts';
import type { Keys, Settings } from '../settings.ts';
import { usageError } from '../usage-error.ts';
import { advanceByRequests, checkSubject } from './check-subject.ts';
import { requireBaseUrl, type Inputs, readInputs, requireKeys } from './settings/read-settings.ts';
import { readSelected } from './choose-cases.ts';
import { RUN_SETTINGS } from './settings/command-settings.ts';
import { guardKeys } from './files/secret-guard.ts';
import type { Call, OwnOptions } from './command-row.ts';

export async function runCommand(call: Call): Promise<number> {
  const { args, options, flags, io } = call;
  const [argument] = args;
  if (options.plan) return (await import('./plan.ts')).planCommand(call);
  const inputs = readInputs(RUN_SETTINGS, flags, io);
  const targets = findTargetsFile(argument, inputs);
  if (targets !== undefined) {
    if (options.watch)
      throw usageError.CONFLICT('--watch follows one target: give its BASE_URL in place of --targets.');
    const { checkTargets } = await import('./targets/check-targets.ts');
    return checkTargets(targets, flags, inputs);
  }
  const baseUrl = requireBaseUrl('run', argument, inputs);
  // A key that is not set hides no other mistake.
  const mistakes = new Mistakes();
  const keys = mistakes.attempt(() => requireKeys(inputs));
  const settings = mistakes.attempt(() => readSelected(inputs, baseUrl));
  mistakes.throwAny();
  if (!keys || !settings) throw new Error('What cannot be read has a mistake.');
  return checkTarget(settings, keys, inputs, options);
}

/** The file that lists the targets; undefined for a single target. */
export function findTargetsFile(argument: string | undefined, { merged }: Inputs): string | undefined {
  const targets = merged.get('targets');
  if (targets !== undefined && argument !== undefined)
    throw usageError.CONFLICT('--targets already lists the base URLs: remove the BASE_URL argument.');
  if (targets === undefined && merged.get('shard') !== undefined)
    throw usageError.CONFLICT('--shard chooses among several targets: name their file with --targets.');
  return targets;
}

export async function checkTarget(
  settings: Settings,
  keys: Keys,
  inputs: Inputs,
  options: OwnOptions,
): Promise<number> {
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (!options.watch && (options.watchPath || options.open === false))
    throw usageError.CONFLICT('--watch-path and --no-open belong to --watch: add it, or leave them out.');
  const watch = options.watch ? await import('./watch/watch.ts') : undefined;
  watch?.requireWatchable({ settings, options, inputs });
  return guardKeys(settings, keys, (scanner) =>
    checkSubject({
      inputs,
      excusable: { subject: 'gateway', suites: settings.suites },
      unit: 'requests',
      advance: advanceByRequests,
      createRecorder,
      begin: () => ({
        check: (hooks, recorder) =>
          watch
            ? watch.watchTarget({ settings, keys, options, inputs, scanner }, hooks)
            : run(settings, keys, { ...hooks, ...(recorder && { recorder }) }),
        scanner: () => scanner,
      }),
    }),
  );
}
