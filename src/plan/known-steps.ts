/** The steps that a run relies on, by their ids, and the waves in which steps are sent. */

/** Steps that the walk itself relies on, whether or not a case needs them. */
export const STEPS = {
  list: 'models',
  control: 'chat',
  /** The long stream, which is the control of edited streams. */
  stream: 'chat-stream',
  /** Sent on the connection of the long stream, after it: what was left of that one shows here. */
  secondStream: 'streaming/unknown-fields',
  /** The control without `max_tokens`: the fallback for a target that refuses it. */
  bareControl: 'chat-bare',
  /** Shows whether a refused key is accepted without its scheme. */
  bareKey: 'bare-key',
  brief: 'parameters/max-tokens-minimum',
  /** A body without model and messages. */
  emptyObject: 'errors/empty-object',
  restrictedList: 'auth/restricted-list',
} as const;

/**
 * In this order; a wave starts when the previous one has ended. `max-tokens` has the plain edits of `max_tokens`, which
 * may keep a careless target busy without end, so little is left to suffer from them. `large` has bodies that a target may
 * refuse to read. `parallel` comes late for the same reason.
 */
export const WAVES = [
  'list',
  'control',
  'positive',
  'edit',
  'malformed',
  'large',
  'credential',
  'parallel',
  'patient',
  'max-tokens',
  'closing',
] as const;
export type Wave = (typeof WAVES)[number];

/** These send one request at a time. */
export const SERIAL_WAVES: ReadonlySet<Wave> = new Set(['large', 'credential', 'max-tokens', 'closing']);
