/** The time limits of one answer: one for the whole attempt, and one for each of its phases. */
import type { Awaited } from '../channel/hooks.ts';
import type { LimitName } from '../exchange.ts';
import type { ReceptionOptions } from './received.ts';

interface Phase {
  /** What is waited for, before the name of the request. */
  readonly what: string;
  readonly limit: LimitName;
  readonly most: number;
}

export class Deadlines {
  readonly #timeouts: ReceptionOptions['timeouts'];
  readonly #onOver: (limit: LimitName) => void;
  readonly #began = performance.now();
  /** Of the whole attempt. */
  readonly #most: number;
  readonly #attemptTimer: NodeJS.Timeout;
  #phase: Phase;
  #phaseTimer: NodeJS.Timeout;
  /** When the phase began, or something was last heard in it. */
  #since = this.#began;

  constructor({ timeouts, bound }: Pick<ReceptionOptions, 'timeouts' | 'bound'>, onOver: (limit: LimitName) => void) {
    this.#timeouts = timeouts;
    this.#onOver = onOver;
    const isShort = bound === 'time' && timeouts.edit < timeouts.attempt;
    this.#most = isShort ? timeouts.edit : timeouts.attempt;
    this.#attemptTimer = setTimeout(onOver, this.#most, isShort ? 'edit-timeout' : 'timeout');
    this.#phase = { what: 'connection for', limit: 'connect-timeout', most: timeouts.connect };
    this.#phaseTimer = setTimeout(onOver, timeouts.connect, this.#phase.limit);
  }

  /** The request is on its way. */
  sent(at: number): void {
    this.#enter({ what: 'answer to', limit: 'first-byte-timeout', most: this.#timeouts.firstByte }, at);
  }

  headArrived(at: number): void {
    this.#enter({ what: 'rest of the answer to', limit: 'idle-timeout', most: this.#timeouts.idle }, at);
  }

  /** Part of the body arrived. */
  heard(at: number): void {
    this.#since = at;
    this.#phaseTimer.refresh();
  }

  stop(): void {
    clearTimeout(this.#attemptTimer);
    clearTimeout(this.#phaseTimer);
  }

  /** `request`: how the request is named. */
  awaited(request: string): Awaited {
    const most = Math.min(this.#phase.most, this.#began + this.#most - this.#since);
    return { what: `${this.#phase.what} ${request}`, elapsed: performance.now() - this.#since, most };
  }

  #enter(phase: Phase, at: number): void {
    clearTimeout(this.#phaseTimer);
    this.#phase = phase;
    this.#since = at;
    this.#phaseTimer = setTimeout(this.#onOver, phase.most, phase.limit);
  }
}
