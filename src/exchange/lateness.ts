/** Measures how late this process's own event loop is, since a busy checker must not blame the target for it. */

const PERIOD = 10;

export interface LatenessWatch {
  /** Ends the watch. The worst lateness in milliseconds while it went on. */
  stop(): number;
}

interface Watch {
  worst: number;
}

/** One timer serves all watches, and ticks only while there is one. */
const watches = new Set<Watch>();
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;

export function watchLateness(): LatenessWatch {
  const watch: Watch = { worst: 0 };
  watches.add(watch);
  if (timer === undefined) {
    lastTick = performance.now();
    timer = setInterval(tick, PERIOD).unref();
  }
  return {
    stop() {
      watch.worst = Math.max(watch.worst, excess());
      watches.delete(watch);
      if (watches.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      return watch.worst;
    },
  };
}

function tick(): void {
  const late = excess();
  lastTick = performance.now();
  for (const watch of watches) if (late > watch.worst) watch.worst = late;
}

function excess(): number {
  return Math.max(0, performance.now() - lastTick - PERIOD);
}
