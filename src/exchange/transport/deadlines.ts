/** Time while an answer is received: its limits, for the whole attempt and for each phase, and how late we are ourselves. */
import type { Bound } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Awaited } from '../channel/hooks.ts';
import type { LimitName } from '../exchange.ts';

export type Deadlines = ReturnType<typeof startDeadlines>;

/** `onOver`: called with the limit that is over. */
export function startDeadlines(
  { timeouts, bound }: { readonly timeouts: Settings['timeouts']; readonly bound?: Bound },
  onOver: (limit: LimitName) => void,
) {
  const began = performance.now();
  const isShort = bound === 'time' && timeouts.edit < timeouts.attempt;
  const mostOfAll = isShort ? timeouts.edit : timeouts.attempt;
  const attemptTimer = setTimeout(onOver, mostOfAll, isShort ? 'edit-timeout' : 'timeout');
  /** What is waited for, before the name of the request. */
  let what = 'connection for';
  let most = timeouts.connect;
  let phaseTimer = setTimeout(onOver, most, 'connect-timeout');
  /** When the phase began, or something was last heard in it. */
  let since = began;
  const enter = (at: number, awaited: string, limit: LimitName, time: number): void => {
    clearTimeout(phaseTimer);
    [what, most, since] = [awaited, time, at];
    phaseTimer = setTimeout(onOver, time, limit);
  };
  return {
    /** The request is on its way. */
    sent: (at: number) => enter(at, 'answer to', 'first-byte-timeout', timeouts.firstByte),
    headArrived: (at: number) => enter(at, 'rest of the answer to', 'idle-timeout', timeouts.idle),
    /** Part of the body arrived. */
    heard(at: number): void {
      since = at;
      phaseTimer.refresh();
    },
    stop(): void {
      clearTimeout(attemptTimer);
      clearTimeout(phaseTimer);
    },
    /** `request`: how the request is named. */
    awaited: (request: string): Awaited => ({
      what: `${what} ${request}`,
      elapsed: performance.now() - since,
      most: Math.min(most, began + mostOfAll - since),
    }),
  };
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
