/** Who may call what, and how often: keys, models and the rate limit. */
import type { JsonObject } from './json.ts';

export const KEY_ROLES = ['full', 'restricted', 'exhausted', 'limited'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];
/** The revoked and the expired key have no role: nobody may call anything with them. */
export type Keys = Readonly<Record<KeyRole | 'revoked' | 'expired', string>>;

/** They work nowhere else, so they are not secret. */
export const KEYS: Keys = {
  /** May call every model. */
  full: 'sk-service-q7Zt3mKx9LwB2vRfYd8HsNc4',
  /** May call only one model. */
  restricted: 'sk-service-J5pWn6TgUe1XaMb0CzRk7QyD',
  /** Is known, but has no credit left. */
  exhausted: 'sk-service-v2FhLs8BqN4oEiKd9GxPw3Tu',
  /** May call every model, within a rate limit. */
  limited: 'sk-service-r6YcMj1ZkH7tVaQn5SbXe0Wf',
  /** Was valid once. */
  revoked: 'sk-service-w4GdKp8XnV3sJeRm6UtLc2Ya',
  /** Was valid until a date in the past. */
  expired: 'sk-service-h8TvBq2MzC5kWnEx9RyJd4Pf',
};

/** An entry of the model list. */
export type Model = JsonObject & { readonly id: string };

export const MODELS: readonly Model[] = [
  { id: 'sea-large', object: 'model', owned_by: 'reference' },
  { id: 'sea-small', object: 'model', owned_by: 'reference' },
  { id: 'sea-old', object: 'model', owned_by: 'reference', deprecated: true, deprecation_date: '2030-06-30' },
];

/** The only model that the restricted key may call, and one that it may not call. */
export const PERMITTED_MODEL = 'sea-small';
export const FORBIDDEN_MODEL = 'sea-large';

/** A bucket of three calls, refilled by one per second, so that `Retry-After: 1` is true. */
const CAPACITY = 3;
const REFILL_MS = 1000;

export class RateLimit {
  #left = CAPACITY;
  #since = Date.now();

  /** Uses up one call; false if there is none left. */
  spend(now = Date.now()): boolean {
    const refilled = Math.floor((now - this.#since) / REFILL_MS);
    if (refilled > 0) {
      this.#left = Math.min(CAPACITY, this.#left + refilled);
      this.#since += refilled * REFILL_MS;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
