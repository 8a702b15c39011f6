/** Writes recordings: of a gateway and of load while they go on, of a client and of a relay at the end. */

import { createHash } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import { packageVersion } from '../contract/package-files.ts';
import { readSuiteBytes } from '../contract/suite-bytes.ts';
import type { ExchangeKeeper } from '../exchange/channel/channel.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import type { AskedCase, CheckedClient, CheckedRelay, KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { hashStep } from './absent-steps.ts';
import { toEventLine, toLine } from './exchange-line.ts';
import { RecordingFile } from './recording-file.ts';
import {
  type EndFacts,
  type EndLine,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type StartFacts,
  type StartLine,
} from './recording-line.ts';
import { stripSecrets } from './recording.ts';

export interface RecordedPlan {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly contract: Contract;
}

export interface Recorder extends ExchangeKeeper {
  start(planned: RecordedPlan, keys: readonly KeyFacts[], startedAt: number): void;
  end(traffic: Traffic): void;
  /** Why the recording is incomplete: an error code such as `ENOSPC`. The run goes on regardless. */
  readonly problem: string | undefined;
}

/** `digest`: SHA-256 over its lines, uncompressed. Undefined until the end, or if it is incomplete. */
export function createRecorder(path: string, force = false): Recorder & { readonly digest: string | undefined } {
  const file = new RecordingFile(path, force);
  const written = new Set<string>();
  let controls: ReadonlyMap<string, string | undefined> = new Map();
  return {
    get problem() {
      return file.problem;
    },
    get digest() {
      return file.digest;
    },
    start({ plan, settings, contract }, keys, startedAt) {
      controls = new Map(plan.steps.map(({ id, control }) => [id, control]));
      const steps = Object.fromEntries(plan.steps.map((step) => [step.id, hashStep(step)]));
      const ofRun = { settings: stripSecrets(settings), keys, steps };
      const subject = { kind: 'gateway', suiteHashes: hashSuites(settings.suites), ...ofRun } as const;
      writeStart(file, { contractHash: contract.hash, startedAt }, subject);
    },
    exchange(exchange) {
      const again = written.has(exchange.id);
      written.add(exchange.id);
      file.write(toLine(exchange, { control: controls.get(exchange.step), again }));
    },
    amend: ({ id, controlAfter }) => file.write({ kind: 'amendment', id, controlAfter }),
    end: ({ exchanges: _exchanges, keys: _keys, startedAt: _startedAt, ending, endedAt, ...end }) =>
      writeEnd(file, { ending, endedAt }, { kind: 'gateway', ...end }),
  };
}

/** Writes each line when it is told. `contractHash`: of the clauses that the target is judged by. */
export function recordLoad(file: RecordingFile, contractHash: string) {
  return {
    onStart: ({ settings, startedAt, ...start }: LoadStart): void =>
      writeStart(file, { contractHash, startedAt }, { kind: 'load', ...start, settings: stripSecrets(settings) }),
    onEvent: (event: LoadEvent): void => file.write({ kind: 'load-event', event: toEventLine(event) }),
    onEnd({ ending, endedAt, unrecovered, ...end }: LoadEnd): void {
      const last = unrecovered && { unrecovered: toLine(unrecovered) };
      writeEnd(file, { ending, endedAt }, { kind: 'load', ...end, ...last });
    },
  };
}

/** Each scenario follows its exchanges, so that the beginning of a truncated recording can be judged. */
export function recordClient(file: RecordingFile, checked: CheckedClient, contractHash: string): void {
  const { client, settings, traffic } = checked;
  const { played, startedAt, ending, endedAt, ...rest } = traffic;
  writeStart(file, { contractHash, startedAt }, { kind: 'client', client, settings });
  for (const { exchanges, ...scenario } of played) {
    for (const exchange of exchanges) file.write(toLine(exchange));
    file.write({ kind: 'played', ...scenario, exchanges: exchanges.map(({ id }) => id) });
  }
  writeEnd(file, { ending, endedAt }, { kind: 'client', ...rest });
}

/** Each case follows its exchanges, too. */
export function recordRelay(file: RecordingFile, checked: CheckedRelay, contractHash: string): void {
  const { settings, traffic, ...known } = checked;
  const { front, upstream, cases, startedAt, ending, endedAt, ...rest } = traffic;
  const writeExchange = (exchange: Exchange): void => file.write(toLine(exchange));
  const writeCase = (asked: AskedCase): void => file.write({ kind: 'asked', ...asked });
  const settingsToKeep = stripSecrets(settings);
  writeStart(file, { contractHash, startedAt }, { kind: 'relay', settings: settingsToKeep, ...known });
  for (const exchange of front) {
    writeExchange(exchange);
    upstream.filter(({ cause }) => cause === exchange.id).forEach(writeExchange);
    cases.filter(({ asked }) => asked.at(-1) === exchange.id).forEach(writeCase);
  }
  const sent = new Set(front.map(({ id }) => id));
  upstream.filter(({ cause }) => cause === undefined || !sent.has(cause)).forEach(writeExchange);
  cases.filter(({ asked: [first] }) => first === undefined).forEach(writeCase);
  writeEnd(file, { ending, endedAt }, { kind: 'relay', ...rest });
}

function writeStart(file: RecordingFile, facts: Omit<StartFacts, 'tool'>, subject: StartLine['subject']): void {
  const tool = { name: 'wirecheck', version: packageVersion() } as const;
  const format = { kind: 'start', format: RECORDING_FORMAT, version: RECORDING_VERSION } as const;
  file.open();
  file.write({ ...format, tool, ...facts, subject });
}

function writeEnd(file: RecordingFile, facts: EndFacts, subject: EndLine['subject']): void {
  file.write({ kind: 'end', ...facts, subject });
  file.close();
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
