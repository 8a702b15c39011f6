/** The whole flow: scenarios → their servers → the client → verdicts → report. */
import { type Hooks, unwatched } from '../../exchange/channel/hooks.ts';
import type { Ending, EndingOf } from '../../exchange/ending.ts';
import type { SentRequest } from '../../exchange/exchange.ts';
import type { CheckedClient, Client, ClientSettings, ClientTraffic, PlayedScenario } from '../../exchange/traffic.ts';
import { isSelected } from '../../plan/select.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { Report } from '../../report/report.ts';
import { promisesOf } from '../../scripted/gateway-promises.ts';
import { firstWords } from '../../text/error-message.ts';
import { quoteText } from '../../text/quote.ts';
import { askedCalls, endOf, endedEarly, modeState, outcomeOfScenario, playedAs } from './client-checks.ts';
import { type ClientSetup, DEFAULT_CLIENT_SETTINGS, createClientSetup } from './client-setup.ts';
import { startChild } from './drive/child.ts';
import {
  type ClientDriver,
  type DriverOptions,
  type Task,
  createProcessDriver,
  createWarmDriver,
} from './drive/drivers.ts';
import { reportOnClient } from './report-on-client.ts';
import { SCENARIO_MODEL, type ServerOptions, startScenario } from './scenario-server.ts';
import { CALL_MODES, type PlayableScenario, controlBefore, isPlayable, loadScenarios } from './scenario.ts';

export interface ClientHooks extends Hooks {
  /** Default: made of the environment of this process. */
  readonly setup?: ClientSetup;
  /** The working directory of the command. Default: that of this process. */
  readonly cwd?: string;
  readonly excuses?: Excuses;
  /** Called with everything that the report is made of. */
  readonly onGathered?: (checked: CheckedClient) => void;
}

/** Judges one client. Whatever it does ends up in the report. `start`: how its command becomes a process. */
export async function checkClient(
  client: Client,
  settings: ClientSettings = DEFAULT_CLIENT_SETTINGS,
  hooks: ClientHooks = {},
  start = startChild,
): Promise<Report> {
  const { setup = createClientSetup(process.env), cwd = process.cwd(), onAwait = unwatched } = hooks;
  const { signal = new AbortController().signal } = hooks;
  const { key, variables, scanner } = setup;
  const clean = (text: string): string => scanner.clean(text);
  const scenarios = loadScenarios().filter(({ id }) => isSelected(settings, id));
  // The plain control, and those of every mode that a chosen scenario has.
  const plain = controlBefore('plain');
  const controls = new Set([plain, ...scenarios.flatMap(({ mode }) => mode ?? CALL_MODES).map(controlBefore)]);
  const cases = new Set([...controls, ...scenarios.filter(isPlayable)]).size;
  const startedAt = Date.now();
  const shown: Client = { ...client, name: clean(client.name), command: client.command.map(clean) };
  const earlier: string[] = [];
  const limit = settings.scenarioTimeout;
  const serving = { key, began: performance.now(), clean };
  const options = { command: client.command, variables, cwd, start };
  const driver = createDriver(options, client.isDriver, { ...serving, stallMs: limit }, earlier);
  const abort = (): void => void driver.close();
  signal.addEventListener('abort', abort, { once: true });
  const played: PlayedScenario[] = [];
  const stage: Stage = {
    ...serving,
    driver,
    limit,
    concurrency: settings.concurrency,
    promises: settings.profile && promisesOf(settings.profile),
    onPlayed: (added) => {
      played.push(added);
      const requests = played.reduce((sum, { callCount }) => sum + callCount, 0);
      const elapsed = Date.now() - startedAt;
      hooks.onProgress?.({ casesDone: played.length, cases, requests, completions: 0, elapsed });
    },
    signal,
    onAwait,
  };
  try {
    await playAll([plain], stage);
    const failed = played[0] && endingOfControl(played[0], shown, earlier);
    if (!failed) {
      await playAll([...controls].slice(1), stage);
      // The rest of each mode whose control the client passes.
      const isLeft = ({ id, mode }: PlayableScenario): boolean =>
        !playedAs(id, played) && modeState(mode, played) === 'passes';
      await playAll(scenarios.filter(isPlayable).filter(isLeft), stage);
    }
    const ending: Ending = signal.aborted ? { kind: 'interrupted' } : (failed ?? { kind: 'complete' });
    const { restarts } = driver;
    const traffic: ClientTraffic = { played, ending, ...(restarts && { restarts }), startedAt, endedAt: Date.now() };
    const checked = { client: shown, settings, traffic };
    hooks.onGathered?.(checked);
    return reportOnClient(checked, hooks.excuses);
  } finally {
    signal.removeEventListener('abort', abort);
    await driver.close();
  }
}

// Why a client is not judged at all.

/** Characters of its output. */
const MAX_QUOTE = 300;
const MAX_CALLS = 5;

/** Undefined if the client passes the plain control. `earlier`: what it called before, as `formatCall` has it. */
function endingOfControl(control: PlayedScenario, client: Client, earlier: readonly string[]): Ending | undefined {
  const { command, isDriver } = client;
  const { answer } = control;
  if (answer.kind === 'not-started')
    return { kind: 'client-not-started', command: command.join(' '), code: answer.code };
  if (outcomeOfScenario(control, controlBefore('plain')).result === 'pass') return undefined;
  const how = howItFailed(control, isDriver);
  const calls = [...earlier, ...control.exchanges.map(({ request }) => formatCall(request))];
  return {
    kind: 'client-failed-control',
    how,
    seconds: Math.round(answer.time / 1000),
    said: quoteText(answer.said, MAX_QUOTE),
    ...(how === 'wrong-text' && { reply: quoteText(control.text, MAX_QUOTE) }),
    complaint: quoteText(firstWords(answer.complaint), MAX_QUOTE),
    ...(answer.kind === 'failed' && endOf(answer)),
    calls: [...new Set(calls)].slice(0, MAX_CALLS),
    ...(!isDriver && answer.kind === 'returned' && answer.said === '' && calls.length === 0 && { mayBeDriver: true }),
  };
}

/** `POST /chat/completions`, or `POST /chat/completions (streamed)`. */
function formatCall({ method, path, mode }: SentRequest): string {
  return `${method} ${path}${mode === 'stream' ? ' (streamed)' : ''}`;
}

function howItFailed(control: PlayedScenario, isDriver: boolean): EndingOf<'client-failed-control'>['how'] {
  const { answer } = control;
  if (answer.kind === 'unsupported' || answer.kind === 'flooded') return answer.kind;
  if (answer.kind === 'timed-out') return 'no-result';
  // The process of a driver has ended, which is no answer to a scenario.
  const hasEnded = answer.kind === 'failed' && (answer.exit !== undefined || answer.signal !== undefined);
  if (answer.kind === 'again' || (isDriver && hasEnded)) return 'ended';
  if (askedCalls(control, 'plain').length === 0) return 'no-request';
  if (answer.kind === 'failed') return 'failed';
  return answer.said === '' ? 'no-text' : 'wrong-text';
}

/** Milliseconds. A driver may take long to load its client. */
const MIN_START_LIMIT = 60_000;

/** The scenario that a driver is given first, and that is not judged. */
const WARM_UP = 'client/warm-up';

/** `earlier`: gets the calls that a driver makes when it starts. */
function createDriver(
  options: DriverOptions,
  isDriver: boolean,
  serving: ServerOptions,
  earlier: string[],
): ClientDriver {
  if (!isDriver) return createProcessDriver(options);
  const { key, stallMs: limit } = serving;
  const control = controlBefore('plain');
  return createWarmDriver({
    ...options,
    startLimit: Math.max(limit, MIN_START_LIMIT),
    warmUp: async (ask) => {
      const server = await startScenario(control, serving);
      try {
        // A driver that answers twice must not answer the control before it is asked.
        return await ask({ ...taskOf(control, server.baseUrl, key, limit), scenario: WARM_UP });
      } finally {
        const { exchanges } = await server.close();
        earlier.push(...exchanges.map(({ request }) => formatCall(request)));
      }
    },
  });
}

// Plays scenarios side by side, and alone what could not be told apart.

const PROMPT = 'Which word is it?';
/** Scenarios without a result, asked alone once more, that show that it is not the machine. */
const ENOUGH_HANGS = 2;

interface Stage extends Required<Pick<Hooks, 'onAwait' | 'signal'>>, Omit<ServerOptions, 'stallMs'> {
  readonly driver: ClientDriver;
  /** Milliseconds for one scenario. */
  readonly limit: number;
  readonly concurrency: number;
  readonly onPlayed: (played: PlayedScenario) => void;
}

/** Half of the limit, so that a client that gives up in time is told apart from one that hangs; at most this. */
const MAX_CALL_TIME = 10_000;
/** A stalled answer outlasts what the client may take by this factor. */
const STALL_FACTOR = 1.2;

function callTime(limit: number): number {
  return Math.min(Math.round(limit / 2), MAX_CALL_TIME);
}

/** Every scenario, in any order. Ends early if the signal says so. */
async function playAll(scenarios: readonly PlayableScenario[], stage: Stage): Promise<void> {
  const alone: PlayableScenario[] = [];
  const late: { readonly scenario: PlayableScenario; readonly played: PlayedScenario }[] = [];
  const isOver = (): boolean => stage.signal.aborted;
  // The client's reaction to the end of its process says nothing.
  const keep = (played: PlayedScenario): void => (isOver() ? undefined : stage.onPlayed(played));
  const queue = [...scenarios];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next && !isOver(); next = queue.shift()) {
      const played = await play(next, stage);
      if (played.answer.kind === 'again') alone.push(next);
      else if (mayBeLate(played, next)) late.push({ scenario: next, played });
      else keep(played);
    }
  };
  await Promise.all(Array.from({ length: Math.min(stage.concurrency, scenarios.length) }, worker));
  for (const scenario of alone) if (!isOver()) keep(await playAlone(scenario, stage));
  // A busy machine delays some scenarios; a client that hangs, hangs again.
  let hangs = 0;
  for (const { scenario, played: first } of late) {
    if (isOver()) return;
    const played = hangs < ENOUGH_HANGS ? await play(scenario, stage) : first;
    if (played.answer.kind === 'timed-out') hangs += 1;
    keep(played);
  }
}

/** Whether a client without a result may only have had too little of the machine. A client that retries is known to live. */
function mayBeLate(played: PlayedScenario, { expectedResult, mode }: PlayableScenario): boolean {
  const { answer } = played;
  const isRetrying = expectedResult === 'failure' && askedCalls(played, mode).length > 1;
  return answer.kind === 'timed-out' && !answer.wasAlone && !isRetrying;
}

/** After its driver died under others: twice at most. */
async function playAlone(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  const played = await play(scenario, stage);
  return played.answer.kind === 'again' ? play(scenario, stage) : played;
}

/**
 * Plays once more if the client ended before it made a call: the scenario cannot be why. A driver is started again for
 * that.
 */
async function play(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  const played = await playOnce(scenario, stage);
  return endedEarly(played) && !stage.signal.aborted ? playOnce(scenario, stage) : played;
}

async function playOnce(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  const { driver, key, limit, clean, onAwait } = stage;
  const { id } = scenario;
  const stallMs = Math.round(callTime(limit) * STALL_FACTOR);
  const server = await startScenario(scenario, { ...stage, stallMs });
  const askedAt = performance.now();
  const ended = onAwait(() => ({ what: `client in ${id}`, elapsed: performance.now() - askedAt, most: limit }));
  const asked = driver.ask(taskOf(scenario, server.baseUrl, key, limit), limit).finally(ended);
  const close = () => server.close();
  const seen = await asked.then(close, close);
  const answer = await asked;
  const cleaned = { ...answer, said: clean(answer.said), complaint: clean(answer.complaint) };
  return { scenario: id, answer: cleaned, limit, ...seen };
}

function taskOf({ id, mode }: PlayableScenario, baseUrl: string, apiKey: string, limit: number): Task {
  const asked = { model: SCENARIO_MODEL, mode, prompt: PROMPT };
  return { scenario: id, baseUrl, apiKey, ...asked, timeoutMs: callTime(limit) };
}
