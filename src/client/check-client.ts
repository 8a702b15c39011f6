/** The whole flow: scenarios → their servers → the client → verdicts → report. */
import type { OnAwait } from '../exchange/channel/hooks.ts';
import type { Ending } from '../exchange/ending.ts';
import { isSelected } from '../plan/select.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import type {
  CheckedClient,
  Client,
  ClientSettings,
  ClientTraffic,
  PlayedScenario,
} from '../exchange/client-traffic.ts';
import { promisesOf } from '../scripted/gateway-promises.ts';
import { DEFAULT_CLIENT_SETTINGS } from './client.ts';
import { type ClientSetup, createClientSetup } from './client-setup.ts';
import { type StartChild, startChild } from './drive/child.ts';
import { createProcessDriver } from './drive/process-driver.ts';
import { createWarmDriver } from './drive/warm-driver.ts';
import type { ClientDriver } from './drive/client-answer.ts';
import { endingOfControl, formatCall } from './failed-control.ts';
import { modeState } from './judge-client.ts';
import { playAll, type StageOptions, taskOf } from './play.ts';
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

export interface ClientProgress {
  readonly casesDone: number;
  readonly cases: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly elapsed: number;
}

export interface ClientHooks {
  /** Default: made of the environment of this process. */
  readonly setup?: ClientSetup;
  /** Of the command. Default: that of this process. */
  readonly cwd?: string;
  readonly excuses?: Excuses;
  /** Called with everything that the report is made of. */
  readonly onGathered?: (checked: CheckedClient) => void;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ClientProgress) => void;
  /** For each scenario under way. */
  readonly onAwait?: OnAwait;
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
  const { setup = createClientSetup(process.env), cwd = process.cwd() } = hooks;
  const clean = (text: string): string => setup.scanner.clean(text);
  const all = loadScenarios();
  const scenarios = all.filter(({ id }) => isSelected(settings, id));
  const controls = controlsOf(scenarios, all);
  const startedAt = Date.now();
  const shown: Client = { ...client, name: clean(client.name), command: client.command.map(clean) };
  const earlier: string[] = [];
  const driver = createDriver(client, settings, { setup, cwd, clean, earlier, start }, controlOf('plain', all));
  const abort = (): void => void driver.close();
  hooks.signal?.addEventListener('abort', abort, { once: true });
  const played: PlayedScenario[] = [];
  const total = new Set<Scenario>([...controls, ...scenarios.filter(isPlayable)]).size;
  let requests = 0;
  const stage: StageOptions = {
    driver,
    key: setup.key,
    limit: settings.scenarioTimeout,
    concurrency: settings.concurrency,
    began: performance.now(),
    clean,
    promises: settings.profile && promisesOf(settings.profile),
    onPlayed: (playedScenario) => {
      played.push(playedScenario);
      requests += playedScenario.callCount;
      hooks.onProgress?.({ casesDone: played.length, cases: total, requests, elapsed: Date.now() - startedAt });
    },
    ...(hooks.signal && { signal: hooks.signal }),
    ...(hooks.onAwait && { onAwait: hooks.onAwait }),
  };
  try {
    const reached = await playInOrder({
      scenarios,
      all,
      controls,
      played,
      stage,
      endingOf: (control, scenario) => endingOfControl(control, scenario, shown, earlier),
    });
    const ending: Ending = hooks.signal?.aborted ? { kind: 'interrupted' } : reached;
    const { restarts } = driver;
    const traffic: ClientTraffic = { played, ending, ...(restarts && { restarts }), startedAt, endedAt: Date.now() };
    const checked = { client: shown, settings, traffic };
    hooks.onGathered?.(checked);
    return reportOnClient(checked, hooks.excuses);
  } finally {
    hooks.signal?.removeEventListener('abort', abort);
    await driver.close();
  }
}

/** The plain control, and those of every mode that a chosen scenario has. */
function controlsOf(scenarios: readonly Scenario[], all: readonly Scenario[]): readonly PlayableScenario[] {
  const modes = new Set<CallMode>(['plain', ...scenarios.flatMap(({ mode }) => mode ?? CALL_MODES)]);
  return [...modes].map((mode) => controlOf(mode, all));
}

interface Play {
  readonly scenarios: readonly Scenario[];
  readonly all: readonly Scenario[];
  readonly controls: readonly PlayableScenario[];
  /** Grows while they are played. */
  readonly played: readonly PlayedScenario[];
  readonly stage: StageOptions;
  readonly endingOf: (control: PlayedScenario, scenario: PlayableScenario) => Ending | undefined;
}

async function playInOrder({ scenarios, all, controls, played, stage, endingOf }: Play): Promise<Ending> {
  const [plain, ...others] = controls;
  if (!plain) return { kind: 'complete' };
  await playAll([plain], stage);
  const [first] = played;
  const ending = first && endingOf(first, plain);
  if (ending) return ending;
  await playAll(others, stage);
  const rest = scenarios
    .filter(isPlayable)
    .filter(({ id }) => !played.some(({ scenario }) => scenario === id))
    .filter(({ mode }) => modeState(mode, all, played) === 'passes');
  await playAll(rest, stage);
  return { kind: 'complete' };
}

/** For a driver that takes long to load its client, in milliseconds. */
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
  control: PlayableScenario,
): ClientDriver {
  const options = { command: client.command, variables, cwd, start };
  if (!client.isDriver) return createProcessDriver(options);
  const limit = settings.scenarioTimeout;
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
