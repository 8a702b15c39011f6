/**
 * Keeps the process small. The engine collects garbage when it sees fit, which on a large machine is late: a target that
 * sends as much as it is allowed to would make it take up several times what is in use.
 */
import { setFlagsFromString } from 'node:v8';

/** By so much of what is in use may garbage grow before it is collected. */
const USUAL_GROWTH = '--heap-growing-percent=20';
const GROWTH_IN_HASTE = '--heap-growing-percent=50';

let isOurs = false;

/** For a process of our own. In somebody else's, as a library, memory is none of our business. */
export function keepMemoryLow(): void {
  isOurs = true;
  // Nearly everything new is forgotten at once, and needs little room for that; the engine would grow it to 48 MiB.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(USUAL_GROWTH);
}

/** For work in very many small pieces, which would take longer to look after than to do. */
export function hurry(): void {
  if (isOurs) setFlagsFromString(GROWTH_IN_HASTE);
}

/** After such work. */
export function hurryNoMore(): void {
  if (isOurs) setFlagsFromString(USUAL_GROWTH);
}
