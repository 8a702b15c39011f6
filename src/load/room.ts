/** Memory for answers: bodies in flight and answers that wait for judging share it. */
import { ByteAllowance } from '../exchange/transport/collector.ts';

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

export class AnswerRoom {
  #left: number;

  constructor(slowReaders: number) {
    this.#left = Math.min(MOST, USUAL + slowReaders * SLOW_READER);
  }

  get isFull(): boolean {
    return this.#left < RESERVE;
  }

  /** For one answer. `release` gives back what it took. */
  open(): CallRoom {
    return new CallRoom({
      left: () => this.#left,
      take: (bytes) => (this.#left -= bytes),
    });
  }
}

interface Shared {
  left(): number;
  take(bytes: number): void;
}

export class CallRoom extends ByteAllowance {
  readonly #shared: Shared;
  #taken = 0;

  constructor(shared: Shared) {
    super(0);
    this.#shared = shared;
  }

  override leftFor(taken: number): number {
    return Math.max(0, LEAST - taken, this.#shared.left());
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
