/** What `wirecheck client` needs for one client and for several: its settings, a key, an environment, progress. */
import { checkClient } from '../client/check-client.ts';
import type { Client, ClientSettings } from '../client/client.ts';
import { clientEnvironment } from '../client/drive/client-environment.ts';
import { makeKey } from '../client/play.ts';
import { loadScenarios } from '../client/scenario.ts';
import { loadContract } from '../contract/load-contract.ts';
import { createScanner, type Scanner } from '../exchange/secrets/scanner.ts';
import { isSelected } from '../plan/select.ts';
import type { Excuses } from '../report/exemptions/apply-exemptions.ts';
import type { Report } from '../report/report.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { checkGlobs, checkLevels, failedCases } from './choose-cases.ts';
import type { CommandIo } from './command-io.ts';
import { loadReport } from './files/load-report.ts';
import { progressLine } from './progress.ts';
import { levelsOf } from './settings/config-file.ts';
import type { Inputs } from './settings/read-settings.ts';

/** What every client of a command shares: a key, an environment, and a scanner that knows both. */
export interface Bench {
  readonly key: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly scanner: Scanner;
}

export function createBench({ env }: Inputs): Bench {
  const key = makeKey();
  const { variables, secrets } = clientEnvironment(env);
  const headers = secrets.map((secret) => ({ ...secret, secret: true }));
  const scanner = createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1', headers }, { full: key });
  return { key, variables, scanner };
}

export function readClientSettings(inputs: Inputs): ClientSettings {
  const { merged, config, cwd } = inputs;
  const levels = levelsOf(config);
  checkLevels(levels, config);
  const ids = loadScenarios(loadContract('client')).map(({ id }) => id);
  checkGlobs(inputs, ids);
  const chosen = { only: merged.get('only') ?? [], skip: merged.get('skip') ?? [] };
  const older = merged.get('rerun-failed');
  const failed = older === undefined ? undefined : failedCases(loadReport(older, cwd), older);
  const selected = ids.filter((id) => isSelected(chosen, id) && (failed?.includes(id) ?? true));
  if (selected.length === 0) throw new UsageError('No scenarios to play: nothing is selected.');
  return {
    ...chosen,
    ...(failed && { only: selected }),
    strict: merged.get('strict') ?? false,
    levels,
    concurrency: merged.get('concurrency') ?? DEFAULT_SETTINGS.concurrency,
    scenarioTimeout: merged.get('scenario-timeout') ?? 0,
  };
}

export async function watchClient(
  client: Client,
  settings: ClientSettings,
  excuses: Excuses,
  { key, variables, scanner }: Bench,
  { merged }: Inputs,
  { cwd, stderr, onInterrupt }: CommandIo,
): Promise<Report> {
  const stop = new AbortController();
  const line = progressLine(merged.get('quiet') ? { ...stderr, live: false } : stderr);
  const release = onInterrupt(() => {
    stop.abort();
    stderr.write('Interrupted. Writing the report so far; press Ctrl-C again to quit now.\n');
  });
  try {
    return await checkClient(client, settings, {
      variables,
      cwd,
      key,
      clean: (text) => scanner.clean(text),
      excuses,
      signal: stop.signal,
      onProgress: line.update,
    });
  } finally {
    line.end();
    release();
  }
}
