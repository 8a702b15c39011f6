/** How far an answer is, and for how long nothing has come of it. */
import type { Bound } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Awaited } from '../awaited.ts';

type Phase = 'connect' | 'firstByte' | 'idle';

const WORDS: Readonly<Record<Phase, string>> = {
  connect: 'connection for',
  firstByte: 'answer to',
  idle: 'rest of the answer to',
};

export class AnswerWait {
  readonly #request: string;
  readonly #timeouts: Settings['timeouts'];
  /** By `performance.now()`: when the attempt has to be over. */
  readonly #until: number;
  #phase: Phase = 'connect';
  #since = performance.now();

  /** `request`: as people know it, such as `GET /models`. */
  constructor(request: string, timeouts: Settings['timeouts'], bound?: Bound) {
    this.#request = request;
    this.#timeouts = timeouts;
    const { attempt, edit } = timeouts;
    this.#until = this.#since + (bound === 'time' ? Math.min(edit, attempt) : attempt);
  }

  /** A sign of life: it is sent, or a part of the answer is here. */
  enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = performance.now();
  }

  look(): Awaited {
    const most = Math.min(this.#timeouts[this.#phase], this.#until - this.#since);
    return { what: `${WORDS[this.#phase]} ${this.#request}`, elapsed: performance.now() - this.#since, most };
  }
}
