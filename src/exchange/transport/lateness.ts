/** Measures how late this process's own event loop is, so that a busy checker does not blame the target. */

const PERIOD = 10;

export interface LatenessWatch {
  /** Call when something arrives. Lateness does no harm while nothing arrives. */
  note(): void;
  /** Ends the watch and returns the worst lateness in milliseconds. */
  stop(): number;
}

/** One timer serves all watches, and runs only while there is one. */
let watches = 0;
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;
/** Of the last tick: after a busy spell, timers run before the sockets are read. */
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
      worst = Math.max(worst, lastLateness, excess());
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
}

function excess(): number {
  return Math.max(0, performance.now() - lastTick - PERIOD);
}
