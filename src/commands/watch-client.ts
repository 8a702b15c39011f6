/** What `wirecheck client` needs for one client and for several: its settings, and a check with a progress line. */
import { checkClient, type ClientProgress } from '../client/check-client.ts';
import type { Client, ClientSettings } from '../exchange/client-traffic.ts';
import { DEFAULT_CLIENT_SETTINGS } from '../client/client.ts';
import type { ClientSetup } from '../client/client-setup.ts';
import { loadScenarios } from '../client/scenario.ts';
import { isSelected } from '../plan/select.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { UsageError } from '../usage-error.ts';
import { checkGlobs, checkLevels, failedCases, onlyCases } from './choose-cases.ts';
import type { CommandIo } from './command-io.ts';
import { loadReport } from './files/load-report.ts';
import { levelsOf } from './settings/config-file.ts';
import type { Inputs } from './settings/read-settings.ts';
import { watchRun } from './watch-run.ts';

export function readClientSettings(inputs: Inputs): ClientSettings {
  const { merged, config, cwd } = inputs;
  const levels = levelsOf(config);
  checkLevels(levels, config);
  const judging = loadScenarios().map(({ id, expect: [{ clause }] }) => ({ id, clauses: [clause] }));
  checkGlobs(inputs, judging, 'client');
  const chosen = { only: onlyCases(merged.get('only') ?? [], judging), skip: merged.get('skip') ?? [] };
  const older = merged.get('rerun-failed');
  const failed = older === undefined ? undefined : failedCases(loadReport(older, cwd), older);
  const selected = judging.map(({ id }) => id).filter((id) => isSelected(chosen, id) && (failed?.includes(id) ?? true));
  if (selected.length === 0) throw new UsageError('No scenarios to run: none is selected.');
  return {
    ...chosen,
    ...(failed && { only: selected }),
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
