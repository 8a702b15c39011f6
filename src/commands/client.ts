/** `wirecheck client -- COMMAND…` */
import type { Client } from '../client/client.ts';
import { createClientBench } from '../client/client-bench.ts';
import { UsageError } from '../usage-error.ts';
import { checkClients } from './clients.ts';
import type { CommandIo } from './command-io.ts';
import { deliverReport } from './files/deliver-report.ts';
import { checkOutputs, readOutputs } from './files/outputs.ts';
import { filesRead, refuseOverwrites, reportsOf } from './files/refuse-overwrites.ts';
import { withoutSecrets } from './files/secret-guard.ts';
import { CLIENT_SETTINGS } from './settings/command-settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readExcuses } from './settings/read-excuses.ts';
import { readInputs } from './settings/read-settings.ts';
import { readClientSettings, watchClient } from './watch-client.ts';

export interface ClientFlags {
  /** The command stays and takes JSON lines. */
  readonly driver: boolean;
  /** A file with several clients. */
  readonly clients?: string;
}

export async function clientCommand(
  command: readonly string[],
  { driver, clients }: ClientFlags,
  flags: Flags,
  io: CommandIo,
): Promise<number> {
  const inputs = readInputs(CLIENT_SETTINGS, flags, io);
  if (clients !== undefined) return checkClients(clients, command, inputs, io);
  if (command.length === 0) {
    throw new UsageError('The command is missing: write it after two dashes, as in wirecheck client -- node client.js');
  }
  const settings = readClientSettings(inputs);
  const client: Client = { name: command.join(' '), command, isDriver: driver };
  const outputs = readOutputs(inputs.merged, io.cwd);
  refuseOverwrites(filesRead(inputs), reportsOf(outputs, '--out or --reporter'));
  const excuses = readExcuses(inputs, []);
  checkOutputs(outputs);
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);
  const bench = createClientBench(inputs.env);
  try {
    const report = await watchClient(client, { settings, excuses, bench, inputs, io });
    await deliverReport(report, { outputs, inputs, io, scanner: bench.scanner });
    return report.outcome.exit;
  } catch (error) {
    throw withoutSecrets(error, bench.scanner);
  }
}
