/**
 * Writes a recording during the run. Each line is written before the next request can end, so a crash loses at most the
 * current one. With `.gz` each line has gzip members of its own (RFC 1952, 2.2 allows a series of them), since a single
 * member would buffer several lines.
 */
import { createHash, randomUUID } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageVersion } from '../contract/package-files.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import { inertJson } from '../text/inert.ts';
import { makeFolder } from './make-folder.ts';
import type { Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { toLine } from './exchange-line.ts';
import { type Amendment, RECORDING_FORMAT, RECORDING_VERSION, type RecordingStart, stripSecrets } from './recording.ts';
import { hashSteps } from './absent-steps.ts';

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
  /** Why the recording is incomplete: an error code such as `ENOSPC`. The run goes on regardless. */
  readonly problem: string | undefined;
}

/** Overwrites only with `force`. The file is created when the run starts, but a wrong path is reported at once. */
export function createRecorder(path: string, force = false): Recorder {
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new UsageError(`--record names ${path}, which is a folder: name a file in it, such as run.ndjson.gz.`);
  }
  if (!force && existsSync(path)) throw existsError(path);
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeError(path, error);
  }
  return new FileRecorder(path, force);
}

function existsError(path: string): UsageError {
  return new UsageError(`${path} already exists: choose another file with --record, or add --force.`);
}

function writeError(path: string, error: unknown): UsageError {
  return new UsageError(`Cannot write ${path} (${codeOf(error)}): choose another file with --record.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Bytes written at a time. */
const BUFFER_SIZE = 256 * 1024;
/** Characters of a long string converted at a time. */
const SLICE = 64 * 1024;

/** A JSON string in slices. A surrogate pair that is cut in two becomes two escapes, which mean the same. */
function* sliceJson(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    let end = start + SLICE;
    // Keep `##` together, so that inertJson recognizes a CI command.
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
  readonly #buffer = Buffer.alloc(BUFFER_SIZE);
  /** Placeholder for a long string; random, so that no target can send it. */
  readonly #placeholder = `${randomUUID()}-`;
  readonly #placeholders = new RegExp(`"${this.#placeholder}\\d+"`);
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
      suiteHashes: hashSuites(settings.suites),
      settings: stripSecrets(settings),
      keys,
      steps: hashSteps(plan),
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
      if (codeOf(error) === 'EEXIST') throw existsError(this.#path);
      throw writeError(this.#path, error);
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

  /** Yields long strings in slices, so that a body of megabytes is not in memory several times. */
  *#textOf(line: object): Generator<string> {
    const long: string[] = [];
    const json = JSON.stringify(line, (_key, value: unknown) =>
      typeof value === 'string' && value.length > SLICE ? `${this.#placeholder}${long.push(value) - 1}` : value,
    );
    for (const [index, part] of json.split(this.#placeholders).entries()) {
      if (index > 0) yield* sliceJson(long[index - 1] ?? '');
      yield inertJson(part);
    }
    yield '\n';
  }

  /** Reuses one buffer, since garbage of megabytes would not be collected at once. */
  #writeText(file: number, text: string): void {
    for (let rest = text; rest !== '';) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#buffer);
      const plain = this.#buffer.subarray(0, written);
      const bytes = this.#path.endsWith('.gz') ? gzipSync(plain) : plain;
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      rest = rest.slice(read);
    }
  }
}

/** Built-in suites are named without a path; the contract's hash covers them. */
export function hashSuites(suites: readonly string[]): Readonly<Record<string, string>> {
  const files = suites.filter((name) => /\.ya?ml$/.test(name));
  return Object.fromEntries(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}
