/** `wirecheck relay BASE_URL`: judges a gateway with the scripted upstream behind it. */
import { createScanner } from '../exchange/secrets/scanner.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import { type RelayProgress, type RelayUpstream, runRelay, startRelayUpstream } from '../relay/run-relay.ts';
import { isSelected } from '../plan/select.ts';
import { checkTransport, isLoopback } from '../run/check-address.ts';
import type { Keys, Settings } from '../settings.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import { checkGlobs, checkLevels, failedCases, onlyCases } from './choose-cases.ts';
import type { CommandIo } from './command-io.ts';
import { deliverReport } from './files/deliver-report.ts';
import { checkOutputs, type Outputs, readOutputs } from './files/outputs.ts';
import { loadReport } from './files/load-report.ts';
import { filesRead, refuseOverwrites, reportsOf } from './files/refuse-overwrites.ts';
import { refuseOpenSecrets, withoutSecrets } from './files/secret-guard.ts';
import { formatRelayConfig } from './relay-configs.ts';
import { requireBaseUrl } from './settings/base-url.ts';
import { RELAY_SETTINGS } from './settings/command-settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readExcuses } from './settings/read-excuses.ts';
import { requireKeys } from './settings/read-keys.ts';
import { type Inputs, readInputs, toSettings } from './settings/read-settings.ts';
import { watchRun } from './watch-run.ts';

/** `config`: the name of a gateway whose configuration is printed, instead of a run. */
export async function relayCommand(
  argument: string | undefined,
  config: string | undefined,
  flags: Flags,
  io: CommandIo,
): Promise<number> {
  const inputs = readInputs(RELAY_SETTINGS, flags, io);
  const port = inputs.merged.get('upstream-port');
  if (port === undefined) {
    throw new UsageError('No upstream port: add --upstream-port N, the port that the gateway calls as its upstream.');
  }
  if (config !== undefined) {
    io.stdout.write(formatRelayConfig(config, toSettings(inputs, 'http://127.0.0.1/v1').relay.upstreamHost, port));
    return 0;
  }
  const settings = chooseRelayCases(inputs, requireBaseUrl(argument, inputs.env, inputs.config));
  checkTransport(settings.baseUrl, settings.allowHttp);
  refuseUpstreamAsGateway(settings.baseUrl, port);
  const keys = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  const scanner = createScanner(settings, keys);
  try {
    refuseOpenSecrets(scanner, settings);
    return await checkRelay(settings, keys, inputs, io);
  } catch (error) {
    throw withoutSecrets(error, scanner);
  }
}

/** Nothing else can listen on that port of this machine, so wirecheck would check itself. */
function refuseUpstreamAsGateway(baseUrl: string, port: number): void {
  const url = new URL(baseUrl);
  if (!isLoopback(url.hostname) || Number(url.port) !== port) return;
  throw new UsageError(
    `The base URL has the port of --upstream-port (${port}): give the address of the gateway, and a different port for its upstream.`,
  );
}

/** Settings whose cases and clauses exist. */
function chooseRelayCases(inputs: Inputs, baseUrl: string): Settings {
  const given = toSettings(inputs, baseUrl);
  checkLevels(given.levels, inputs.config);
  const cases = loadRelayCases().map(({ id, expect }) => ({ id, clauses: expect.map(({ clause }) => clause) }));
  checkGlobs(inputs, cases, 'scenario');
  const settings = { ...given, only: onlyCases(given.only, cases) };
  const older = inputs.merged.get('rerun-failed');
  if (older === undefined) return settings;
  const failed = failedCases(loadReport(older, inputs.cwd), older);
  const selected = cases.map(({ id }) => id).filter((id) => failed.includes(id) && isSelected(settings, id));
  if (selected.length === 0) {
    throw new UsageError(`No cases to run: none of the failed cases in ${inert(older, 100)} is selected.`);
  }
  return { ...settings, only: selected };
}

const CASES = {
  unit: 'cases',
  advance: ({ casesDone, cases }: RelayProgress) => ({ done: casesDone, total: cases }),
};

async function checkRelay(settings: Settings, keys: Keys, inputs: Inputs, io: CommandIo): Promise<number> {
  const outputs: Outputs = readOutputs(inputs.merged, io.cwd);
  refuseOverwrites(filesRead(inputs), reportsOf(outputs, '--out or --reporter'));
  const excuses = readExcuses(inputs, []);
  checkOutputs(outputs);
  const quiet = inputs.merged.get('quiet') ?? false;
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);
  const started = await startRelayUpstream(settings, keys);
  if (!quiet) io.stderr.write(formatStart(settings, started));
  const report = await watchRun(io, quiet, CASES, (hooks) => runRelay(settings, keys, started, { ...hooks, excuses }));
  // Keys of the gateway have arrived meanwhile.
  const addresses = [settings.baseUrl, started.upstream.url].map((url) => new URL(url).origin);
  await deliverReport(report, { outputs, inputs, io, scanner: started.vault.createScanner(addresses) });
  return report.outcome.exit;
}

function formatStart({ relay: { upstreamHost } }: Settings, { upstream }: RelayUpstream): string {
  const line = `The scripted upstream listens at ${upstream.url}.\n`;
  if (isLoopback(upstreamHost) || upstreamHost === '::1') return line;
  return `${line}Warning: The upstream on ${inert(upstreamHost, 100)} can be reached from other machines. It answers 404 to requests that do not belong to this run.\n`;
}
