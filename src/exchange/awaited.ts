/** What a run waits for right now, so that a progress line can tell a slow target from a checker that hangs. */
export interface Awaited {
  /** `answer to GET /models` */
  readonly what: string;
  /** Milliseconds without a sign of life, and how many of them end the wait. */
  readonly elapsed: number;
  readonly most: number;
}

/** Called when a wait begins. The returned function ends it. */
export type OnAwait = (look: () => Awaited) => () => void;

export const unwatched: OnAwait = () => () => undefined;
