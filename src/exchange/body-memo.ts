/** Keeps what was read from bodies, since many checks ask for the same. Of large bodies, only the last: built, they take many times their size. */
import type { Body } from './exchange.ts';

const LARGE = 256 * 1024;

export class BodyMemo<Reading> {
  readonly #small = new WeakMap<Body, Reading>();
  #large: { readonly body: WeakRef<Body>; readonly reading: Reading } | undefined;

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
