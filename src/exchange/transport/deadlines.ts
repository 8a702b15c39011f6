/** Time while an answer is received: its limits, for the whole attempt and for each phase, and how late we are ourselves. */
import type { Bound } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Awaited } from '../channel/hooks.ts';
import type { LimitName } from '../exchange.ts';

interface Phase {
  /** What is waited for, before the name of the request. */
  readonly what: string;
  readonly limit: LimitName;
  readonly most: number;
}

export class Deadlines {
  readonly #timeouts: Settings['timeouts'];
  readonly #onOver: (limit: LimitName) => void;
  readonly #began = performance.now();
  /** The limit of the whole attempt. */
  readonly #most: number;
  readonly #attemptTimer: NodeJS.Timeout;
  #phase: Phase;
  #phaseTimer: NodeJS.Timeout;
  /** When the phase began, or something was last heard in it. */
  #since = this.#began;

  constructor(
    { timeouts, bound }: { readonly timeouts: Settings['timeouts']; readonly bound?: Bound },
    onOver: (limit: LimitName) => void,
  ) {
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

/** Measures how late this process's own event loop is, so that a busy checker does not blame the target. */

const PERIOD = 10;

interface LatenessWatch {
  /** Call when something arrives: returns for how long it may have waited. Lateness does no harm while nothing arrives. */
  note(): number;
  /** Ends the watch and returns the worst lateness in milliseconds. */
  stop(): number;
}

/** One timer serves all watches, and runs only while there is one. */
let watches = 0;
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;
/** How late the last tick was, until the sockets have been read: after a busy spell, timers run before that. */
let lastLateness = 0;

export function watchLateness(): LatenessWatch {
  let worst = 0;
  watches += 1;
  if (timer === undefined) {
    lastTick = performance.now();
    lastLateness = 0;
    timer = setInterval(tick, PERIOD).unref();
  }
  return {
    note() {
      const now = Math.max(lastLateness, excess());
      worst = Math.max(worst, now);
      return now;
    },
    stop() {
      watches -= 1;
      if (watches === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      return worst;
    },
  };
}

function tick(): void {
  lastLateness = excess();
  lastTick = performance.now();
  if (lastLateness > 0) setImmediate(() => (lastLateness = 0));
}

function excess(): number {
  return Math.max(0, performance.now() - lastTick - PERIOD);
}
