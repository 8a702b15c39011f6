/** Memory for answers: bodies in flight and answers that wait for judging share it. */
import { ByteAllowance } from '../exchange/transport/body-intake.ts';

const MiB = 1024 * 1024;
const MOST = 64 * MiB;
/** A body is copied while it is redacted and read, so that three times as much is in use for a moment. */
const USUAL = 20 * MiB;
/** For the reply of one slow reader. */
const SLOW_READER = 12 * MiB;
/** No new call starts while less is left. */
const RESERVE = 4 * MiB;
/** Of each answer, so that one can always be judged. */
const LEAST = 16 * 1024;
/** Of each answer but a slow reader's: while one is redacted and read, copies of it are in use. */
const LARGEST = 4 * MiB;

export class AnswerRoom {
  #left: number;

  constructor(slowReaders: number) {
    this.#left = Math.min(MOST, USUAL + slowReaders * SLOW_READER);
  }

  get isFull(): boolean {
    return this.#left < RESERVE;
  }

  /** For one answer. `release` gives back what it took. */
  open(isSlowReader: boolean): CallRoom {
    const shared = { left: () => this.#left, take: (bytes: number) => (this.#left -= bytes) };
    return new CallRoom(shared, isSlowReader ? SLOW_READER : LARGEST);
  }
}

interface Shared {
  left(): number;
  take(bytes: number): void;
}

export class CallRoom extends ByteAllowance {
  readonly #shared: Shared;
  readonly #most: number;
  #taken = 0;

  constructor(shared: Shared, most: number) {
    super(0);
    this.#shared = shared;
    this.#most = most;
  }

  override leftFor(taken: number): number {
    return Math.max(0, LEAST - taken, Math.min(this.#most - taken, this.#shared.left()));
  }

  override take(bytes: number): void {
    this.#taken += bytes;
    this.#shared.take(bytes);
  }

  release(): void {
    this.#shared.take(-this.#taken);
    this.#taken = 0;
  }
}
