/**
 * Writes a recording as the run goes on. Every line is handed to the system before the next request can end, so that a
 * crash loses at most the line that was being written. With `.gz` every line has gzip members of its own (RFC 1952, 2.2:
 * members may follow one another), since a shared one would keep lines back until it has enough of them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageVersion } from '../contract/package-root.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import { inertJson } from '../text/inert.ts';
import { makeFolder } from './make-folder.ts';
import type { Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { toLine } from './exchange-line.ts';
import { type Amendment, RECORDING_FORMAT, RECORDING_VERSION, type RecordingStart } from './recording.ts';
import { recordedSettings } from './recorded-settings.ts';
import { stepHashes } from './step-hash.ts';

export interface RecordedPlan {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly contract: Contract;
}

export interface Recorder {
  start(planned: RecordedPlan, keys: readonly KeyFacts[], startedAt: number): void;
  exchange(exchange: Exchange): void;
  amend(amendment: Amendment): void;
  end(traffic: Traffic): void;
  /** Why the recording is not whole: the system's word, such as `ENOSPC`. A run does not end because of that. */
  readonly problem: string | undefined;
}

/** Nothing is overwritten unless `force` says so. The file is made when the run starts, but a slip shows at once. */
export function createRecorder(path: string, force = false): Recorder {
  if (!force && existsSync(path)) throw alreadyThere(path);
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
  return new FileRecorder(path, force);
}

function alreadyThere(path: string): UsageError {
  return new UsageError(`${path} is there already: choose another file for --record, or add --force.`);
}

function notWritable(path: string, error: unknown): UsageError {
  return new UsageError(`${path} cannot be written (${codeOf(error)}): choose another file for --record.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Bytes that are written at a time. */
const MEMORY = 256 * 1024;
/** Characters of a string that are written at a time. */
const SLICE = 64 * 1024;

/** One string of JSON. A pair of surrogates that is cut is two escapes, which mean the same. */
function* jsonSlices(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    let end = start + SLICE;
    // What begins a command has to be seen whole, to be made none.
    while (text[end - 1] === '#') end += 1;
    yield inertJson(JSON.stringify(text.slice(start, end)).slice(1, -1));
    start = end;
  }
  yield '"';
}

class FileRecorder implements Recorder {
  readonly #path: string;
  readonly #force: boolean;
  readonly #encoder = new TextEncoder();
  readonly #memory = Buffer.alloc(MEMORY);
  /** Stands for a long string, and in no text of a target. */
  readonly #mark = `${randomUUID()}-`;
  readonly #marked = new RegExp(`"${this.#mark}\\d+"`);
  #file: number | undefined;
  readonly #written = new Set<string>();
  #controls: ReadonlyMap<string, string | undefined> = new Map();
  #problem: string | undefined;

  constructor(path: string, force: boolean) {
    this.#path = path;
    this.#force = force;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  start({ plan, settings, contract }: RecordedPlan, keys: readonly KeyFacts[], startedAt: number): void {
    this.#file = this.#open();
    this.#controls = new Map(plan.steps.map(({ id, control }) => [id, control]));
    const start: RecordingStart = {
      tool: { name: 'wirecheck', version: packageVersion() },
      contractHash: contract.hash,
      suiteHashes: suiteHashes(settings.suites),
      settings: recordedSettings(settings),
      keys,
      steps: stepHashes(plan),
      startedAt,
    };
    this.#write({ kind: 'start', format: RECORDING_FORMAT, version: RECORDING_VERSION, ...start });
  }

  exchange(exchange: Exchange): void {
    const again = this.#written.has(exchange.id);
    this.#written.add(exchange.id);
    this.#write(toLine(exchange, this.#controls.get(exchange.step), again));
  }

  amend({ id, controlAfter }: Amendment): void {
    this.#write({ kind: 'amendment', id, controlAfter });
  }

  end({ exchanges: _exchanges, keys: _keys, ...end }: Traffic): void {
    this.#write({ kind: 'end', ...end });
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    try {
      return openSync(this.#path, this.#force ? 'w' : 'wx');
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw alreadyThere(this.#path);
      throw notWritable(this.#path, error);
    }
  }

  #write(line: object): void {
    if (this.#file === undefined || this.#problem !== undefined) return;
    try {
      let held = '';
      for (const part of this.#textOf(line)) {
        held += part;
        if (held.length < SLICE) continue;
        this.#writeText(this.#file, held);
        held = '';
      }
      this.#writeText(this.#file, held);
    } catch (error) {
      this.#problem = codeOf(error);
    }
  }

  /** Long strings in slices: a body of megabytes would be there several times over before it is written. */
  *#textOf(line: object): Generator<string> {
    const long: string[] = [];
    const json = JSON.stringify(line, (_key, value: unknown) =>
      typeof value === 'string' && value.length > SLICE ? `${this.#mark}${long.push(value) - 1}` : value,
    );
    for (const [index, part] of json.split(this.#marked).entries()) {
      if (index > 0) yield* jsonSlices(long[index - 1] ?? '');
      yield inertJson(part);
    }
    yield '\n';
  }

  /** By way of the same memory: lines of megabytes would leave as much behind, which is not given back at once. */
  #writeText(file: number, text: string): void {
    for (let rest = text; rest !== '';) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#memory);
      const plain = this.#memory.subarray(0, written);
      const bytes = this.#path.endsWith('.gz') ? gzipSync(plain) : plain;
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      rest = rest.slice(read);
    }
  }
}

/** Built-in suites have names, and are part of the contract's hash. */
export function suiteHashes(suites: readonly string[]): Readonly<Record<string, string>> {
  const files = suites.filter((name) => /\.ya?ml$/.test(name));
  return Object.fromEntries(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}
