/** The keys that the gateway knows. They open nothing but this gateway, so they may stand in the open. */
export const KEY_ROLES = ['full', 'restricted', 'exhausted', 'limited'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];
export type Keys = Readonly<Record<KeyRole, string>>;

export const KEYS: Keys = {
  /** May call every model. */
  full: 'sk-service-q7Zt3mKx9LwB2vRfYd8HsNc4',
  /** May call only one model. */
  restricted: 'sk-service-J5pWn6TgUe1XaMb0CzRk7QyD',
  /** Is known, and has nothing left to spend. */
  exhausted: 'sk-service-v2FhLs8BqN4oEiKd9GxPw3Tu',
  /** May call every model, but only so often. */
  limited: 'sk-service-r6YcMj1ZkH7tVaQn5SbXe0Wf',
};
