/**
 * A process of a client, in a process group of its own, so that everything it leaves behind can be ended. On Windows,
 * that holds for a process that wirecheck ends, not for one that exits by itself and leaves others behind.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export type ChildEnd =
  | { readonly kind: 'exited'; readonly exit: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly code: string };

export interface ChildOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly takesInput: boolean;
  /** `file`: nothing is lost if the process exits while it is not read, but it is read a little later. */
  readonly stdout: 'pipe' | 'file';
  /** What it started lives on if it ends by itself, such as a gateway that a script restarts. Default: it is ended too. */
  readonly leavesOthers?: boolean;
  readonly onStdout: (bytes: Buffer) => void;
  readonly onStderr: (bytes: Buffer) => void;
}

/**
 * Milliseconds. A process that escaped its group may hold the output open; that of the client itself arrives long
 * before.
 */
const MAX_DRAIN = 500;
/** How often a file is read, so that endless output ends early. Milliseconds. */
const READ_INTERVAL = 20;

/** What the drivers use of a process. */
export type RunningChild = Pick<Child, 'ended' | 'write' | 'kill'>;
export type StartChild = (command: readonly string[], options: ChildOptions) => RunningChild;

export const startChild: StartChild = (command, options) => new Child(command, options);

const living = new Set<Child>();

/** Nothing that a client started may outlive the run, however the run ends. */
function endLiving(): void {
  for (const child of living) child.kill();
}

export class Child {
  /** When the process has ended and its output has been read. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess | undefined;

  /** No shell is involved. */
  constructor(command: readonly string[], options: ChildOptions) {
    const [program = '', ...args] = command;
    const file = options.stdout === 'file' ? openOutputFile() : undefined;
    try {
      this.#process = spawn(program, args, {
        env: { ...options.env },
        cwd: options.cwd,
        // oxlint-disable-next-line id-denylist -- the name is an option of Node's
        detached: HAS_PROCESS_GROUPS,
        stdio: [options.takesInput ? 'pipe' : 'ignore', file?.descriptor ?? 'pipe', 'pipe'],
        windowsHide: true,
      });
    } catch (error) {
      file?.close();
      this.ended = Promise.resolve({ kind: 'not-started', code: codeOf(error) });
      return;
    }
    if (living.size === 0) process.on('exit', endLiving);
    living.add(this);
    this.ended = this.#watch(this.#process, options, file);
  }

  /** Lines to a process that has ended are lost, which its end tells. */
  write(text: string): void {
    this.#process?.stdin?.write(text);
  }

  /** Ends the process and everything that it started, at once. */
  kill(): void {
    if (this.#process) endProcessTree(this.#process);
  }

  async #watch(child: ChildProcess, options: ChildOptions, file: OutputFile | undefined): Promise<ChildEnd> {
    const { onStdout, onStderr, leavesOthers = false } = options;
    const readFile = (): void => {
      for (const bytes of file?.added() ?? []) onStdout(bytes);
    };
    const reading = file && setInterval(readFile, READ_INTERVAL);
    child.stdout?.on('data', onStdout);
    child.stderr?.on('data', onStderr);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = await new Promise<ChildEnd>((resolve) => {
      child.once('error', (error) => resolve({ kind: 'not-started', code: codeOf(error) }));
      child.once('exit', (exit, signal) =>
        resolve(exit === null ? { kind: 'killed', signal: signal ?? 'SIGKILL' } : { kind: 'exited', exit }),
      );
    });
    if (!leavesOthers) this.kill();
    if (end.kind !== 'not-started') await drain(child, closed, leavesOthers);
    clearInterval(reading);
    readFile();
    file?.close();
    child.stdin?.destroy();
    living.delete(this);
    if (living.size === 0) process.off('exit', endLiving);
    return end;
  }
}

/** Waits for the rest of the output. What others still hold open is closed, or read on without waiting for it. */
async function drain(child: ChildProcess, closed: Promise<void>, leavesOthers: boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) {
        if (leavesOthers) readOn(stream);
        else stream?.destroy();
      }
      if (leavesOthers) resolve();
    }, MAX_DRAIN);
  });
  await Promise.race([closed, given]);
  clearTimeout(timer);
}

/** A process whose output nobody takes would stop, or fail. */
function readOn(stream: Readable | null): void {
  stream?.removeAllListeners('data');
  stream?.resume();
  if (stream instanceof Socket) stream.unref();
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}

/** Windows has no process groups. */
export const HAS_PROCESS_GROUPS = process.platform !== 'win32';

/** Ends a process and everything that it started. With process groups, it has to be the leader of its own. */
export function endProcessTree(root: ChildProcess, hasGroups = HAS_PROCESS_GROUPS): void {
  const { pid, exitCode, signalCode } = root;
  if (pid === undefined) return;
  if (hasGroups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
    return;
  }
  // Windows may have given the id of a process that has ended to another one.
  if (exitCode !== null || signalCode !== null) return;
  // By its full path: Windows would look for a plain name in the working folder first.
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  spawnSync(program, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
}

/** Bytes at a time. */
const CHUNK = 64 * 1024;

/**
 * The stdout of a client that ends after each call. Node's pipe to a process is a socket that holds few small writes: a
 * client that prints many lines and exits at once would lose those that wirecheck was too busy to read.
 */
class OutputFile {
  readonly descriptor: number;
  #read = 0;

  constructor() {
    const path = join(tmpdir(), `wirecheck-${randomUUID()}`);
    this.descriptor = openSync(path, 'ax+', 0o600);
    try {
      // It goes on without a name, and is gone with the last process that has it open, however the run ends.
      rmSync(path);
    } catch (error) {
      closeSync(this.descriptor);
      throw error;
    }
  }

  /** What was added since, up to the length that the file has now: a process left behind may go on writing. */
  *added(): Generator<Buffer> {
    const { size } = fstatSync(this.descriptor);
    while (this.#read < size) {
      const bytes = Buffer.alloc(Math.min(CHUNK, size - this.#read));
      const length = readSync(this.descriptor, bytes, 0, bytes.length, this.#read);
      if (length === 0) return;
      this.#read += length;
      yield bytes.subarray(0, length);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Nothing where no file can be made, as on a system without a temporary folder. */
function openOutputFile(): OutputFile | undefined {
  try {
    return new OutputFile();
  } catch {
    return undefined;
  }
}
