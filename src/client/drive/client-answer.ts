/** What a client is asked to do, and what it made of it. */
import type { ClientAnswer, Restarts } from '../../exchange/client-traffic.ts';
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

export interface ClientDriver {
  /** Never rejects. `limit` in milliseconds. */
  ask(task: Task, limit: number): Promise<ClientAnswer>;
  /** Of a process that should have stayed. */
  readonly restarts?: Restarts | undefined;
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
