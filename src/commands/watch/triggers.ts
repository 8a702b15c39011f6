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
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  ring(testCase?: string): void {
    this.#rung.add(testCase);
    this.#wake();
  }

  /** Undefined if the watch was ended instead. */
  async next(): Promise<Trigger | undefined> {
    const isQuiet = this.#rung.size === 0 && !this.#signal.aborted;
    if (isQuiet) await new Promise<void>((resolve) => (this.#wake = resolve));
    await pauseFor(SETTLE, this.#signal);
    const rung = this.#rung;
    this.#rung = new Set();
    return this.#signal.aborted ? undefined : rung;
  }
}

/** Milliseconds between two looks for another file or folder of that name: editors put a new file in place of the old. */
const LOOK = 250;

/** Returns a function that ends it. */
export function watchPath(path: string, ring: () => void): () => void {
  const open = () => (existsSync(path) ? watch(path, { recursive: true }, ring).on('error', ring) : undefined);
  let watcher = open();
  const renew = (): void => {
    watcher?.close();
    watcher = open();
    ring();
  };
  watchFile(path, { interval: LOOK }, renew);
  return () => {
    unwatchFile(path, renew);
    watcher?.close();
  };
}

/** Milliseconds that a connection is held, and those before the next. Farther servers may log each. */
const NEAR = { hold: 500, pause: 25 };
const FAR = { hold: 10_000, pause: 1_000 };

/**
 * Holds a connection on which nothing is sent, and renews it, since a gateway may wait for the last one to close. The
 * gateway is away if none can be opened, or if it closes one although it held the one before. It is back when another is
 * open. Returns a function that ends it.
 */
export function watchRestarts(baseUrl: string, tell: (isAway: boolean) => void): () => void {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 443 : 80) };
  const { hold, pause } = isLoopback(hostname) && !isSecure ? NEAR : FAR;
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
