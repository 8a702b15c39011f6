/** Tells how far a run is: twice a second in a stage, and when something else begins. */
import type { LoadHooks, LoadProgress } from './load-setup.ts';
import type { StagePlan } from './ramp.ts';

/** Milliseconds. */
const INTERVAL = 500;

export class ProgressTeller {
  readonly #onProgress: LoadHooks['onProgress'];
  #done = 0;
  #total: number;

  /** `total`: stages that are planned. */
  constructor(onProgress: LoadHooks['onProgress'], total: number) {
    this.#onProgress = onProgress;
    this.#total = total;
  }

  /** The target has had enough: of the stages that are left, only the last is run. */
  skipToLast(): void {
    this.#total = this.#done + 1;
  }

  tell(now: LoadProgress['now']): void {
    this.#onProgress?.({ done: this.#done, total: this.#total, now });
  }

  /** Until the stage ends. */
  async during<Result>({ phase, inFlight, least, most }: StagePlan, stage: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const tell = (): void =>
      this.tell({ kind: 'stage', phase, inFlight, least, most, elapsed: performance.now() - began });
    tell();
    const timer = setInterval(tell, INTERVAL).unref();
    try {
      return await stage();
    } finally {
      clearInterval(timer);
      // The search for the smallest load comes on top.
      if (phase !== 'halving') this.#done += 1;
    }
  }
}
