/** What a client is asked to do, and what it made of it. */
import type { CallMode } from '../scenario.ts';

/** One line of JSON for a driver; variables of the environment for a process. */
export interface Task {
  readonly scenario: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly mode: CallMode;
  readonly prompt: string;
  /** How long the client may take for the call. */
  readonly timeoutMs: number;
}

export interface ClientOutput {
  /** Stdout, or the text of a driver; at most `MAX_OUTPUT` bytes. Without an answer of a driver, lines that answer nothing. */
  readonly said: string;
  /** Stderr, or the error of a driver; only its beginning. */
  readonly complaint: string;
  /** Milliseconds. */
  readonly time: number;
}

export type ClientAnswer = ClientOutput &
  (
    | { readonly kind: 'returned'; readonly exit?: number }
    /** The failed call was reported. */
    | { readonly kind: 'failed'; readonly exit?: number; readonly signal?: string }
    | { readonly kind: 'unsupported' }
    /** `wasAlone`: no other scenario was under way, so that none can have kept it from its result. */
    | { readonly kind: 'timed-out'; readonly wasAlone: boolean }
    /** More output than anybody reads. */
    | { readonly kind: 'flooded' }
    /** `code`: of the system, such as ENOENT. */
    | { readonly kind: 'not-started'; readonly code: string }
    /** The driver died or hung while several scenarios were under way: this one has to be asked alone. */
    | { readonly kind: 'again' }
  );

export interface ClientDriver {
  /** Never rejects. `limit` in milliseconds. */
  ask(task: Task, limit: number): Promise<ClientAnswer>;
  /** Ends every process. */
  close(): Promise<void>;
}

/** A program that prints a text usually ends the line. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Bytes of stdout that are read. No reply of a scenario is as long. */
export const MAX_OUTPUT = 1024 * 1024;
/** Bytes of stderr, or of lines of a driver that answer nothing, after which a client counts as flooding. */
export const MAX_OTHER_OUTPUT = 16 * MAX_OUTPUT;
/** Characters of stderr that are kept. */
export const MAX_COMPLAINT = 4096;
