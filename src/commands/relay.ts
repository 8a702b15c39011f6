/** `wirecheck relay BASE_URL`: judges a gateway with the scripted upstream behind it. */
import { loadContract } from '../contract/read-contract.ts';
import { recordRelay } from '../recording/write-recording.ts';
import { runRelay, startRelayUpstream } from '../gather/relay/run-relay.ts';
import { namedModels } from '../gather/relay/named-models.ts';
import { playableCases } from '../gather/relay/read-relay-suite.ts';
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
  // Its library is loaded only for it.
  const explorer = explore ? await import('./explore.ts') : undefined;
  const settings = explorer?.exploreSettings(chosen, inputs, options) ?? chosen;
  if (options.plan) {
    const { json = false } = options;
    if (explorer) return explorer.showPlan(settings, io, { isFree: true, json });
    const played = playableCases(settings, findExtraKeys(inputs.env).second !== undefined);
    return showCases(
      played.map(({ id }) => id),
      'relay',
      json,
      inputs,
    );
  }
  const keys = requireKeys(inputs);
  return guardKeys(settings, keys, () => {
    if (explorer) return explorer.exploreRelay(settings, keys, options.save, inputs);
    return checkRelay(settings, keys, inputs);
  });
}

const OF_EXPLORE = ['requests', 'seed', 'path', 'save'];
const OF_CASES = ['only', 'skip', 'rerun-failed', 'patient', 'recovery'];

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
function refuseUpstreamAsGateway({ baseUrl, relay: { upstreamPort: port } }: Settings): void {
  const url = new URL(baseUrl);
  if (!isLoopback(url.hostname) || Number(url.port) !== port) return;
  throw usageError.CONFLICT(
    `The base URL has the port of --upstream-port (${port}): give the address of the gateway, and a different port for its upstream.`,
  );
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
      if (!inputs.merged.get('quiet')) inputs.io.stderr.write(announceUpstream(settings, upstream.url));
      return {
        check: (hooks, file) =>
          runRelay(settings, keys, started, {
            ...hooks,
            ...(file && { onGathered: (checked) => recordRelay(file, checked, loadContract('relay').hash) }),
          }),
        scanner: () => vault.createScanner([upstream.url]),
      };
    },
  });
}
