/** A bucket of three calls, refilled by one per second, so that `Retry-After: 1` is true. */
const CAPACITY = 3;
const REFILL_MS = 1000;

export class RateLimit {
  #left = CAPACITY;
  #since = Date.now();

  /** Uses up one call; false if there is none left. */
  spend(now = Date.now()): boolean {
    const refilled = Math.floor((now - this.#since) / REFILL_MS);
    if (refilled > 0) {
      this.#left = Math.min(CAPACITY, this.#left + refilled);
      this.#since += refilled * REFILL_MS;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
