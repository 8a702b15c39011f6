/** What a server of the self-test sees of its load. The conditions of its faults are functions of this. */

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
