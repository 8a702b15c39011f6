/** Keeps what was read from bodies, since many checks ask for the same. Of large bodies, only the last: built, they take many times their size. */
import type { Body } from './exchange.ts';

const LARGE = 256 * 1024;

const memories: (() => void)[] = [];

/** Has something forgotten together with everything else that was read from bodies. */
export function onForgetting(forget: () => void): void {
  memories.push(forget);
}

/**
 * For whoever has read what it wanted and goes on to other bodies. What a WeakMap holds outlives its key until the next
 * collection of everything, so that a long row of bodies would take up far more memory than it has to.
 */
export function forgetReadings(): void {
  for (const forget of memories) forget();
}

export class BodyMemo<Reading> {
  #small = new WeakMap<Body, Reading>();
  #large: { readonly body: WeakRef<Body>; readonly reading: Reading } | undefined;

  constructor() {
    onForgetting(() => {
      this.#small = new WeakMap();
      this.#large = undefined;
    });
  }

  get(body: Body): Reading | undefined {
    return body.bytes.length < LARGE || this.#large?.body.deref() !== body
      ? this.#small.get(body)
      : this.#large.reading;
  }

  set(body: Body, reading: Reading): void {
    if (body.bytes.length < LARGE) this.#small.set(body, reading);
    else this.#large = { body: new WeakRef(body), reading };
  }
}
