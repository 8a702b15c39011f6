/**
 * Drives a client by a process that stays: one line of JSON per scenario in, one line per scenario out, in any order.
 *
 * A driver may do one call after another, in any order, so a scenario that gets no answer in time may only have waited for
 * others. It counts as hanging only if it was alone. Otherwise it is asked again, alone, after the rest.
 */
import { isObject, parseJson } from '../../../json.ts';
import { type ChildEnd, type RunningChild, startChild } from './child.ts';
import type { ClientAnswer, ClientOutput, ProcessEnd, Restarts } from '../../../exchange/traffic.ts';
import {
  type ClientDriver,
  type DriverOptions,
  MAX_COMPLAINT,
  MAX_OTHER_OUTPUT,
  MAX_OUTPUT,
  type Task,
  withoutLineEnd,
} from './process-driver.ts';

export interface WarmDriverOptions extends DriverOptions {
  /** How long a new process may take for its first answer, in milliseconds: it has to load its client. */
  readonly startLimit: number;
  /** Asked first of every new process, so that loading the client does not count for a scenario. */
  readonly warmUp: (ask: (task: Task) => Promise<ClientAnswer>) => Promise<ClientAnswer>;
}

type UntimedAnswer = ClientAnswer extends infer Answer
  ? Answer extends ClientOutput
    ? Omit<Answer, 'time'>
    : never
  : never;

interface Pending {
  readonly sent: number;
  readonly began: number;
  readonly timer: NodeJS.Timeout;
  /** No other scenario was under way at any time. */
  isAlone: boolean;
  /** A scenario that was sent later has been answered. */
  isOvertaken: boolean;
  settle(answer: UntimedAnswer): void;
}

/** It may only have waited for others. */
const AGAIN = { kind: 'again', said: '', complaint: '' } as const;

/** Answers that a line of the driver gave. The others tell what became of the driver. */
const ANSWERED: ReadonlySet<UntimedAnswer['kind']> = new Set(['returned', 'unsupported']);

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
  #isOver = false;
  #isOwing = false;
  #isEnded = false;
  #ownEnd: ProcessEnd | undefined;
  readonly #decoder = new TextDecoder();

  constructor({ command, variables, cwd, start = startChild }: DriverOptions) {
    this.#child = start(command, {
      env: { ...variables },
      cwd,
      takesInput: true,
      stdout: 'pipe',
      onStdout: (bytes) => this.#read(this.#decoder.decode(bytes, { stream: true })),
      onStderr: (bytes) => {
        this.#stderr = (this.#stderr + bytes.toString()).slice(-MAX_COMPLAINT);
      },
    });
    void this.#child.ended.then((end) => this.#ended(end));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Undefined as long as it runs, and if it was ended from here. */
  get ownEnd(): ProcessEnd | undefined {
    return this.#ownEnd;
  }

  /** An answer that is still to come would be taken for that to the same scenario, asked again. */
  get owesAnswers(): boolean {
    return this.#isOwing && this.#pending.size === 0 && !this.#isOver;
  }

  ask(task: Task, limit: number): Promise<ClientAnswer> {
    return new Promise((resolve) => {
      const began = performance.now();
      const settle = (answer: UntimedAnswer): void => {
        clearTimeout(timer);
        this.#pending.delete(task.scenario);
        const complaint = answer.complaint === '' ? this.#stderr : answer.complaint;
        const said = ANSWERED.has(answer.kind) ? answer.said : this.#otherLines;
        resolve({ ...answer, said, complaint, time: performance.now() - began });
      };
      const timer = setTimeout(() => this.#timeOut(task.scenario), limit);
      for (const other of this.#pending.values()) other.isAlone = false;
      const isAlone = this.#pending.size === 0;
      this.#pending.set(task.scenario, { sent: this.#count++, began, timer, isAlone, isOvertaken: false, settle });
      if (this.#isOver) settle(AGAIN);
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
      this.#over({ kind: 'flooded', said: '', complaint: '' });
    }
  }

  /** Lines that answer no scenario, such as those of a chatty client, are passed over. */
  #answer(line: string): void {
    // A line that is too long is no answer, and not worth reading.
    const value = line.length > MAX_OUTPUT ? undefined : parseJson(line);
    const pending =
      isObject(value) && typeof value['scenario'] === 'string' ? this.#pending.get(value['scenario']) : undefined;
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
      pending.settle(AGAIN);
      return;
    }
    if (pending.isAlone) pending.settle({ kind: 'timed-out', wasAlone: true, said: '', complaint: '' });
    this.#over(AGAIN);
  }

  #ended(end: ChildEnd): void {
    if (!this.#isOver && !this.#isEnded) this.#ownEnd = endOf(end);
    this.#over(answerOfEnd(end));
  }

  /** Ends the process. A scenario that was alone has its answer; several have to be asked again. */
  #over(answer: UntimedAnswer): void {
    this.#isOver = true;
    this.#child.kill();
    const left = [...this.#pending.values()];
    for (const pending of left) {
      pending.settle(left.length === 1 || answer.kind === 'not-started' ? answer : AGAIN);
    }
  }
}

function answerOfEnd(end: ChildEnd): UntimedAnswer {
  const output = { said: '', complaint: '' };
  if (end.kind === 'not-started') return { kind: 'not-started', code: end.code, ...output };
  return { kind: 'failed', isDriver: true, ...endOf(end), ...output };
}

function endOf(end: ChildEnd): ProcessEnd | undefined {
  if (end.kind === 'not-started') return undefined;
  return end.kind === 'killed' ? { signal: end.signal } : { exit: end.exit };
}

function readAnswer(value: Readonly<Record<string, unknown>>): UntimedAnswer {
  const text = typeof value['text'] === 'string' ? value['text'] : '';
  const error = value['error'];
  const complaint = (typeof error === 'string' ? error : JSON.stringify(error ?? '')).slice(0, MAX_COMPLAINT);
  if (value['unsupported'] === true) return { kind: 'unsupported', said: '', complaint: '' };
  if (value['ok'] === true && typeof value['text'] === 'string')
    return { kind: 'returned', said: withoutLineEnd(text), complaint: '' };
  const unclear =
    value['ok'] === false ? complaint : `the line has neither ok with text nor unsupported: ${JSON.stringify(value)}`;
  return { kind: 'failed', said: text, complaint: unclear.slice(0, MAX_COMPLAINT) };
}
