/** What a user can set, but not by a flag. */

/** A key as the value of a flag could be read by every user of the machine. */
export const KEY_VARIABLES = {
  full: 'WIRECHECK_API_KEY',
  restricted: 'WIRECHECK_RESTRICTED_KEY',
  exhausted: 'WIRECHECK_EXHAUSTED_KEY',
  limited: 'WIRECHECK_LIMITED_KEY',
  second: 'WIRECHECK_SECOND_KEY',
  revoked: 'WIRECHECK_REVOKED_KEY',
  expired: 'WIRECHECK_EXPIRED_KEY',
} as const;

export const KEY_SUMMARIES: Readonly<Record<keyof typeof KEY_VARIABLES, string>> = {
  full: 'the key to check with',
  restricted: 'extra key that may not call --forbidden-model',
  exhausted: 'extra key without credit',
  limited: 'extra key with a low rate limit',
  second: 'extra key of another user, for relay and load',
  revoked: 'extra key that was revoked at least ten minutes ago',
  expired: 'extra key that expired at least ten minutes ago',
};

/** The argument of `wirecheck run`. */
export const BASE_URL = {
  variable: 'WIRECHECK_BASE_URL',
  inFile: 'baseUrl',
  summary: 'base URL of the gateway, ending in the version segment, such as https://gateway.example/v1',
} as const;

/** Switches off what a coding agent would get by itself. */
export const AGENT = {
  variable: 'WIRECHECK_AGENT',
  summary: '0: output for people, even where a coding agent runs the command',
} as const;

/** Clause ids do not fit a flag. */
export const CHANGED_LEVELS = { inFile: 'levels', summary: 'level overrides, by clause id' } as const;
