/** Calls with an unknown key: one at a time, at most 20 a stage, and none once the target blocks them (rule 35). */
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';

const MAX_A_STAGE = 20;
/** In a row: then they no longer say anything about the key. */
const BLOCKED_AFTER = 3;
/** Valid calls in a row that are refused from the same moment on. */
const SHUT_OUT_AFTER = 20;
/** Every so many calls, one has an unknown key. */
const INTERVAL = 12;

const BLOCKS = [403, 429];
const REFUSES = [401, 403, 429];
/** A 429 may also be overload. */
const DENIES = [401, 403];

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
