/** `wirecheck client -- COMMAND…` */
import type { Client } from '../exchange/client-traffic.ts';
import { checkClient } from '../client/check-client.ts';
import { createClientSetup } from '../client/client-setup.ts';
import { loadContract } from '../contract/load-contract.ts';
import { COMMAND } from '../contract/package-files.ts';
import type { Progress } from '../exchange/channel/hooks.ts';
import { RecordingFile } from '../recording/recording-file.ts';
import { recordClient } from '../recording/write-recording.ts';
import { UsageError } from '../usage-error.ts';
import { checkSubject } from './check-subject.ts';
import { checkClients } from './clients.ts';
import type { CommandIo } from './command-io.ts';
import { guardSecrets } from './files/secret-guard.ts';
import { CLIENT_SETTINGS } from './settings/command-settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readClientSettings } from './settings/read-client-settings.ts';
import { readInputs } from './settings/read-settings.ts';

export interface ClientFlags {
  /** The command stays and takes JSON lines. */
  readonly driver: boolean;
  /** A file with several clients. */
  readonly clients?: string;
}

const SCENARIOS = {
  unit: 'scenarios',
  advance: ({ casesDone, cases }: Progress) => ({ done: casesDone, total: cases }),
};

export async function clientCommand(
  command: readonly string[],
  { driver, clients }: ClientFlags,
  flags: Flags,
  io: CommandIo,
): Promise<number> {
  const inputs = readInputs(CLIENT_SETTINGS, flags, io);
  if (clients !== undefined) return checkClients(clients, command, inputs, io);
  if (command.length === 0) {
    throw new UsageError(
      `The command is missing: write it after two dashes, as in ${COMMAND} client -- node client.js`,
      { code: 'VALUE_MISSING' },
    );
  }
  const settings = readClientSettings(inputs);
  const client: Client = { name: command.join(' '), command, isDriver: driver };
  const setup = createClientSetup(inputs.env);
  return guardSecrets(setup.scanner, () =>
    checkSubject({
      inputs,
      io,
      excusable: { subject: 'client', suites: [] },
      counted: SCENARIOS,
      createRecorder: (path, force) => new RecordingFile(path, force),
      check: (hooks, file) =>
        checkClient(client, settings, {
          ...hooks,
          setup,
          cwd: io.cwd,
          ...(file && { onGathered: (checked) => recordClient(file, checked, loadContract('client').hash) }),
        }),
      scanner: () => setup.scanner,
    }),
  );
}
