/** All parts of one socket read share one time, however many chunks HTTP framing makes of it. */
export class ReadClock {
  #time: number | undefined;

  time(now: number): number {
    if (this.#time === undefined) {
      this.#time = now;
      queueMicrotask(() => (this.#time = undefined));
    }
    return this.#time;
  }
}
