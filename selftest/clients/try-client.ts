/** Tries `wirecheck client` on a client with a known fault, or on an unusual but correct one. Each is a real process. */
import { join } from 'node:path';
import { checkClient } from '../../src/gather/client/check-client.ts';
import { createClientSetup, DEFAULT_CLIENT_SETTINGS } from '../../src/gather/client/client-setup.ts';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { TestSubject } from '../test-subjects.ts';
import type { Judged, TestSide, TrialOptions } from '../trial.ts';
import type { ClientModifier } from './client-modifier.ts';

export const CLIENT_TRIALS: TestSide = { parallel: 4, tryOut: tryClient };

/** Milliseconds. A client gives up after half of it. */
const SCENARIO_TIMEOUT = 2_000;

const DRIVER = join(packageRoot(), 'build/selftest/clients/drive-client.js');

async function tryClient(
  client: TestSubject & ClientModifier,
  patience: number,
  { casesFor }: TrialOptions,
): Promise<Judged> {
  const { id, breaks, isProcess, only = casesFor?.(client) ?? [] } = client;
  const plain = await checkClient(
    { name: id, command: [process.execPath, DRIVER, id], isDriver: isProcess !== true },
    {
      ...DEFAULT_CLIENT_SETTINGS,
      only,
      // A broken should in an odd client also fails the run.
      strict: breaks === undefined,
      concurrency: 8,
      scenarioTimeout: SCENARIO_TIMEOUT * patience,
    },
    { setup: createClientSetup({}), cwd: process.cwd() },
  );
  return { plain };
}
