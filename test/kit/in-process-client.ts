/**
 * Clients in the process of the test. The drivers see what they see of a process: its output, and how it ends. A process
 * of its own costs a fifth of a second, and is the point of few tests.
 */
import type { ChildEnd, StartChild } from '../../src/gather/client/drive/child.ts';
import type { Task } from '../../src/gather/client/drive/drivers.ts';
import { call } from './clients/careful-client.mjs';

/** What a client has of its process. */
export interface ClientProcess {
  /** The call in its environment, for a client that is started for each scenario. */
  readonly task: Task;
  readonly ended: Promise<ChildEnd>;
  /** To stdout, to the letter. */
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
  /** A line of a driver. */
  readonly answer: (line: object) => void;
  /** Makes the call of a task with the careful client, and answers it. */
  readonly reply: (task: Task) => Promise<void>;
  /** Calls `take` for each task of a driver, for as long as it runs. */
  readonly lines: (take: (task: Task) => unknown) => Promise<never>;
  /** With an exit code, or by a signal. */
  readonly exit: (how: number | string) => Promise<never>;
}

/** Exits with 0 when it is done, and with 1 if it throws. */
export type ClientBody = (client: ClientProcess) => unknown;

export const forEver = (): Promise<never> => new Promise(() => {});

export function startBody(body: ClientBody): StartChild {
  return (_command, { env, onStdout, onStderr }) => {
    let end = (_end: ChildEnd): void => {};
    let isOver = false;
    const ended = new Promise<ChildEnd>((resolve) => {
      end = (how) => {
        isOver = true;
        resolve(how);
      };
    });
    const unread: string[] = [];
    let read = (line: string): void => void unread.push(line);
    const write = (text: string): void => {
      if (!isOver) onStdout(Buffer.from(text));
    };
    const answer = (line: object): void => write(`${JSON.stringify(line)}\n`);
    const client: ClientProcess = {
      task: taskIn(env),
      ended,
      write,
      print: (line) => write(`${line}\n`),
      answer,
      reply: async (task) => {
        const { scenario } = task;
        try {
          answer({ scenario, ok: true, text: await call(task) });
        } catch (error) {
          answer({ scenario, ok: false, error: String(error) });
        }
      },
      lines: (take) => {
        read = (line) => void (isOver || take(JSON.parse(line) as Task));
        unread.splice(0).forEach(read);
        return forEver();
      },
      exit: (how) => {
        end(typeof how === 'number' ? { kind: 'exited', exit: how } : { kind: 'killed', signal: how });
        return forEver();
      },
    };
    // As a process does, it prints nothing before whoever started it can listen.
    void Promise.resolve(client)
      .then(body)
      .then(
        () => end({ kind: 'exited', exit: 0 }),
        (error: unknown) => {
          if (!isOver) onStderr(Buffer.from(`${String(error)}\n`));
          end({ kind: 'exited', exit: 1 });
        },
      );
    return { ended, write: (line) => read(line), kill: () => end({ kind: 'killed', signal: 'SIGKILL' }) };
  };
}

function taskIn(env: Readonly<Record<string, string>>): Task {
  return {
    scenario: '',
    baseUrl: env['OPENAI_BASE_URL'] ?? '',
    apiKey: env['OPENAI_API_KEY'] ?? '',
    model: env['WIRECHECK_MODEL'] ?? '',
    mode: (env['WIRECHECK_MODE'] ?? 'plain') as Task['mode'],
    prompt: env['WIRECHECK_PROMPT'] ?? '',
    timeoutMs: Number(env['WIRECHECK_TIMEOUT_MS'] ?? 0),
  };
}
