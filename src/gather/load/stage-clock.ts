/** Measures a stage: calls in flight over time, and how busy the generator itself was. */

import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoadStage } from '../../report/load-report.ts';

/** Milliseconds of delay, at the 99th percentile, from which the times of a stage do not count. */
const BUSY = 100;

type Measured = Pick<LoadStage, 'reached' | 'duration' | 'generator'>;

export class StageClock {
  readonly #began = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #machine = new MachineWatch();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  #inFlight = 0;
  #most = 0;
  /** Calls times milliseconds. */
  #area = 0;
  #changed = this.#began;
  #heldBack = 0;
  #heldSince: number | undefined;

  constructor() {
    this.#delay.enable();
  }

  get elapsed(): number {
    return performance.now() - this.#began;
  }

  /** `by`: 1 when a call starts, -1 when it ends. */
  change(by: 1 | -1): void {
    const now = performance.now();
    this.#area += this.#inFlight * (now - this.#changed);
    this.#changed = now;
    this.#inFlight += by;
    this.#most = Math.max(this.#most, this.#inFlight);
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.#heldSince ??= performance.now();
    else if (this.#heldSince !== undefined) {
      this.#heldBack += performance.now() - this.#heldSince;
      this.#heldSince = undefined;
    }
  }

  stop(): Measured {
    this.hold(false);
    this.#delay.disable();
    const duration = this.elapsed;
    const { user, system } = process.cpuUsage(this.#cpu);
    const { used, isFull } = this.#machine.stop();
    // The monitor counts its own resolution as delay.
    const delay = Math.max(0, this.#delay.percentile(99) / 1e6 - 10);
    return {
      reached: { mean: round(duration === 0 ? 0 : this.#area / duration), most: this.#most },
      duration: Math.round(duration),
      generator: {
        delay: round(delay),
        cpu: round((user + system) / 1000 / Math.max(1, duration)),
        memory: process.memoryUsage.rss(),
        heldBack: Math.round(this.#heldBack),
        isBusy: delay > BUSY,
        ...(used !== undefined && { machine: round(used) }),
        ...(isFull && { isMachineBusy: true }),
      },
    };
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

// How much of the whole machine was in use: what else runs on it makes times longer, and the target is not to blame.

/** Share of all cores from which nothing was left to wait for. */
const FULL = 0.95;

/** `used`: 0 to 1, over all cores; undefined if the system does not tell. */
interface MachineUse {
  readonly used?: number;
  readonly isFull: boolean;
}

interface Ticks {
  readonly idle: number;
  readonly all: number;
}

export class MachineWatch {
  readonly #read: () => Ticks;
  readonly #began: Ticks;

  constructor(read: () => Ticks = readTicks) {
    this.#read = read;
    this.#began = read();
  }

  /** Since it was made. */
  stop(): MachineUse {
    const { idle, all } = this.#read();
    const passed = all - this.#began.all;
    if (passed <= 0) return { isFull: false };
    const used = 1 - (idle - this.#began.idle) / passed;
    return { used: Math.min(1, Math.max(0, used)), isFull: used >= FULL };
  }
}

function readTicks(): Ticks {
  const times = cpus().map((core) => core.times);
  const sum = (of: (core: (typeof times)[number]) => number): number => times.reduce((all, core) => all + of(core), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum((core) => Object.values(core).reduce((all, each) => all + each, 0)),
  };
}
