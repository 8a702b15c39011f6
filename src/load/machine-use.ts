/** How much of the whole machine was in use: what else runs on it makes times longer, and the target is not to blame. */
import { cpus } from 'node:os';

/** Share of all cores from which nothing was left to wait for. */
const FULL = 0.95;

/** `used`: 0 to 1, over all cores; undefined if the system does not tell. */
export interface MachineUse {
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
