/** What a server of the self-test sees of its load, and when it does what its row says. One call that is asked alone does not show it. */

/** Bytes that wait for a client. A client that reads has less waiting, even while a large reply is sent. */
const SLOW_READER_BYTES = 1024 * 1024;

interface OpenCall {
  /** Bytes written and not yet taken. */
  readonly waiting: () => number;
}

export class Pressure {
  readonly #open = new Set<OpenCall>();
  #peak = 0;
  #disconnects = 0;
  #lastEnd = performance.now();
  #idle = 0;

  /** Returns the function that ends it; `left`: the client went away before the end. */
  begin(waiting: OpenCall['waiting'] = () => 0): (left: boolean) => void {
    if (this.#open.size === 0) this.#idle = performance.now() - this.#lastEnd;
    const call = { waiting };
    this.#open.add(call);
    this.#peak = Math.max(this.#peak, this.#open.size);
    return (left) => {
      if (!this.#open.delete(call)) return;
      if (left) this.#disconnects += 1;
      this.#lastEnd = performance.now();
    };
  }

  /** With the call that is being answered. */
  get inFlight(): number {
    return this.#open.size;
  }

  /** Most calls in flight so far. */
  get peak(): number {
    return this.#peak;
  }

  get disconnects(): number {
    return this.#disconnects;
  }

  /** Milliseconds without any call before the present ones. */
  get idle(): number {
    return this.#idle;
  }

  get hasSlowReader(): boolean {
    for (const { waiting } of this.#open) if (waiting() > SLOW_READER_BYTES) return true;
    return false;
  }
}

export type Condition =
  /** More calls in flight than this. */
  | { readonly kind: 'above'; readonly inFlight: number }
  /** Every so many calls. */
  | { readonly kind: 'one-in'; readonly calls: number }
  /** A single call, by its place. */
  | { readonly kind: 'once'; readonly call: number }
  /** Each time so many clients have disconnected, for so many calls. */
  | { readonly kind: 'disconnects'; readonly clients: number; readonly calls: number }
  /** Somebody does not read. */
  | { readonly kind: 'slow-reader' }
  /** No call for so many milliseconds; holds for so many calls. */
  | { readonly kind: 'idle'; readonly ms: number; readonly calls: number };

export const above = (inFlight: number): Condition => ({ kind: 'above', inFlight });
export const oneIn = (calls: number): Condition => ({ kind: 'one-in', calls });
export const once = (call: number): Condition => ({ kind: 'once', call });
export const afterDisconnects = (clients: number, calls: number): Condition => ({
  kind: 'disconnects',
  clients,
  calls,
});
export const whileReaderIsSlow: Condition = { kind: 'slow-reader' };
export const afterIdle = (ms: number, calls: number): Condition => ({ kind: 'idle', ms, calls });

/** Asked once for each call that the row is about. */
export type Holds = () => boolean;

export function watchCondition(condition: Condition, pressure: Pressure): Holds {
  switch (condition.kind) {
    case 'above':
      return () => pressure.inFlight > condition.inFlight;
    case 'one-in':
      return everyNth(condition.calls);
    case 'once':
      return nth(condition.call);
    case 'disconnects':
      return afterEach(() => Math.floor(pressure.disconnects / condition.clients), condition.calls);
    case 'slow-reader':
      return () => pressure.hasSlowReader;
    case 'idle':
      return afterPause(condition.ms, condition.calls, pressure);
  }
}

function everyNth(calls: number): Holds {
  let count = 0;
  return () => (count += 1) % calls === 0;
}

function nth(call: number): Holds {
  let count = 0;
  return () => (count += 1) === call;
}

/** For so many calls each time the number has grown. */
function afterEach(number: () => number, calls: number): Holds {
  let seen = 0;
  let left = 0;
  return () => {
    if (number() > seen) {
      seen = number();
      left = calls;
    }
    left -= 1;
    return left >= 0;
  };
}

function afterPause(ms: number, calls: number, pressure: Pressure): Holds {
  let last = 0;
  let left = 0;
  return () => {
    const { idle } = pressure;
    if (idle !== last) {
      last = idle;
      if (idle >= ms) left = calls;
    }
    left -= 1;
    return left >= 0;
  };
}

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
