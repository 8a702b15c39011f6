/** What starts the next round of a watch: a gateway that comes back, a changed file, Enter, a button of the page. */
import { watch } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { isLoopback } from '../../run/check-address.ts';

/** The case to ask; absent for all that are open. */
export interface Trigger {
  readonly case?: string;
}

/** Remembers what rings while a round is under way. */
export class Bell {
  #rung: Trigger | undefined;
  #wake: (() => void) | undefined;

  ring(trigger: Trigger = {}): void {
    this.#rung = trigger;
    this.#wake?.();
  }

  /** Undefined if the watch was ended instead. */
  async next(signal: AbortSignal): Promise<Trigger | undefined> {
    while (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    const rung = this.#rung;
    this.#rung = undefined;
    return signal.aborted ? undefined : rung;
  }
}

/** Milliseconds. Editors write a file in several steps. */
const SETTLE = 200;

/** Rings once for a burst of changes below the path. Returns a function that ends it. */
export function watchPath(path: string, ring: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(path, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(ring, SETTLE);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Milliseconds between two tries to connect. */
const PAUSE = { near: 50, far: 1_000 };

/**
 * Holds a connection on which nothing is sent. It closes when the gateway ends. The gateway is away if no other can be
 * opened then, and back when that works again. Returns a function that ends it.
 */
export function watchRestarts(baseUrl: string, tell: (isAway: boolean) => void): () => void {
  const { hostname, port, protocol } = new URL(baseUrl);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const pause = isLoopback(hostname) ? PAUSE.near : PAUSE.far;
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let socket: Socket | undefined;
  const hold = (): void => {
    socket = connect(address);
    let isHeld = false;
    const change = (now: boolean): void => {
      if (now !== isAway) tell(now);
      isAway = now;
    };
    socket.on('connect', () => change(!(isHeld = true)));
    socket.on('error', () => isHeld || change(true));
    socket.on('close', () => (timer = setTimeout(hold, isHeld ? 0 : pause)));
    // What nobody asked for is not kept.
    socket.resume();
  };
  hold();
  return () => {
    socket?.removeAllListeners('close').destroy();
    clearTimeout(timer);
  };
}
