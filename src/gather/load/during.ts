/**
 * The command of `--during`: started without a shell and without keys. If wirecheck ends it, everything that it started is
 * ended too; a gateway that it restarted lives on otherwise.
 */
import { Child } from '../client/drive/child.ts';
import { clientEnvironment } from '../client/client-setup.ts';
import type { LoadDuring } from '../../report/load-report.ts';

export interface DuringOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The environment of the user, without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command prints. */
  readonly onOutput?: (text: Buffer) => void;
}

export class DuringCommand {
  readonly #options: DuringOptions;
  readonly #began = performance.now();
  readonly #child: Child;
  #result: LoadDuring | undefined;
  /** When it has ended by itself or was ended. Never rejects. */
  readonly ended: Promise<LoadDuring>;

  /** Ended when `signal` aborts. */
  constructor(options: DuringOptions, signal: AbortSignal) {
    this.#options = options;
    const { command, cwd, env, onOutput = () => undefined } = options;
    const { variables } = clientEnvironment(env);
    this.#child = new Child(command, {
      env: variables,
      cwd,
      takesInput: false,
      stdout: 'pipe',
      leavesOthers: true,
      onStdout: onOutput,
      onStderr: onOutput,
    });
    const kill = (): void => this.#child.kill();
    signal.addEventListener('abort', kill);
    this.ended = this.#child.ended.then((end) => {
      signal.removeEventListener('abort', kill);
      return this.#finish(end, signal.aborted);
    });
  }

  get isOver(): boolean {
    return this.#result !== undefined;
  }

  #finish(end: Awaited<Child['ended']>, wasEnded: boolean): LoadDuring {
    const duration = Math.round(performance.now() - this.#began);
    this.#result = {
      command: this.#options.command,
      duration,
      end: wasEnded ? { kind: 'ended-by-us' } : describeEnd(end),
    };
    return this.#result;
  }
}

function describeEnd(end: Awaited<Child['ended']>): LoadDuring['end'] {
  switch (end.kind) {
    case 'exited':
      return { kind: 'exited', code: end.exit };
    case 'killed':
      return { kind: 'signalled', signal: end.signal };
    case 'not-started':
      return end;
  }
}

/** A command that failed proves nothing about the target. */
export function hasFailed({ end }: LoadDuring): boolean {
  return end.kind !== 'exited' || end.code !== 0;
}
