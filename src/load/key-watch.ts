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

export class KeyWatch {
  #inStage = 0;
  #isUnderWay = false;
  #blocks = 0;
  #refused = 0;

  beginStage(): void {
    this.#inStage = 0;
  }

  /** Whether the call with this number has an unknown key. */
  takes(number: number): boolean {
    if (number % INTERVAL !== INTERVAL - 1 || this.isBlocked || this.#isUnderWay || this.#inStage >= MAX_A_STAGE)
      return false;
    this.#isUnderWay = true;
    this.#inStage += 1;
    return true;
  }

  /** They get 403 or 429, whatever the key. */
  get isBlocked(): boolean {
    return this.#blocks >= BLOCKED_AFTER;
  }

  /** Valid calls are refused since the unknown keys were blocked. */
  get isShutOut(): boolean {
    return this.isBlocked && this.#refused >= SHUT_OUT_AFTER;
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
    this.#refused = this.isBlocked && status !== undefined && REFUSES.includes(status) ? this.#refused + 1 : 0;
  }
}
