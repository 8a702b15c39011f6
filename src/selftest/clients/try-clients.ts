/** Tests `wirecheck client` on clients with known faults, and on unusual but correct ones. Each is a real process. */
import { checkClient } from '../../client/check-client.ts';
import type { ClientSettings } from '../../exchange/client-traffic.ts';
import { DEFAULT_CLIENT_SETTINGS } from '../../client/client.ts';
import { createClientSetup } from '../../client/client-setup.ts';
import { programArguments } from '../../contract/package-files.ts';
import { compareBroken, foundBy } from '../compare.ts';
import { trySubjects } from '../try-subjects.ts';
import type { ClientModifier } from './client-modifier.ts';
import { FAULTY_CLIENTS, RIGHT_CLIENTS } from './catalogue.ts';

export type ClientSubject =
  | { readonly kind: 'faulty client'; readonly id: string; readonly breaks: readonly string[] }
  | { readonly kind: 'odd client'; readonly id: string };

export interface ClientTrial {
  readonly subject: ClientSubject;
  /** Differences from what was expected; empty if all is well. */
  readonly problems: readonly string[];
  /** Scenario → clauses that it found broken. */
  readonly foundBy: Readonly<Record<string, readonly string[]>>;
}

export interface ClientTrialOptions {
  /** All by default. */
  readonly names?: readonly string[];
  /** Number of clients at a time. */
  readonly parallel?: number;
  readonly onResult?: (result: ClientTrial) => void;
}

export function listClientSubjects(): readonly ClientSubject[] {
  const faulty = Object.entries(FAULTY_CLIENTS);
  return [
    ...faulty.map(([id, { breaks }]): ClientSubject => ({ kind: 'faulty client', id, breaks })),
    ...Object.keys(RIGHT_CLIENTS).map((id): ClientSubject => ({ kind: 'odd client', id })),
  ];
}

export async function tryClients(options: ClientTrialOptions = {}): Promise<readonly ClientTrial[]> {
  const { names, parallel = 4, onResult } = options;
  const subjects = listClientSubjects().filter(({ id }) => names?.includes(id) ?? true);
  return trySubjects(subjects, {
    parallel,
    tryOut: (subject, patience) => tryClient(subject, SCENARIO_TIMEOUT * patience),
    accepts: ({ problems }) => problems.length === 0,
    onResult,
  });
}

/** Milliseconds. A client gives up after half of it. */
const SCENARIO_TIMEOUT = 2_000;

const DRIVER = 'selftest/clients/drive-client.js';

async function tryClient(subject: ClientSubject, scenarioTimeout: number): Promise<ClientTrial> {
  const { id } = subject;
  const modifier: ClientModifier | undefined = FAULTY_CLIENTS[id] ?? RIGHT_CLIENTS[id];
  const settings: ClientSettings = {
    ...DEFAULT_CLIENT_SETTINGS,
    only: modifier?.only ?? [],
    // A broken should in an odd client also fails the run.
    strict: subject.kind === 'odd client',
    concurrency: 8,
    scenarioTimeout,
  };
  const report = await checkClient(
    { name: id, command: [process.execPath, ...programArguments(DRIVER), id], isDriver: modifier?.isProcess !== true },
    settings,
    { setup: createClientSetup({}), cwd: process.cwd() },
  );
  const breaks = subject.kind === 'faulty client' ? subject.breaks : [];
  return { subject, problems: compareBroken(report, breaks), foundBy: foundBy(report) };
}
