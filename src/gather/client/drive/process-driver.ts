/**
 * How clients are driven, and the driver that starts a process per scenario: the call in its environment, the text on its
 * stdout, its exit code.
 */
import type { ClientAnswer, Restarts } from '../../../exchange/traffic.ts';
import type { CallMode } from '../scenario.ts';
import { type RunningChild, type StartChild, startChild } from './child.ts';

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
  /** How often a process that should have stayed was started again. */
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

/** No character has more bytes than four. */
const MAX_COMPLAINT_BYTES = MAX_COMPLAINT * 4;

export interface DriverOptions {
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Default: a process of the system. */
  readonly start?: StartChild;
}

export function createProcessDriver(options: DriverOptions): ClientDriver {
  const running = new Set<ProcessCall>();
  return {
    async ask(task, limit) {
      const call = new ProcessCall({ ...options, variables: { ...options.variables, ...variablesOf(task) } });
      running.add(call);
      if (running.size > 1) for (const each of running) each.wasAlone = false;
      const answer = await call.answer(limit);
      running.delete(call);
      return answer;
    },
    async close() {
      for (const { child } of running) child.kill();
      await Promise.all([...running].map(({ child }) => child.ended));
    },
  };
}

/** A process that is read until it ends. */
export class ProcessCall {
  readonly child: RunningChild;
  wasAlone = true;
  readonly #began = performance.now();
  readonly #stdout: Buffer[] = [];
  #stderr = Buffer.alloc(0);
  #read = 0;
  #complained = 0;
  #stopped: 'timed-out' | 'flooded' | undefined;

  constructor({ command, variables, cwd, start = startChild }: DriverOptions) {
    this.child = start(command, {
      env: variables,
      cwd,
      takesInput: false,
      stdout: 'file',
      onStdout: (bytes) => {
        this.#read += bytes.length;
        if (this.#read <= MAX_OUTPUT) this.#stdout.push(bytes);
        else this.#stop('flooded');
      },
      onStderr: (bytes) => {
        this.#stderr = Buffer.concat([this.#stderr, bytes]).subarray(-MAX_COMPLAINT_BYTES);
        this.#complained += bytes.length;
        if (this.#complained > MAX_OTHER_OUTPUT) this.#stop('flooded');
      },
    });
  }

  async answer(limit: number): Promise<ClientAnswer> {
    const timer = setTimeout(() => this.#stop('timed-out'), limit);
    const end = await this.child.ended;
    clearTimeout(timer);
    const output = {
      said: withoutLineEnd(decode(this.#stdout)),
      // The last lines of a stack trace say what happened.
      complaint: decode([this.#stderr]).slice(-MAX_COMPLAINT),
      time: performance.now() - this.#began,
    };
    if (end.kind === 'not-started') return { kind: 'not-started', code: end.code, ...output };
    if (this.#stopped === 'timed-out') return { kind: 'timed-out', wasAlone: this.wasAlone, ...output };
    if (this.#stopped === 'flooded') return { kind: 'flooded', ...output };
    if (end.kind === 'killed') return { kind: 'failed', signal: end.signal, ...output };
    return { kind: end.exit === 0 ? 'returned' : 'failed', exit: end.exit, ...output };
  }

  #stop(why: 'timed-out' | 'flooded'): void {
    this.#stopped ??= why;
    this.child.kill();
  }
}

function variablesOf({ baseUrl, apiKey, model, prompt, mode, timeoutMs }: Task): Record<string, string> {
  return {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: apiKey,
    WIRECHECK_BASE_URL: baseUrl,
    WIRECHECK_API_KEY: apiKey,
    WIRECHECK_MODEL: model,
    WIRECHECK_PROMPT: prompt,
    WIRECHECK_MODE: mode,
    WIRECHECK_TIMEOUT_MS: String(timeoutMs),
  };
}

function decode(parts: readonly Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(parts));
}
