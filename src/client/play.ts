/** Plays scenarios: the controls first, the rest side by side, and alone what could not be told apart. */
import { randomBytes } from 'node:crypto';
import type { ClientDriver, Task } from './drive/client-answer.ts';
import type { OnAwait } from '../exchange/channel/hooks.ts';
import type { ClientAnswer, PlayedScenario } from '../exchange/client-traffic.ts';
import { askedCalls, endedEarly } from './asked-calls.ts';
import type { PlayableScenario } from './scenario.ts';
import { SCENARIO_MODEL, type ServerOptions, startScenario } from './scenario-server.ts';

const PROMPT = 'Which word is it?';
/** Times that a scenario is asked alone after its driver died under others. */
const MAX_SOLO = 2;
/** Scenarios without a result, asked alone once more, that show that it is not the machine. */
const ENOUGH_HANGS = 2;

export interface StageOptions {
  readonly driver: ClientDriver;
  readonly key: string;
  /** Milliseconds for one scenario. */
  readonly limit: number;
  readonly concurrency: number;
  /** When the run began, by `performance.now()`. */
  readonly began: number;
  readonly clean: ServerOptions['clean'];
  readonly promises: ServerOptions['promises'];
  readonly onPlayed: (played: PlayedScenario) => void;
  readonly onAwait?: OnAwait;
  readonly signal?: AbortSignal;
}

/** Half of the limit, so that a client that gives up in time is told apart from one that hangs; at most this. */
const MAX_CALL_TIME = 10_000;
/** A stalled answer outlasts what the client may take by this factor. */
const STALL_FACTOR = 1.2;

export function callTime(limit: number): number {
  return Math.min(Math.round(limit / 2), MAX_CALL_TIME);
}

export function makeKey(): string {
  return `sk-service-${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}

/** Every scenario, in any order. Ends early if the signal says so. */
export async function playAll(
  scenarios: readonly PlayableScenario[],
  options: StageOptions,
): Promise<readonly PlayedScenario[]> {
  const done: PlayedScenario[] = [];
  const alone: PlayableScenario[] = [];
  const late: { readonly scenario: PlayableScenario; readonly played: PlayedScenario }[] = [];
  const queue = [...scenarios];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next && !options.signal?.aborted; next = queue.shift()) {
      const played = await play(next, options);
      // The client's reaction to the end of its process says nothing.
      if (options.signal?.aborted) return;
      if (played.answer.kind === 'again') alone.push(next);
      else if (mayBeLate(played, next)) late.push({ scenario: next, played });
      else done.push(keep(played, options));
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, scenarios.length) }, worker));
  for (const scenario of alone) {
    if (options.signal?.aborted) break;
    const played = await playAlone(scenario, options);
    if (!options.signal?.aborted) done.push(keep(played, options));
  }
  // A busy machine delays some scenarios; a client that hangs, hangs again.
  let hangs = 0;
  for (const { scenario, played: first } of late) {
    if (options.signal?.aborted) break;
    const played = hangs < ENOUGH_HANGS ? await play(scenario, options) : first;
    if (played.answer.kind === 'timed-out') hangs += 1;
    if (!options.signal?.aborted) done.push(keep(played, options));
  }
  return done;
}

/** Whether a client without a result may only have had too little of the machine. A client that retries is known to live. */
function mayBeLate(played: PlayedScenario, { outlook, mode }: PlayableScenario): boolean {
  const { answer } = played;
  const isRetrying = outlook === 'failure' && askedCalls(played, mode).length > 1;
  return answer.kind === 'timed-out' && !answer.wasAlone && !isRetrying;
}

function keep(played: PlayedScenario, { onPlayed }: StageOptions): PlayedScenario {
  onPlayed(played);
  return played;
}

async function playAlone(scenario: PlayableScenario, options: StageOptions): Promise<PlayedScenario> {
  for (let times = 1; ; times++) {
    const played = await play(scenario, options);
    if (played.answer.kind !== 'again' || times === MAX_SOLO) return played;
  }
}

/** Once more if the client ended before it made a call: the scenario cannot be why. A driver is started again for that. */
async function play(scenario: PlayableScenario, options: StageOptions): Promise<PlayedScenario> {
  const played = await playOnce(scenario, options);
  return endedEarly(played) && !options.signal?.aborted ? playOnce(scenario, options) : played;
}

async function playOnce(scenario: PlayableScenario, options: StageOptions): Promise<PlayedScenario> {
  const { driver, key, limit, began, clean, promises, onAwait } = options;
  const stallMs = Math.round(callTime(limit) * STALL_FACTOR);
  const server = await startScenario(scenario, { key, stallMs, began, clean, promises });
  const askedAt = performance.now();
  const elapsed = (): number => performance.now() - askedAt;
  const ended = onAwait?.(() => ({ what: `client in ${scenario.id}`, elapsed: elapsed(), most: limit }));
  let answer: ClientAnswer;
  try {
    answer = await driver.ask(taskOf(scenario, server.baseUrl, key, limit), limit);
  } finally {
    ended?.();
    await server.close();
  }
  return {
    scenario: scenario.id,
    answer: { ...answer, said: clean(answer.said), complaint: clean(answer.complaint) },
    text: server.text,
    callCount: server.callCount,
    limit,
    baseUrl: server.baseUrl,
    exchanges: server.exchanges(),
  };
}

export function taskOf(scenario: PlayableScenario, baseUrl: string, key: string, limit: number): Task {
  return {
    scenario: scenario.id,
    baseUrl,
    apiKey: key,
    model: SCENARIO_MODEL,
    mode: scenario.mode,
    prompt: PROMPT,
    timeoutMs: callTime(limit),
  };
}
