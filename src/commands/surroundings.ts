/** What a command may touch of the process around it. Made in `cli.ts`, and by tests. */
export interface Screen {
  write(text: string): void;
  readonly colour: boolean;
  /** A person is watching: a line may be painted over. Never in CI. */
  readonly live: boolean;
  readonly columns: number | undefined;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Calls the handler at the first interrupt; a second one ends the process. Returns what takes the handler away again. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Asks the person at the terminal; absent where there is none. */
  readonly ask?: (question: string) => Promise<string>;
}
