import type { Script } from '../script.ts';

/** One call of the client: its word chooses the script. */
export interface ScriptedQuestion {
  readonly id: string;
  /** Questions of one case gather. */
  readonly case: string;
  readonly word: string;
  readonly script: Script;
}
