/** Everything of its process that a command may use. Made in `main.ts` and by tests. */
export interface Screen {
  write(text: string): void;
  readonly colour: boolean;
  /** A person is watching, so a line may be overwritten. Never in CI. */
  readonly live: boolean;
  readonly columns: number | undefined;
  /** Absent: it is a pipe or a file. */
  readonly isTerminal?: boolean;
}

export interface CommandIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Calls the handler at the first interrupt; a second one ends the process. Returns a function that removes the handler. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Asks the person at the terminal; absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Factor of the pause before the burst of a load; absent: 1. For tests. */
  readonly loadPace?: number;
}
