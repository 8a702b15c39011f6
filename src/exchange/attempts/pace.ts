/** How fast a run may go: requests at once, requests a second, and slower where the target cannot keep up. */
import { setTimeout as wait } from 'node:timers/promises';

/** Answers in a row without a 429 before the run goes a little faster again. */
const CALM = 10;

/** How many times the first spacing the largest one is. */
const MOST_SPACING = 8;

export class Pace {
  readonly #most: number;
  /** Milliseconds between two requests that the user asked for. */
  readonly #interval: number;
  #width: number;
  readonly #firstSpacing: number;
  /** Milliseconds between two requests that the target seems to ask for. */
  #spacing = 0;
  #isSlowed = false;
  /** What went as far apart as it gets was refused all the same, without a word on when to come again: then it is not for the pace. */
  #isInVain = false;
  #busy = 0;
  #calm = 0;
  /** Nothing is sent before this moment of `performance.now()`. */
  #notBefore = 0;
  /** Until this moment everybody waits because of a 429. */
  #heldUntil = 0;
  /** When it last went slower: what was under way at that moment says nothing new. */
  #slowedAt = Number.NEGATIVE_INFINITY;
  readonly #waiting: (() => void)[] = [];

  /** `firstSpacing`: milliseconds between two requests after a first 429. */
  constructor(concurrency: number, ratePerSecond?: number, firstSpacing = 0) {
    this.#firstSpacing = firstSpacing;
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
    this.#notBefore = Math.max(this.#notBefore, performance.now() + Math.max(this.#interval, this.#spacing));
  }

  leave(): void {
    this.#busy -= 1;
    this.#calm += 1;
    if (this.#isSlowed && this.#calm >= CALM) {
      this.#width = Math.min(this.#most, this.#width + 1);
      this.#spacing = this.#spacing > this.#firstSpacing / 2 ? this.#spacing / 2 : 0;
      this.#calm = 0;
    }
    this.#wake();
  }

  /**
   * The target cannot keep up: everybody waits, and afterwards half as many go at once, and further apart. `sentAt`: when
   * that was sent which it refused, by `performance.now()`. `asked`: the pause is what the target asked for.
   */
  slowDown(pause: number, sentAt: number, asked: boolean): void {
    const now = performance.now();
    const mostSpacing = this.#firstSpacing * MOST_SPACING;
    this.#calm = 0;
    if (sentAt >= this.#slowedAt) {
      this.#slowedAt = now;
      this.#isInVain ||= !asked && this.#firstSpacing > 0 && this.#spacing >= mostSpacing;
      this.#width = Math.max(1, this.#width >> 1);
      this.#isSlowed = true;
      this.#spacing = this.#isInVain
        ? this.#firstSpacing
        : Math.min(mostSpacing, Math.max(this.#firstSpacing, this.#spacing * 2));
    }
    if (this.#isInVain && !asked) return;
    this.#heldUntil = Math.max(this.#heldUntil, now + pause);
    this.#notBefore = Math.max(this.#notBefore, this.#heldUntil);
  }

  /** Fewer go at once, but none has to wait. */
  narrow(): void {
    this.#width = Math.max(1, this.#width >> 1);
    this.#isSlowed = true;
    this.#calm = 0;
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
