/** Reads a body as server-sent events, to the WHATWG grammar, with the arrival time of each event. */

export interface ServerEvent {
  /** Milliseconds from the request to the read that completed the event. */
  readonly at: number;
  /** Index of that read. */
  readonly read: number;
  /** Absent for an unnamed event. */
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

export interface StreamReading {
  readonly events: readonly ServerEvent[];
  readonly comments: readonly { readonly at: number; readonly text: string }[];
  readonly retries: readonly number[];
  /** Names of fields that the grammar does not have, in order of first sight. */
  readonly unknownFields: readonly string[];
  /** Data of a last event that its blank line never completed. Not an event; kept to recognise `[DONE]`. */
  readonly unterminated?: string;
  readonly byteOrderMark: boolean;
}
