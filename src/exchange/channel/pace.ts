/** Limits how fast a run goes: requests at once, requests a second, and less if the target cannot keep up. */
import { setTimeout as wait } from 'node:timers/promises';

/** Answers in a row without a 429 before the run speeds up a little. */
const CALM = 10;

/** The largest spacing, as a multiple of the first. */
const MAX_SPACING = 8;

export class Pace {
  #most: number;
  /** Milliseconds between two requests, from the user's rate. */
  readonly #interval: number;
  #width: number;
  readonly #firstSpacing: number;
  /** Milliseconds between two requests, from the target's refusals. */
  #spacing = 0;
  #isSlowed = false;
  /** Requests at the largest spacing were also refused, without a Retry-After, so the pace is not the cause. */
  #isInVain = false;
  #busy = 0;
  #calm = 0;
  /** Nothing is sent before this moment of `performance.now()`. */
  #notBefore = 0;
  /** All requests wait until this moment because of a 429. */
  #heldUntil = 0;
  /** When it last slowed down: refusals of requests sent before that say nothing new. */
  #slowedAt = Number.NEGATIVE_INFINITY;
  readonly #waiting: (() => void)[] = [];

  /** `firstSpacing`: milliseconds between two requests after a first 429. */
  constructor(concurrency: number, ratePerSecond?: number, firstSpacing = 0) {
    this.#firstSpacing = firstSpacing;
    this.#most = concurrency;
    this.#width = concurrency;
    this.#interval = ratePerSecond === undefined ? 0 : 1000 / ratePerSecond;
  }

  /** Resolves when a request may go; urgent ones go first. Every `enter` needs a `leave`. */
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
   * The target cannot keep up: all requests wait, then half as many go at once, further apart. `sentAt`: when the refused
   * request was sent, by `performance.now()`. `asked`: the target asked for this pause.
   */
  slowDown(pause: number, sentAt: number, asked: boolean): void {
    const now = performance.now();
    const mostSpacing = this.#firstSpacing * MAX_SPACING;
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
    this.hold(pause);
  }

  /** All requests wait for so many milliseconds. */
  hold(pause: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + pause);
    this.#notBefore = Math.max(this.#notBefore, this.#heldUntil);
  }

  /** Sets how many requests may go at once, unless the target could not keep up with fewer. */
  allow(concurrency: number): void {
    if (!this.#isSlowed || concurrency < this.#width) this.#width = concurrency;
    this.#most = concurrency;
    this.#wake();
  }

  /** Fewer requests go at once, without a pause. */
  narrow(): void {
    this.#width = Math.max(1, this.#width >> 1);
    this.#isSlowed = true;
    this.#calm = 0;
  }

  #wake(): void {
    for (let free = this.#width - this.#busy; free > 0; free -= 1) this.#waiting.shift()?.();
  }
}

/** Ends early, without an error, when the run ends. */
export async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
