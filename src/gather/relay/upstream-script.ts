/** What the scripted upstream does with the calls of a question. Read from `suites/relay.yaml`. */
import type { Count, PositiveInteger } from '../../scalars.ts';

/**
 * What the upstream does; src/relay/upstream-script.ts has the defaults.
 *
 * @title a script
 */
export interface UpstreamScript {
  /** `${mark}` is replaced by a word that no other reply has. */
  readonly text: string;
  /** The text, repeated this many times to make a long one. */
  readonly times: PositiveInteger;
  /** Parts that the text is streamed in. */
  readonly pieces: PositiveInteger;
  /** Milliseconds before each part but the first. */
  readonly pause: Count;
  /** Milliseconds in which the upstream is silent in mid-stream. */
  readonly silence: Count;
  readonly finish: string;
  readonly usage: { readonly prompt: Count; readonly completion: Count };
  /** Milliseconds before the head. */
  readonly delay: Count;
  /**
   * Every call is refused with it.
   *
   * @asType integer
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  /** Changes of the reference gateway, by name: its variants and faults, and other behaviours. */
  readonly gateway: readonly string[];
  readonly behaviours: readonly string[];
  /** Later calls of the same question get an ordinary reply. */
  readonly once: boolean;
  /** Waits for this many calls of the case before answering any of them. */
  readonly gather: PositiveInteger;
}

export const DEFAULT_SCRIPT: UpstreamScript = {
  text: 'The reply with the mark ${mark} is whole, and it ends here.',
  times: 1,
  pieces: 4,
  pause: 0,
  silence: 0,
  finish: 'stop',
  usage: { prompt: 21, completion: 13 },
  delay: 0,
  gateway: [],
  behaviours: [],
  once: false,
  gather: 1,
};
