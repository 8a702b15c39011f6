/** Measures how late this process's own event loop is, so that a busy checker does not blame the target. */

const PERIOD = 10;

export interface LatenessWatch {
  /** Call when something arrives: returns for how long it may have waited. Lateness does no harm while nothing arrives. */
  note(): number;
  /** Ends the watch and returns the worst lateness in milliseconds. */
  stop(): number;
}

/** One timer serves all watches, and runs only while there is one. */
let watches = 0;
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;
/** Of the last tick, until the sockets have been read: after a busy spell, timers run before that. */
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
