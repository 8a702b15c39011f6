/** A bucket of three calls that fills again by one a second, so that `Retry-After: 1` is the truth. */
const CAPACITY = 3;
const REFILL_MS = 1000;

export class RateLimit {
  #left = CAPACITY;
  #since = Date.now();

  /** Takes one call; false where there is none. */
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
