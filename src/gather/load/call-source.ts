/** What the next call of a stage is: drawn from the mix, a slow reader's, one with an unknown key, or one in pieces. */
import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { type DrawnCall, drawCall, type LoadCall, type MixOptions, staying, withId } from './calls.ts';
import type { StagePlan } from './plan-load.ts';

export interface CallSourceOptions {
  readonly mix: MixOptions;
  /** There is an upstream of ours, which can pause in the middle of a stream. */
  readonly hasUpstream: boolean;
  readonly sendsUnknownKeys: boolean;
}

export class CallSource {
  readonly #options: CallSourceOptions;
  readonly keys = new KeyWatch();
  readonly #paced = new PacedCalls();

  constructor(options: CallSourceOptions) {
    this.#options = options;
  }

  beginStage(plan: StagePlan): void {
    this.keys.beginStage();
    this.#paced.beginStage(plan);
  }

  /** `isSlow`: of a slow reader. */
  draw(stage: number, number: number, isSlow = false): LoadCall {
    return withId(this.#choose(drawCall(this.#options.mix, stage, number), number, isSlow), stage, number);
  }

  /** One more after all others of a stage, if it is needed to understand them. */
  drawLast(stage: number, number: number): LoadCall | undefined {
    if (!this.#options.sendsUnknownKeys || !this.keys.takesLast()) return undefined;
    return withId(withUnknownKey(drawCall(this.#options.mix, stage, number)), stage, number);
  }

  /** Call when it has ended. */
  end({ kind, profile }: LoadCall): void {
    if (kind === 'unknown-key') this.keys.end();
    if (profile === 'paced') this.#paced.end();
  }

  #choose(drawn: DrawnCall, number: number, isSlow: boolean): DrawnCall {
    const { sendsUnknownKeys, hasUpstream } = this.#options;
    if (isSlow) return { ...staying(drawn), kind: 'slow-reader', mode: 'stream', profile: 'huge', usesOtherKey: false };
    if (sendsUnknownKeys && this.keys.takes(number)) return withUnknownKey(drawn);
    if (hasUpstream && this.#paced.takes(number))
      return { ...staying(drawn), kind: 'stream', mode: 'stream', profile: 'paced', usesOtherKey: false };
    return drawn;
  }
}

function withUnknownKey(drawn: DrawnCall): DrawnCall {
  return { ...staying(drawn), kind: 'unknown-key', mode: 'plain' };
}

const MAX_A_STAGE = 20;
/** Calls in a row after which they no longer say anything about the key. */
const BLOCKED_AFTER = 3;
/** Valid calls in a row that are refused from the same moment on. */
const SHUT_OUT_AFTER = 20;
/** Every so many calls, one has an unknown key. */
const INTERVAL = 12;

const BLOCKS = [403, 429];
const REFUSES = [401, 403, 429];
/** A 429 may also be overload. */
const DENIES = [401, 403];

/** Calls with an unknown key: one at a time, at most 20 a stage, and none once the target blocks them (rule 35). */
export class KeyWatch {
  #inStage = 0;
  #isUnderWay = false;
  #blocks = 0;
  #refused = 0;
  /** When the first of the valid calls was sent that were denied, if none was answered since. */
  #deniedSince: number | undefined;
  #endedShutOut = false;

  beginStage(): void {
    this.#inStage = 0;
  }

  /** Whether the call with this number has an unknown key. One of the stage is left for its end. */
  takes(number: number): boolean {
    const isDue = number % INTERVAL === INTERVAL - 1 && this.#inStage < MAX_A_STAGE - 1;
    return isDue && this.#take();
  }

  /** Whether one more has an unknown key, after all calls of a stage: a short one ends before enough were blocked. */
  takesLast(): boolean {
    return this.#deniedSince !== undefined && this.#take();
  }

  #take(): boolean {
    if (this.isBlocked || this.#isUnderWay) return false;
    this.#isUnderWay = true;
    this.#inStage += 1;
    return true;
  }

  endStage(): void {
    this.#endedShutOut ||= this.#deniedSince !== undefined && this.#blocks > 0;
  }

  /** They get 403 or 429, whatever the key. */
  get isBlocked(): boolean {
    return this.#endedShutOut || this.#blocks >= BLOCKED_AFTER;
  }

  /** Valid calls are refused since the unknown keys were blocked. */
  get isShutOut(): boolean {
    return this.#endedShutOut || (this.isBlocked && this.#refused >= SHUT_OUT_AFTER);
  }

  /** A call with an unknown key has ended. */
  end(): void {
    this.#isUnderWay = false;
  }

  noteUnknown(exchange: Exchange): void {
    const status = lastAnswer(exchange)?.status;
    this.#blocks = status !== undefined && BLOCKS.includes(status) ? this.#blocks + 1 : 0;
  }

  noteValid(exchange: Exchange): void {
    const status = lastAnswer(exchange)?.status;
    const isRefused = status !== undefined && REFUSES.includes(status);
    this.#refused = this.isBlocked && isRefused ? this.#refused + 1 : 0;
    const sentAt = exchange.attempts.at(-1)?.sentAt ?? 0;
    if (status !== undefined && DENIES.includes(status)) this.#deniedSince ??= sentAt;
    // A reply to an earlier call may end later, such as a long stream.
    else if (status === 200 && sentAt > (this.#deniedSince ?? Infinity)) this.#deniedSince = undefined;
  }
}

/** Milliseconds: shorter stages have no time for them. */
const SHORTEST_STAGE = 1_000;
const FEWEST_IN_FLIGHT = 4;
const MOST_PACED = 3;
/** A burst is over too soon, and a command may last for hours. */
const PHASES: readonly StagePlan['phase'][] = ['ramp', 'halving'];
/** The first calls of a stage find connections to open. */
const FIRST_CALL = 5;

/**
 * Streams in whose middle the scripted upstream pauses: one at a time, a few a stage. Alone, `run` and `relay` judge whether
 * pieces are forwarded as they arrive.
 */
export class PacedCalls {
  #left = 0;
  #isUnderWay = false;

  beginStage({ phase, inFlight, least }: StagePlan): void {
    const isMeant = PHASES.includes(phase) && inFlight >= FEWEST_IN_FLIGHT && least >= SHORTEST_STAGE;
    this.#left = isMeant ? MOST_PACED : 0;
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
