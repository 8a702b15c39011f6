/** Writes the recording of a run while it goes on. */
import { createHash } from 'node:crypto';
import { packageVersion } from '../contract/package-files.ts';
import { readSuiteBytes } from '../contract/suite-bytes.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { hashSteps } from './absent-steps.ts';
import { toLine } from './exchange-line.ts';
import { type Amendment, RECORDING_FORMAT, RECORDING_VERSION, type RecordingStart, stripSecrets } from './recording.ts';
import { RecordingFile } from './recording-file.ts';

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

/** One that also identifies what it wrote. */
export interface DigestingRecorder extends Recorder {
  /** SHA-256 over its lines, uncompressed. Undefined until the end, or if it is incomplete. */
  readonly digest: string | undefined;
}

export function createRecorder(path: string, force = false): DigestingRecorder {
  return new FileRecorder(new RecordingFile(path, force));
}

class FileRecorder implements DigestingRecorder {
  readonly #file: RecordingFile;
  readonly #written = new Set<string>();
  #controls: ReadonlyMap<string, string | undefined> = new Map();

  constructor(file: RecordingFile) {
    this.#file = file;
  }

  get problem(): string | undefined {
    return this.#file.problem;
  }

  get digest(): string | undefined {
    return this.#file.digest;
  }

  start({ plan, settings, contract }: RecordedPlan, keys: readonly KeyFacts[], startedAt: number): void {
    this.#file.open();
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
    this.#file.write({ kind: 'start', format: RECORDING_FORMAT, version: RECORDING_VERSION, ...start });
  }

  exchange(exchange: Exchange): void {
    const again = this.#written.has(exchange.id);
    this.#written.add(exchange.id);
    this.#file.write(toLine(exchange, this.#controls.get(exchange.step), again));
  }

  amend({ id, controlAfter }: Amendment): void {
    this.#file.write({ kind: 'amendment', id, controlAfter });
  }

  end({ exchanges: _exchanges, keys: _keys, ...end }: Traffic): void {
    this.#file.write({ kind: 'end', ...end });
    this.#file.close();
  }
}

/** The paths among the names of suites. */
export function suiteFilesOf(suites: readonly string[]): readonly string[] {
  return suites.filter((name) => /\.ya?ml$/.test(name));
}

/** Built-in suites are named without a path; the contract's hash covers them. */
export function hashSuites(suites: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    suiteFilesOf(suites).map((file) => [file, createHash('sha256').update(readSuiteBytes(file)).digest('hex')]),
  );
}
