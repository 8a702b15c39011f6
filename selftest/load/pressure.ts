/** What a server of the self-test sees of its load, and when it does what its row says. One call that is asked alone does not show it. */

/** Bytes that wait for a client. A client that reads has less waiting, even while a large reply is sent. */
const SLOW_READER_BYTES = 1024 * 1024;

export class Pressure {
  /** The bytes written and not yet taken, of each open call. */
  readonly #open = new Set<() => number>();
  #lastEnd = performance.now();
  /** Most calls in flight so far. */
  peak = 0;
  disconnects = 0;
  /** Milliseconds without any call before the present ones. */
  idle = 0;

  /** Returns the function that ends it; `left`: the client went away before the end. */
  begin(waiting?: () => number): (left: boolean) => void {
    if (this.#open.size === 0) this.idle = performance.now() - this.#lastEnd;
    const call = (): number => waiting?.() ?? 0;
    this.#open.add(call);
    this.peak = Math.max(this.peak, this.#open.size);
    return (left) => {
      if (!this.#open.delete(call)) return;
      if (left) this.disconnects += 1;
      this.#lastEnd = performance.now();
    };
  }

  /** The call that is being answered counts. */
  get inFlight(): number {
    return this.#open.size;
  }

  get hasSlowReader(): boolean {
    return [...this.#open].some((waiting) => waiting() > SLOW_READER_BYTES);
  }
}

/** Asked once for each call that the row is about. */
export type Holds = () => boolean;

/** When a row shows its fault. */
export interface Condition<Asked extends (call: never) => boolean = Holds> {
  readonly kind: 'to' | 'above' | 'one-in' | 'once' | 'disconnects' | 'slow-reader' | 'idle';
  /** The limit of `above`. */
  readonly inFlight?: number;
  readonly watch: (pressure: Pressure) => Asked;
}

/** Only such calls. */
export const to = <Call>(test: (call: Call) => boolean): Condition<(call: Call) => boolean> => ({
  kind: 'to',
  watch: () => test,
});

/** More calls in flight than this. */
export const above = (inFlight: number): Condition => ({
  kind: 'above',
  inFlight,
  watch: (pressure) => () => pressure.inFlight > inFlight,
});

/** Every so many calls. */
export const oneIn = (calls: number): Condition => ({
  kind: 'one-in',
  watch: () => counting((count) => count % calls === 0),
});

/** A single call, by its place. */
export const once = (call: number): Condition => ({ kind: 'once', watch: () => counting((count) => count === call) });

/** Each time so many clients have disconnected, for so many calls. */
export const afterDisconnects = (clients: number, calls: number): Condition => ({
  kind: 'disconnects',
  watch: (pressure) => afterChange(() => Math.floor(pressure.disconnects / clients), calls),
});

/** Somebody does not read. */
export const whileReaderIsSlow: Condition = {
  kind: 'slow-reader',
  watch: (pressure) => () => pressure.hasSlowReader,
};

/** Holds for `calls` calls after `ms` milliseconds without any. */
export const afterIdle = (ms: number, calls: number): Condition => ({
  kind: 'idle',
  watch: (pressure) => afterChange(() => (pressure.idle >= ms ? pressure.idle : 0), calls),
});

function counting(test: (count: number) => boolean): Holds {
  let count = 0;
  return () => test((count += 1));
}

/** Holds for this many calls each time the number is another one, unless that is 0. */
function afterChange(number: () => number, calls: number): Holds {
  let seen = 0;
  let left = 0;
  return () => {
    const now = number();
    if (now !== seen && now !== 0) {
      seen = now;
      left = calls;
    }
    left -= 1;
    return left >= 0;
  };
}

/** So many calls at a time; others wait until one is freed. */
export function openSlots(slots: number) {
  let free = slots;
  const waiting: (() => void)[] = [];
  return {
    async take(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    free(): void {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
