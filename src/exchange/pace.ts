/** How fast a run may go: requests at once, requests a second, and slower after a 429. */
import { setTimeout as wait } from 'node:timers/promises';

/** Answers in a row without a 429 before one more request may go at once. */
const CALM = 10;

export class Pace {
  readonly #most: number;
  readonly #interval: number;
  #width: number;
  #busy = 0;
  #calm = 0;
  /** Nothing is sent before this moment of `performance.now()`. */
  #notBefore = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrency: number, ratePerSecond?: number) {
    this.#most = concurrency;
    this.#width = concurrency;
    this.#interval = ratePerSecond === undefined ? 0 : 1000 / ratePerSecond;
  }

  /** Resolves when a request may go; an urgent one goes before all that wait. Every enter needs its leave. */
  async enter(signal: AbortSignal, urgent = false): Promise<void> {
    while (this.#busy >= this.#width) {
      await new Promise<void>(
        (resolve) => void (urgent ? this.#waiting.unshift(resolve) : this.#waiting.push(resolve)),
      );
    }
    this.#busy += 1;
    let pause = this.#notBefore - performance.now();
    while (pause > 0 && !signal.aborted) {
      await pauseFor(pause, signal);
      pause = this.#notBefore - performance.now();
    }
    this.#notBefore = Math.max(this.#notBefore, performance.now() + this.#interval);
  }

  leave(): void {
    this.#busy -= 1;
    this.#calm += 1;
    if (this.#calm >= CALM && this.#width < this.#most) {
      this.#width += 1;
      this.#calm = 0;
    }
    this.#wake();
  }

  /** A 429 came: everybody waits, and half as many go at once afterwards. */
  slowDown(pause: number): void {
    this.#width = Math.max(1, this.#width >> 1);
    this.#calm = 0;
    this.#notBefore = Math.max(this.#notBefore, performance.now() + pause);
  }

  #wake(): void {
    for (let free = this.#width - this.#busy; free > 0; free -= 1) this.#waiting.shift()?.();
  }
}

/** Ends early, and quietly, when the run is over. */
export async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
