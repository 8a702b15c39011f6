/**
 * Streams in whose middle the scripted upstream pauses: whether their pieces are forwarded as they arrive. Only the times
 * of reading count, so that no two clocks are compared.
 */
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import { textTimes } from '../exchange/reading/looks-fake.ts';
import type { FindingParts } from '../verdict/finding.ts';
import type { KnownCall } from './call-registry.ts';
import type { StagePlan } from './ramp.ts';

/** Milliseconds that the upstream pauses. */
const PACED_PAUSE = 1_500;
/** Milliseconds between two pieces of other streams, so that they overlap. */
const GAP = 1;
/** Milliseconds that a piece may stay in the gateway (rule 32). */
const MAX_DELAY = 1_000;
/** Milliseconds: shorter stages have no time for them. */
const SHORTEST_STAGE = 1_000;
/** Alone, `run` and `relay` judge it. */
const FEWEST_IN_FLIGHT = 4;
const MAX_A_STAGE = 3;
/** A burst is over too soon, and a command may last for hours. */
const PHASES: readonly StagePlan['phase'][] = ['ramp', 'halving'];
/** The first calls of a stage find connections to open. */
const FIRST_CALL = 5;

/** One at a time, a few a stage. */
export class PacedCalls {
  #left = 0;
  #isUnderWay = false;

  beginStage({ phase, inFlight, least }: StagePlan): void {
    const isMeant = PHASES.includes(phase) && inFlight >= FEWEST_IN_FLIGHT && least >= SHORTEST_STAGE;
    this.#left = isMeant ? MAX_A_STAGE : 0;
  }

  /** Whether the call with this number is one. */
  takes(number: number): boolean {
    if (this.#left === 0 || this.#isUnderWay || number < FIRST_CALL) return false;
    this.#left -= 1;
    this.#isUnderWay = true;
    return true;
  }

  end(): void {
    this.#isUnderWay = false;
  }
}

/** What the upstream does between two pieces. */
export async function pauseStream(call: KnownCall): Promise<void> {
  const isPaced = call.profile === 'paced';
  if (isPaced) call.wasPaced = true;
  await new Promise((resolve) => setTimeout(resolve, isPaced ? PACED_PAUSE : GAP));
}

/** Undefined if it has no text. `parts`: what is wrong with it. */
export function judgePieces(exchange: Exchange): { readonly parts?: FindingParts } | undefined {
  const answer = lastAnswer(exchange);
  const times = answer ? textTimes(readChunks(answer)) : [];
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const delay = PACED_PAUSE - (last - first);
  if (delay <= MAX_DELAY) return {};
  return {
    parts: {
      mismatch: 'held-back',
      expected: { kind: 'piece-within', limit: MAX_DELAY },
      actualType: 'delay',
      actual: { kind: 'delay', time: Math.round(delay) },
    },
  };
}
