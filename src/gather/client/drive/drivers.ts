/**
 * How clients are driven: by a process per scenario, with the call in its environment, the text on its stdout and its exit
 * code, or by a process that stays.
 */
import type { ClientAnswer, ProcessEnd, Restarts } from '../../../exchange/traffic.ts';
import { isObject, type Json, type JsonObject, memberOf, parseJson } from '../../../json.ts';
import type { CallMode } from '../scenario.ts';
import { type ChildEnd, type RunningChild, type StartChild, startChild } from './child.ts';

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
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Bytes of stdout that are read. No reply of a scenario is as long. */
const MAX_OUTPUT = 1024 * 1024;
/** Bytes of stderr, or of lines of a driver that answer nothing, after which a client counts as flooding. */
const MAX_OTHER_OUTPUT = 16 * MAX_OUTPUT;
/** Characters of stderr that are kept. */
const MAX_COMPLAINT = 4096;

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
    // The last lines of a stack trace say what happened.
    const complaint = decode([this.#stderr]).slice(-MAX_COMPLAINT);
    const time = performance.now() - this.#began;
    const output = { said: withoutLineEnd(decode(this.#stdout)), complaint, time };
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

// A process that stays: one line of JSON per scenario in, one line per scenario out, in any order.
//
// A driver may do one call after another, in any order, so a scenario that gets no answer in time may only have waited for
// others. It counts as hanging only if it was alone. Otherwise it is asked again, alone, after the rest.

export interface WarmDriverOptions extends DriverOptions {
  /** How long a new process may take for its first answer, in milliseconds: it has to load its client. */
  readonly startLimit: number;
  /** Asked first of every new process, so that loading the client does not count for a scenario. */
  readonly warmUp: (ask: (task: Task) => Promise<ClientAnswer>) => Promise<ClientAnswer>;
}

interface Pending {
  readonly sent: number;
  /** No other scenario was under way at any time. */
  isAlone: boolean;
  /** A scenario that was sent later has been answered. */
  isOvertaken: boolean;
  /** The time of the answer is measured here. */
  readonly settle: (answer: ClientAnswer) => void;
}

const NO_OUTPUT = { said: '', complaint: '', time: 0 };
/** It may only have waited for others. */
const AGAIN: ClientAnswer = { kind: 'again', ...NO_OUTPUT };

/** Answers that a line of the driver gave. The others tell what became of the driver. */
const ANSWERED: ReadonlySet<ClientAnswer['kind']> = new Set(['returned', 'unsupported']);

/** Starts in a row without an answer, after which nothing more is asked. */
const MAX_FAILED_STARTS = 2;

export function createWarmDriver(options: WarmDriverOptions): ClientDriver {
  let current: { readonly process: WarmProcess; readonly first: Promise<ClientAnswer> } | undefined;
  let failedStarts = 0;
  let restarts: Restarts | undefined;
  const start = () => {
    const end = current?.process.ownEnd;
    if (end) restarts = { ...(restarts ?? end), count: (restarts?.count ?? 0) + 1 };
    const process = new WarmProcess(options);
    const first = options.warmUp((task) => process.ask(task, options.startLimit));
    void first.then(() => (failedStarts = process.isOver ? failedStarts + 1 : 0));
    return { process, first };
  };
  return {
    async ask(task, limit) {
      if (current?.process.owesAnswers) {
        void current.process.end();
        current = start();
      }
      if (current === undefined || (current.process.isOver && failedStarts < MAX_FAILED_STARTS)) current = start();
      const { process, first } = current;
      const answer = await first;
      return process.isOver && failedStarts > 0 ? answer : process.ask(task, limit);
    },
    get restarts() {
      return restarts;
    },
    async close() {
      await current?.process.end();
    },
  };
}

class WarmProcess {
  readonly #child: RunningChild;
  readonly #pending = new Map<string, Pending>();
  #line = '';
  #stderr = '';
  /** The beginning of the lines that answered nothing. They may tell why there is no answer. */
  #otherLines = '';
  #otherLength = 0;
  #count = 0;
  isOver = false;
  /** Undefined as long as it runs, and if it was ended from here. */
  ownEnd: ProcessEnd | undefined;
  #isOwing = false;
  #isEnded = false;
  readonly #decoder = new TextDecoder();

  constructor({ command, variables, cwd, start = startChild }: DriverOptions) {
    this.#child = start(command, {
      env: { ...variables },
      cwd,
      takesInput: true,
      stdout: 'pipe',
      onStdout: (bytes) => this.#read(this.#decoder.decode(bytes, { stream: true })),
      onStderr: (bytes) => void (this.#stderr = (this.#stderr + bytes.toString()).slice(-MAX_COMPLAINT)),
    });
    void this.#child.ended.then((end) => this.#ended(end));
  }

  /** An answer that is still to come would be taken for that to the same scenario, asked again. */
  get owesAnswers(): boolean {
    return this.#isOwing && this.#pending.size === 0 && !this.isOver;
  }

  ask(task: Task, limit: number): Promise<ClientAnswer> {
    return new Promise((resolve) => {
      const began = performance.now();
      const settle = (answer: ClientAnswer): void => {
        clearTimeout(timer);
        this.#pending.delete(task.scenario);
        const complaint = answer.complaint === '' ? this.#stderr : answer.complaint;
        const said = ANSWERED.has(answer.kind) ? answer.said : this.#otherLines;
        resolve({ ...answer, said, complaint, time: performance.now() - began });
      };
      const timer = setTimeout(() => this.#timeOut(task.scenario), limit);
      for (const other of this.#pending.values()) other.isAlone = false;
      const isAlone = this.#pending.size === 0;
      this.#pending.set(task.scenario, { sent: this.#count++, isAlone, isOvertaken: false, settle });
      if (this.isOver) settle(AGAIN);
      else this.#child.write(`${JSON.stringify(task)}\n`);
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#child.kill();
    await this.#child.ended;
  }

  #read(text: string): void {
    this.#line += text;
    const lines = this.#line.split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#answer(line);
    if (this.#line.length > MAX_OUTPUT || this.#otherLength > MAX_OTHER_OUTPUT) {
      this.#line = '';
      this.#otherLength = 0;
      this.#over({ kind: 'flooded', ...NO_OUTPUT });
    }
  }

  /** Lines that answer no scenario, such as those of a chatty client, are passed over. */
  #answer(line: string): void {
    // A line that is too long is no answer, and not worth reading.
    const value = line.length > MAX_OUTPUT ? undefined : parseJson(line);
    const pending = this.#pending.get(stringIn(value, 'scenario') ?? '');
    if (!isObject(value) || pending === undefined) {
      this.#otherLength += line.length;
      if (this.#otherLines.length < MAX_COMPLAINT)
        this.#otherLines = `${this.#otherLines}${line}\n`.slice(0, MAX_COMPLAINT);
      return;
    }
    this.#otherLength = 0;
    for (const other of this.#pending.values()) if (other.sent < pending.sent) other.isOvertaken = true;
    pending.settle(readAnswer(value));
  }

  #timeOut(scenario: string): void {
    const pending = this.#pending.get(scenario);
    if (pending === undefined) return;
    // The driver still answers others, so it goes on.
    if (pending.isOvertaken) {
      this.#isOwing = true;
      return pending.settle(AGAIN);
    }
    if (pending.isAlone) pending.settle({ kind: 'timed-out', wasAlone: true, ...NO_OUTPUT });
    this.#over(AGAIN);
  }

  #ended(end: ChildEnd): void {
    if (!this.isOver && !this.#isEnded) this.ownEnd = endOf(end);
    this.#over(answerOfEnd(end));
  }

  /** Ends the process. A scenario that was alone has its answer; several have to be asked again. */
  #over(answer: ClientAnswer): void {
    this.isOver = true;
    this.#child.kill();
    const left = [...this.#pending.values()];
    for (const { settle } of left) settle(left.length === 1 || answer.kind === 'not-started' ? answer : AGAIN);
  }
}

function answerOfEnd(end: ChildEnd): ClientAnswer {
  if (end.kind === 'not-started') return { ...end, ...NO_OUTPUT };
  return { kind: 'failed', isDriver: true, ...endOf(end), ...NO_OUTPUT };
}

function endOf(end: ChildEnd): ProcessEnd | undefined {
  if (end.kind === 'not-started') return undefined;
  return end.kind === 'killed' ? { signal: end.signal } : { exit: end.exit };
}

function stringIn(value: Json | undefined, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

function readAnswer(value: JsonObject): ClientAnswer {
  const text = stringIn(value, 'text');
  if (value['unsupported'] === true) return { kind: 'unsupported', ...NO_OUTPUT };
  if (value['ok'] === true && text !== undefined) return { kind: 'returned', ...NO_OUTPUT, said: withoutLineEnd(text) };
  const error = stringIn(value, 'error') ?? JSON.stringify(value['error'] ?? '');
  const unclear = `the line has neither ok with text nor unsupported: ${JSON.stringify(value)}`;
  const complaint = (value['ok'] === false ? error : unclear).slice(0, MAX_COMPLAINT);
  return { kind: 'failed', ...NO_OUTPUT, said: text ?? '', complaint };
}
