/** Whom a run tells what it does while it goes on, and what ends it early: the same for every subject. */

export interface Progress {
  readonly casesDone: number;
  readonly cases: number;
  readonly requests: number;
  /** Requests sent and still to be sent, without further retries. Absent where nobody knows. */
  readonly requestsExpected?: number;
  /** 0 for a client, since we answer its calls. */
  readonly completions: number;
  /** Milliseconds. */
  readonly elapsed: number;
  /** What goes on after the last request. */
  readonly doing?: string;
}

/** `Told`: how far it is, where there is more to tell. */
export interface Hooks<Told = Progress> {
  readonly onProgress?: (progress: Told) => void;
  /** Called while `waitFor` waits for the target. */
  readonly onWait?: (wait: Wait) => void;
  /** Called for each request under way. */
  readonly onAwait?: OnAwait;
  /** Ends the run early; what was done is still reported. */
  readonly signal?: AbortSignal;
}

/** An attempt to reach a target that is not ready yet. Times are milliseconds. */
export interface Wait {
  readonly elapsed: number;
  readonly most: number;
  /** The status of the last answer, `TIMEOUT` if none came in time, or the code of the system. */
  readonly why: number | string;
}

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
