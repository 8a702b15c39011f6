/** What the scripted upstream does when a call with a certain word arrives. Plain data, read from `suites/relay.yaml`. */

export const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;
export type LineEnd = keyof typeof LINE_ENDS;

export interface Reply {
  /** `${mark}` is replaced by a word that no other reply has. */
  readonly text: string;
  /**
   * The text, repeated this many times to make a long one.
   *
   * @asType integer
   * @minimum 1
   */
  readonly times: number;
  readonly finish: string;
  /** Token counts; null for an answer without usage. */
  readonly usage: {
    /**
     * @asType integer
     * @minimum 0
     */
    readonly prompt: number;
    /**
     * @asType integer
     * @minimum 0
     */
    readonly completion: number;
  } | null;
  /**
   * @asType integer
   * @minimum 1
   * @maximum 4
   */
  readonly choices: number;
  readonly reasoning?: string;
  /** Adds unknown fields at every level. */
  readonly unknownFields: boolean;
  /** Adds optional fields that are null. */
  readonly nullFields: boolean;
  /** Leaves out every field but the text. */
  readonly bare: boolean;
}

/** How a plain answer is written. */
export interface PlainForm {
  /** White space around and between the values. */
  readonly spaced: boolean;
  /** Escapes every character that is not ASCII. */
  readonly escaped: boolean;
  readonly gzip: boolean;
  /**
   * Bytes per write; 0 writes all at once, with a length.
   *
   * @asType integer
   * @minimum 0
   */
  readonly cut: number;
}

/** How a streamed answer is written. `before` and the like are raw text between the events. */
export interface EventForm {
  readonly lineEnd: LineEnd;
  /** A space after `data:`. */
  readonly space: boolean;
  readonly byteOrderMark: boolean;
  readonly before: string;
  readonly between: string;
  /** Lines of every block with a chunk, before its data. */
  readonly lines: string;
  /** Adds `id: 1` and so on to every block with a chunk. */
  readonly ids: boolean;
  /**
   * Lines that the JSON of a chunk is spread over.
   *
   * @asType integer
   * @minimum 1
   */
  readonly dataLines: number;
  readonly done: 'whole' | 'open' | 'absent';
  readonly finish: 'own-chunk' | 'with-text' | 'absent';
  /** A first chunk without any choice. */
  readonly emptyFirst: boolean;
  /** When a chunk with the token counts is sent: if the request asks for it, or always. */
  readonly usageChunk: 'asked' | 'always';
  /**
   * Bytes of an unknown field in front of the first text, which make its line long.
   *
   * @asType integer
   * @minimum 0
   */
  readonly padding: number;
  /**
   * Parts that the text comes in.
   *
   * @asType integer
   * @minimum 1
   */
  readonly pieces: number;
  /**
   * Milliseconds before each part but the first.
   *
   * @asType integer
   * @minimum 0
   */
  readonly pause: number;
  /**
   * Bytes per write; 0 writes an event at a time, -1 the whole stream at once.
   *
   * @asType integer
   * @minimum -1
   */
  readonly cut: number;
}

/**
 * How an answer breaks off. `arrival`: before the head; `head`: after it, before any body; `role`: after the chunk with
 * the role; `text`: after some text. `reset` and `cut` end the connection, `close` ends the answer as HTTP prescribes.
 *
 * @title a break
 */
export interface Break {
  readonly how: 'reset' | 'cut' | 'close' | 'stall' | 'error-event' | 'named-error-event';
  readonly at: 'arrival' | 'head' | 'role' | 'text';
}

export interface Script {
  /**
   * @asType integer
   * @minimum 200
   * @maximum 599
   */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body: a reply, or what comes in its place. */
  readonly body: 'reply' | 'error' | 'html' | 'nothing';
  readonly reply: Reply;
  readonly plain: PlainForm;
  readonly events: EventForm;
  /**
   * Milliseconds before the head.
   *
   * @asType integer
   * @minimum 0
   */
  readonly delay: number;
  readonly breaks?: Break;
  /** Later calls of the same question get an ordinary reply. */
  readonly thenReplies: boolean;
  /**
   * Waits for this many calls of the case before answering any of them.
   *
   * @asType integer
   * @minimum 1
   */
  readonly gather: number;
}

export const DEFAULT_SCRIPT: Script = {
  status: 200,
  headers: {},
  body: 'reply',
  reply: {
    text: 'The reply with the mark ${mark} is whole, and it ends here.',
    times: 1,
    finish: 'stop',
    usage: { prompt: 21, completion: 13 },
    choices: 1,
    unknownFields: false,
    nullFields: false,
    bare: false,
  },
  plain: { spaced: false, escaped: false, gzip: false, cut: 0 },
  events: {
    lineEnd: 'lf',
    space: true,
    byteOrderMark: false,
    before: '',
    between: '',
    lines: '',
    ids: false,
    dataLines: 1,
    done: 'whole',
    finish: 'own-chunk',
    emptyFirst: false,
    usageChunk: 'asked',
    padding: 0,
    pieces: 4,
    pause: 0,
    cut: 0,
  },
  delay: 0,
  thenReplies: false,
  gather: 1,
};
