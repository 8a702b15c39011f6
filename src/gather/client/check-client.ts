/** The whole flow: scenarios → their servers → the client → verdicts → report. */
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { Ending } from '../../exchange/ending.ts';
import { withoutUndefined } from '../../json.ts';
import { isSelected } from '../../plan/select.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { Report } from '../../report/report.ts';
import type { CheckedClient, Client, ClientSettings, ClientTraffic, PlayedScenario } from '../../exchange/traffic.ts';
import { promisesOf } from '../../scripted/gateway-promises.ts';
import { type ClientSetup, createClientSetup, DEFAULT_CLIENT_SETTINGS } from './client-setup.ts';
import { type StartChild, startChild } from './drive/child.ts';
import { type ClientDriver, createProcessDriver } from './drive/process-driver.ts';
import { createWarmDriver } from './drive/warm-driver.ts';
import { endingOfControl, formatCall } from './outcome.ts';
import { modeState, playedAs } from './judge-client.ts';
import { playAll, type Stage, taskOf } from './play.ts';
import { reportOnClient } from './report-on-client.ts';
import {
  CALL_MODES,
  type CallMode,
  controlOf,
  isPlayable,
  loadScenarios,
  type PlayableScenario,
  type Scenario,
} from './scenario.ts';
import { startScenario } from './scenario-server.ts';

export interface ClientHooks extends Hooks {
  /** Default: made of the environment of this process. */
  readonly setup?: ClientSetup;
  /** The working directory of the command. Default: that of this process. */
  readonly cwd?: string;
  readonly excuses?: Excuses;
  /** Called with everything that the report is made of. */
  readonly onGathered?: (checked: CheckedClient) => void;
}

/** Judges one client. Whatever it does ends up in the report. */
export async function checkClient(
  client: Client,
  settings: ClientSettings = DEFAULT_CLIENT_SETTINGS,
  hooks: ClientHooks = {},
): Promise<Report> {
  return checkStarted(client, settings, hooks, startChild);
}

/** `start`: how its command becomes a process. */
export async function checkStarted(
  client: Client,
  settings: ClientSettings,
  hooks: ClientHooks,
  start: StartChild,
): Promise<Report> {
  const { setup = createClientSetup(process.env), cwd = process.cwd(), signal, onAwait } = hooks;
  const clean = (text: string): string => setup.scanner.clean(text);
  const scenarios = loadScenarios().filter(({ id }) => isSelected(settings, id));
  const controls = controlsOf(scenarios);
  const cases = new Set<Scenario>([...controls, ...scenarios.filter(isPlayable)]).size;
  const startedAt = Date.now();
  const shown: Client = { ...client, name: clean(client.name), command: client.command.map(clean) };
  const earlier: string[] = [];
  const driver = createDriver(client, settings, { setup, cwd, clean, earlier, start });
  const abort = (): void => void driver.close();
  signal?.addEventListener('abort', abort, { once: true });
  const played: PlayedScenario[] = [];
  const stage: Stage = {
    driver,
    key: setup.key,
    limit: settings.scenarioTimeout,
    concurrency: settings.concurrency,
    began: performance.now(),
    clean,
    promises: settings.profile && promisesOf(settings.profile),
    onPlayed: (added) => {
      played.push(added);
      const requests = played.reduce((sum, { callCount }) => sum + callCount, 0);
      hooks.onProgress?.({
        casesDone: played.length,
        cases,
        requests,
        completions: 0,
        elapsed: Date.now() - startedAt,
      });
    },
    ...withoutUndefined({ signal, onAwait }),
  };
  try {
    const [plain, ...others] = controls;
    await playAll([plain], stage);
    const failed = played[0] && endingOfControl(played[0], plain, shown, earlier);
    if (!failed) await playRest(others, scenarios, played, stage);
    const ending: Ending = signal?.aborted ? { kind: 'interrupted' } : (failed ?? { kind: 'complete' });
    const { restarts } = driver;
    const traffic: ClientTraffic = { played, ending, ...(restarts && { restarts }), startedAt, endedAt: Date.now() };
    const checked = { client: shown, settings, traffic };
    hooks.onGathered?.(checked);
    return reportOnClient(checked, hooks.excuses);
  } finally {
    signal?.removeEventListener('abort', abort);
    await driver.close();
  }
}

/** The plain control, and those of every mode that a chosen scenario has. */
function controlsOf(scenarios: readonly Scenario[]): readonly [PlayableScenario, ...PlayableScenario[]] {
  const modes = new Set<CallMode>(scenarios.flatMap(({ mode }) => mode ?? CALL_MODES));
  modes.delete('plain');
  return [controlOf('plain', loadScenarios()), ...[...modes].map((mode) => controlOf(mode, loadScenarios()))];
}

/** The other controls, then the scenarios of each mode whose control the client passes. `played` grows meanwhile. */
async function playRest(
  controls: readonly PlayableScenario[],
  scenarios: readonly Scenario[],
  played: readonly PlayedScenario[],
  stage: Stage,
): Promise<void> {
  await playAll(controls, stage);
  const rest = scenarios
    .filter(isPlayable)
    .filter(({ id, mode }) => !playedAs(id, played) && modeState(mode, loadScenarios(), played) === 'passes');
  await playAll(rest, stage);
}

/** Milliseconds. A driver may take long to load its client. */
const MIN_START_LIMIT = 60_000;

interface DriverMeans {
  readonly setup: ClientSetup;
  readonly cwd: string;
  readonly clean: (text: string) => string;
  /** Gets the calls that a driver makes when it starts. */
  readonly earlier: string[];
  readonly start: StartChild;
}

/** The scenario that a driver is given first, and that is not judged. */
const WARM_UP = 'client/warm-up';

function createDriver(
  client: Client,
  settings: ClientSettings,
  { setup: { key, variables }, cwd, clean, earlier, start }: DriverMeans,
): ClientDriver {
  const options = { command: client.command, variables, cwd, start };
  if (!client.isDriver) return createProcessDriver(options);
  const limit = settings.scenarioTimeout;
  const control = controlOf('plain', loadScenarios());
  return createWarmDriver({
    ...options,
    startLimit: Math.max(limit, MIN_START_LIMIT),
    warmUp: async (ask) => {
      const server = await startScenario(control, { key, stallMs: limit, began: performance.now(), clean });
      try {
        // A driver that answers twice must not answer the control before it is asked.
        return await ask({ ...taskOf(control, server.baseUrl, key, limit), scenario: WARM_UP });
      } finally {
        await server.close();
        earlier.push(...server.exchanges().map(({ request }) => formatCall(request)));
      }
    },
  });
}
