/** Measures how late this process's own event loop is, since a busy checker must not blame the target for it. */

const PERIOD = 10;

export interface LatenessWatch {
  /** Something arrived: how late are we in noticing? Lateness while nothing arrives does no harm. */
  note(): void;
  /** Ends the watch. The worst lateness that was noted, in milliseconds. */
  stop(): number;
}

/** One timer serves all watches, and ticks only while there is one. */
let watches = 0;
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;
/** How late the last tick was: after a busy spell timers go first, and only then what has arrived meanwhile. */
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
