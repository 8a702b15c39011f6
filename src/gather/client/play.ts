/** Plays scenarios: the controls first, the rest side by side, and alone what could not be told apart. */
import type { ClientDriver, Task } from './drive/process-driver.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { ClientAnswer, PlayedScenario } from '../../exchange/traffic.ts';
import { askedCalls, endedEarly } from './outcome.ts';
import type { PlayableScenario } from './scenario.ts';
import { SCENARIO_MODEL, type ServerOptions, startScenario } from './scenario-server.ts';

const PROMPT = 'Which word is it?';
/** Times that a scenario is asked alone after its driver died under others. */
const MAX_SOLO = 2;
/** Scenarios without a result, asked alone once more, that show that it is not the machine. */
const ENOUGH_HANGS = 2;

export interface Stage extends Pick<Hooks, 'onAwait' | 'signal'>, Omit<ServerOptions, 'stallMs'> {
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
export async function playAll(scenarios: readonly PlayableScenario[], stage: Stage): Promise<void> {
  const alone: PlayableScenario[] = [];
  const late: { readonly scenario: PlayableScenario; readonly played: PlayedScenario }[] = [];
  const isOver = (): boolean => stage.signal?.aborted ?? false;
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
function mayBeLate(played: PlayedScenario, { outlook, mode }: PlayableScenario): boolean {
  const { answer } = played;
  const isRetrying = outlook === 'failure' && askedCalls(played, mode).length > 1;
  return answer.kind === 'timed-out' && !answer.wasAlone && !isRetrying;
}

async function playAlone(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  for (let times = 1; ; times++) {
    const played = await play(scenario, stage);
    if (played.answer.kind !== 'again' || times === MAX_SOLO) return played;
  }
}

/**
 * Plays once more if the client ended before it made a call: the scenario cannot be why. A driver is started again for
 * that.
 */
async function play(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  const played = await playOnce(scenario, stage);
  return endedEarly(played) && !stage.signal?.aborted ? playOnce(scenario, stage) : played;
}

async function playOnce(scenario: PlayableScenario, stage: Stage): Promise<PlayedScenario> {
  const { driver, key, limit, clean, onAwait } = stage;
  const stallMs = Math.round(callTime(limit) * STALL_FACTOR);
  const server = await startScenario(scenario, { ...stage, stallMs });
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
