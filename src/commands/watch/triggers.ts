/** What starts the next round of a watch: a gateway that comes back, a changed file, Enter, a button of the page. */
import { existsSync, unwatchFile, watch, watchFile } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { pauseFor } from '../../exchange/channel/pace.ts';
import { isLoopback } from '../../run/check-address.ts';

/** The cases to ask; undefined among them stands for all that are open. */
export type Trigger = ReadonlySet<string | undefined>;

/** Milliseconds. Editors write a file in several steps, and impatient people press Enter twice. */
const SETTLE = 200;

/** Remembers what rings while a round is under way. */
export class Bell {
  #rung = new Set<string | undefined>();
  #wake = (): void => undefined;

  ring(testCase?: string): void {
    this.#rung.add(testCase);
    this.#wake();
  }

  /** Undefined if the watch was ended instead, which has to ring too. */
  async next(signal: AbortSignal): Promise<Trigger | undefined> {
    if (this.#rung.size === 0 && !signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
    await pauseFor(SETTLE, signal);
    const rung = this.#rung;
    this.#rung = new Set();
    return signal.aborted ? undefined : rung;
  }
}

/** Follows the name: editors put a new file in place of the old. Returns a function that ends it. */
export function watchPath(path: string, ring: () => void): () => void {
  const open = () => (existsSync(path) ? watch(path, { recursive: true }, ring).on('error', ring) : undefined);
  let watcher = open();
  const renew = (): void => {
    watcher?.close();
    watcher = open();
    ring();
  };
  watchFile(path, { interval: 250 }, renew);
  return () => {
    unwatchFile(path, renew);
    watcher?.close();
  };
}

/**
 * Holds a connection on which nothing is sent, and renews it, since a gateway may wait for the last one to close. The
 * gateway is away if none can be opened, or if it closes one although it held the one before. It is back when another is
 * open. Returns a function that ends it.
 */
export function watchRestarts(baseUrl: string, tell: (isAway: boolean) => void): () => void {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 443 : 80) };
  // Milliseconds. Farther servers may log each connection.
  const [hold, pause] = isLoopback(hostname) && !isSecure ? [500, 25] : [10_000, 1_000];
  let [isAway, isHeld] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  let socket: Socket | undefined;
  const change = (now: boolean): void => {
    if (now !== isAway) tell((isAway = now));
  };
  const open = (): void => {
    // What nobody asked for is not kept.
    const opened = connect(address).resume();
    let isLost = true;
    opened.on('connect', () => {
      isLost = isHeld;
      change(false);
      opened.setTimeout(hold, () => {
        [isLost, isHeld] = [false, true];
        opened.destroy();
      });
    });
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (isLost) change(!(isHeld = false));
      timer = setTimeout(open, pause);
    });
    socket = opened;
  };
  open();
  return () => {
    socket?.removeAllListeners('close').destroy();
    clearTimeout(timer);
  };
}
