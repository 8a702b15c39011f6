/** `wirecheck relay BASE_URL`: judges a gateway with the scripted upstream behind it. */
import { loadContract } from '../contract/read-contract.ts';
import { recordRelay } from '../recording/write-recording.ts';
import { runRelay, startRelayUpstream } from '../gather/relay/run-relay.ts';
import { namedModels } from '../gather/relay/named-models.ts';
import { playableCases, type RelayCase } from '../gather/relay/read-relay-suite.ts';
import { usualTime } from '../gather/relay/ask/walk-failover.ts';
import { checkTransport, isLoopback } from '../run/check-address.ts';
import type { Keys, Settings } from '../settings.ts';
import { SUBJECTS } from '../subjects/subjects.ts';
import { inert } from '../text/layout.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { advanceByCases, announceUpstream, checkSubject, createFile } from './check-subject.ts';
import { chooseCases, showCases } from './choose-cases.ts';
import {
  findExtraKeys,
  withSeed,
  requireBaseUrl,
  type Inputs,
  readInputs,
  requireKeys,
  toSettings,
} from './settings/read-settings.ts';
import { guardKeys } from './files/secret-guard.ts';
import { formatRelayConfig } from './relay-configs.ts';
import { RELAY_SETTINGS } from './settings/command-settings.ts';
import type { Call } from './command-row.ts';

export async function relayCommand({ args: [argument], options, flags, io }: Call): Promise<number> {
  const { printConfig: config, explore = false } = options;
  refuseOtherFlags(explore, { ...options, ...flags });
  const inputs = readInputs(RELAY_SETTINGS, withSeed(flags, options.path), io);
  if (config !== undefined) {
    const { upstreamHost } = toSettings(inputs, 'http://127.0.0.1/v1').relay;
    io.stdout.write(formatRelayConfig(config, upstreamHost, requirePort(inputs)));
    return 0;
  }
  if (!options.plan) requirePort(inputs);
  const given = toSettings(inputs, requireBaseUrl('relay', argument, inputs));
  refuseModelTwice(given, inputs);
  const { only } = chooseCases(inputs, SUBJECTS.relay.cases(), 'relay');
  const chosen = { ...given, only };
  checkTransport(chosen.baseUrl, chosen.allowHttp);
  refuseUpstreamAsGateway(chosen);
  refuseWithoutFallback(chosen, inputs);
  // Its library is loaded only for it.
  const explorer = explore ? await import('./explore.ts') : undefined;
  const settings = explorer?.exploreSettings(chosen, inputs, options) ?? chosen;
  if (options.plan) {
    const { json = false } = options;
    if (explorer) return explorer.showPlan(settings, io, { isFree: true, json });
    const played = playableCases(settings, findExtraKeys(inputs.env).second !== undefined);
    const time = settings.relay.fallbackPort === undefined ? {} : { time: describeTime(settings, played) };
    const ids = played.map(({ id }) => id);
    return showCases(ids, 'relay', { json, ...time }, inputs);
  }
  const keys = requireKeys(inputs);
  return guardKeys(settings, keys, () => {
    if (explorer) return explorer.exploreRelay(settings, keys, options.save, inputs);
    return checkRelay(settings, keys, inputs);
  });
}

/** A gateway that leaves an upstream out for a while after a failure is waited for, for up to `--recovery` each time. */
function describeTime(settings: Settings, cases: readonly RelayCase[]): string {
  const minutes = usualTime(cases, settings) / 60_000;
  return `They take about ${minutes.toFixed(1)} min if the gateway calls an upstream again right after it has failed.`;
}

const OF_EXPLORE = ['requests', 'seed', 'path', 'save'];
const OF_FALLBACK = ['fallback-port', 'fallback-model', 'most-upstream-calls', 'upstream-timeout'];
const OF_CASES = ['only', 'skip', 'rerun-failed', 'patient', 'recovery', ...OF_FALLBACK];

/** A flag that would do nothing is a mistake. */
function refuseOtherFlags(explore: boolean, typed: object): void {
  const name = (explore ? OF_CASES : OF_EXPLORE).find((flag) => flag in typed);
  if (name === undefined) return;
  const remedy = explore ? 'is for cases: leave it out with --explore.' : 'is for drawn requests: add --explore.';
  throw usageError.CONFLICT(`--${name} ${remedy}`);
}

function requirePort({ merged }: Inputs): number {
  const port = merged.get('upstream-port');
  if (port !== undefined) return port;
  throw usageError.VALUE_MISSING(
    'No upstream port: add --upstream-port N, the port that the gateway calls as its upstream.',
  );
}

/** Nothing else can listen on that port of this machine, so wirecheck would check itself. */
function refuseUpstreamAsGateway({ baseUrl, relay: { upstreamPort, fallbackPort } }: Settings): void {
  if (upstreamPort !== undefined && upstreamPort === fallbackPort)
    throw usageError.CONFLICT(`--fallback-port is that of --upstream-port (${upstreamPort}): give each its own.`);
  const url = new URL(baseUrl);
  const port = Number(url.port);
  if (!isLoopback(url.hostname) || (port !== upstreamPort && port !== fallbackPort)) return;
  const flag = port === upstreamPort ? '--upstream-port' : '--fallback-port';
  throw usageError.CONFLICT(
    `The base URL has the port of ${flag} (${port}): give the address of the gateway, and a different port for its upstream.`,
  );
}

/** They say something of a second upstream. */
function refuseWithoutFallback({ relay: { fallbackPort } }: Settings, { merged }: Inputs): void {
  const flag = (['fallback-model', 'upstream-timeout'] as const).find((name) => merged.get(name) !== undefined);
  if (flag !== undefined && fallbackPort === undefined)
    throw usageError.CONFLICT(`--${flag} is for a second upstream: add --fallback-port N.`);
}

/** Which of the two names upstream is meant would be a guess. */
function refuseModelTwice(settings: Settings, { merged }: Inputs): void {
  const fronts = namedModels(settings).map(({ front }) => front);
  const index = fronts.findIndex((front, place) => fronts.indexOf(front) !== place);
  if (index === -1) return;
  const { label = '--upstream-model', at } = merged.origin('upstream-model', index) ?? {};
  throw new UsageError(`${label} has the model ${inert(fronts[index] ?? '', 80)} twice: name each model once.`, at);
}

function checkRelay(settings: Settings, keys: Keys, inputs: Inputs): Promise<number> {
  return checkSubject({
    inputs,
    excusable: { subject: 'relay', suites: [] },
    unit: 'cases',
    advance: advanceByCases,
    createRecorder: createFile,
    async begin() {
      const started = await startRelayUpstream(settings, keys);
      const { vault, upstream } = started;
      if (!inputs.merged.get('quiet'))
        inputs.io.stderr.write(announceUpstream(settings, upstream.url, upstream.fallbackUrl));
      return {
        check: (hooks, file) =>
          runRelay(settings, keys, started, {
            ...hooks,
            ...(file && { onGathered: (checked) => recordRelay(file, checked, loadContract('relay').hash) }),
          }),
        scanner: () => vault.createScanner([upstream.url, upstream.fallbackUrl ?? upstream.url]),
      };
    },
  });
}
