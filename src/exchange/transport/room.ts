/** What a run may still keep of all that it receives. Answers that come at the same time share it. */

/** A little is always left, so that the answers of a target that once sent too much can still be judged. */
const LEAST = 16 * 1024;

export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** For an answer that has taken so much already. */
  leftFor(taken: number): number {
    return Math.max(0, LEAST - taken, this.#left);
  }

  take(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes);
  }
}
