/**
 * Keeps the process small. The engine collects garbage when it sees fit, which on a large machine is late: a target that
 * sends as much as it is allowed to would make it take up several times what is in use.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MiB = 1024 * 1024;
/** Below this nothing is done, so that an ordinary run never waits for it. */
const SMALL = 100 * MiB;
/** What may pile up before it is worth the time to collect it. */
const PILE = 8 * MiB;

let isOurs = false;
let isLeft = false;
let collect: (() => void) | undefined;
let after = 0;

/** Milliseconds between two looks, since a look takes a good part of one. */
const BETWEEN_LOOKS = 20;
let lastLook = 0;

/** For a process of our own. In somebody else's, as a library, memory is none of our business. */
export function keepMemoryLow(): void {
  isOurs = true;
  // Nearly everything new is forgotten at once, and needs little room for that; the engine would grow it to 48 MiB.
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * For work in very many small pieces, which would take longer to look after by hand than to do: from here on the engine
 * is only told to collect sooner than it would.
 */
export function leaveToEngine(): void {
  if (!isOurs) return;
  isLeft = true;
  setFlagsFromString('--heap-growing-percent=50');
}

/** After such work. */
export function lookAfterAgain(): void {
  isLeft = false;
}

/** To be called now and then, between two pieces of work. */
export function tidyUp(): void {
  if (!isOurs || isLeft || performance.now() - lastLook < BETWEEN_LOOKS) return;
  lastLook = performance.now();
  const { rss, heapUsed, external } = process.memoryUsage();
  if (rss < SMALL || heapUsed + external - after < PILE) return;
  collect ??= exposeCollector();
  collect();
  const now = process.memoryUsage();
  after = now.heapUsed + now.external;
}

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
