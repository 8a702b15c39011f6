/** What can be looked at in the calls of all scenarios. */
export const CALL_CHECK_NAMES = [
  'bearer',
  'content-type',
  'json-body',
  'fields',
  'limits',
  'unknown-fields',
  'headers',
  'other-endpoints',
  'retries',
  'retry-after',
] as const;
export type CallCheckName = (typeof CALL_CHECK_NAMES)[number];
