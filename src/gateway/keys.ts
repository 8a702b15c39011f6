/** The keys of the gateway. They work nowhere else, so they are not secret. */
export const KEY_ROLES = ['full', 'restricted', 'exhausted', 'limited'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];
export type Keys = Readonly<Record<KeyRole, string>>;

export const KEYS: Keys = {
  /** May call every model. */
  full: 'sk-service-q7Zt3mKx9LwB2vRfYd8HsNc4',
  /** May call only one model. */
  restricted: 'sk-service-J5pWn6TgUe1XaMb0CzRk7QyD',
  /** Is known, but has no credit left. */
  exhausted: 'sk-service-v2FhLs8BqN4oEiKd9GxPw3Tu',
  /** May call every model, within a rate limit. */
  limited: 'sk-service-r6YcMj1ZkH7tVaQn5SbXe0Wf',
};
