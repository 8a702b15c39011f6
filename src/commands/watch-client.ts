/** What `wirecheck client` needs for one client and for several: its settings, and a check with a progress line. */
import { checkClient, type ClientProgress } from '../client/check-client.ts';
import type { Client, ClientSettings } from '../exchange/client-traffic.ts';
import { DEFAULT_CLIENT_SETTINGS } from '../client/client.ts';
import type { ClientSetup } from '../client/client-setup.ts';
import { loadScenarios } from '../client/scenario.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { checkLevels, chooseCases } from './choose-cases.ts';
import type { CommandIo } from './command-io.ts';
import { levelsOf } from './settings/config-file.ts';
import type { Inputs } from './settings/read-settings.ts';
import { watchRun } from './watch-run.ts';

export function readClientSettings(inputs: Inputs): ClientSettings {
  const { merged, config } = inputs;
  const levels = levelsOf(config);
  checkLevels(levels, config);
  return {
    only: chooseCases(inputs, loadScenarios(), 'client').only,
    skip: merged.get('skip') ?? [],
    strict: merged.get('strict') ?? false,
    levels,
    concurrency: merged.get('concurrency') ?? DEFAULT_CLIENT_SETTINGS.concurrency,
    scenarioTimeout: merged.get('scenario-timeout') ?? DEFAULT_CLIENT_SETTINGS.scenarioTimeout,
  };
}

export interface ClientCheck {
  readonly settings: ClientSettings;
  readonly excuses: Excuses;
  readonly setup: ClientSetup;
  readonly inputs: Inputs;
  readonly io: CommandIo;
}

export const SCENARIOS = {
  unit: 'scenarios',
  advance: ({ casesDone, cases }: ClientProgress) => ({ done: casesDone, total: cases }),
};

export function watchClient(
  client: Client,
  { settings, excuses, setup, inputs: { merged }, io }: ClientCheck,
): Promise<Report> {
  return watchRun(io, merged.get('quiet') ?? false, SCENARIOS, (hooks) =>
    checkClient(client, settings, { ...hooks, setup, cwd: io.cwd, excuses }),
  );
}
