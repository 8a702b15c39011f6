/** `wirecheck client --clients FILE`: several clients, a report on each, and one matrix. */
import { EXIT, firstExit } from '../exit-codes.ts';
import { join, relative, resolve } from 'node:path';
import type { Client } from '../exchange/client-traffic.ts';
import { type ClientSetup, createClientSetup } from '../client/client-setup.ts';
import { findVersion, type ListedClient, readClients } from '../client/read-clients.ts';
import { clientMatrixPage } from '../render/client-matrix/matrix-html.ts';
import { formatTarget } from '../render/run-text.ts';
import { verdictLine } from '../render/verdict-line.ts';
import type { Report } from '../report/report.ts';
import { toFileName } from '../text/file-name.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { readTextFile } from './files/read-text.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { writeFiles } from './files/deliver.ts';
import { reportToDeliver } from './files/report-to-deliver.ts';
import { checkOutputs, type Outputs, readOutputs } from './files/outputs.ts';
import { filesRead, inputOf, type Output, refuseOverwrites, reportsOf } from './files/refuse-overwrites.ts';
import { leakError, removeLeaks, withoutSecrets } from './files/secret-guard.ts';
import { writeWhole } from './files/write-files.ts';
import { readExcuses } from './settings/read-excuses.ts';
import type { Inputs } from './settings/read-settings.ts';
import { type ClientCheck, readClientSettings, watchClient } from './watch-client.ts';

const MATRIX_FILE = 'clients.html';
const NO_FILES = 'none';

/** Where the reports and the matrix go. */
interface Destination {
  /** One for each client. */
  readonly outputs: readonly Outputs[];
  /** Undefined if no files are written. */
  readonly matrix: string | undefined;
}

export async function checkClients(
  file: string,
  command: readonly string[],
  inputs: Inputs,
  io: CommandIo,
): Promise<number> {
  if (command.length > 0) throw new UsageError('--clients already names the commands: remove the one after --.');
  if ((inputs.merged.get('reporter') ?? []).length > 0) {
    throw new UsageError('--clients writes a folder per client and a matrix: choose where with --out, not --reporter.');
  }
  if (inputs.merged.get('record') !== undefined) {
    throw new UsageError('--record is for one client: name its command after --, without --clients.');
  }
  const clients = readClients(readTextFile('the clients file', file, io.cwd), file);
  const settings = readClientSettings(inputs);
  const excuses = readExcuses(inputs, []);
  const destination = destinationOf(clients, inputs, io);
  refuseOverwrites(
    [...filesRead(inputs), inputOf(`The clients file ${inert(file, 300)}`, file, io.cwd)],
    writtenTo(destination),
  );
  for (const own of destination.outputs) checkOutputs(own);
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);
  const setup = createClientSetup(inputs.env);
  try {
    const reports = await checkInOrder(clients, destination, { settings, excuses, setup, inputs, io });
    await writeMatrix(reports, destination, setup, io);
    return conclude(reports, io);
  } catch (error) {
    throw withoutSecrets(error, setup.scanner);
  }
}

function destinationOf(clients: readonly ListedClient[], inputs: Inputs, { cwd }: CommandIo): Destination {
  const out = inputs.merged.get('out');
  const folder = out === undefined || out === NO_FILES ? undefined : resolve(cwd, out);
  return {
    outputs: clients.map((client) => outputsOf(client, inputs, folder)),
    matrix: folder === undefined ? undefined : join(folder, MATRIX_FILE),
  };
}

function writtenTo({ outputs, matrix }: Destination): readonly Output[] {
  return [
    ...outputs.flatMap((own) => reportsOf(own, '--out')),
    ...(matrix === undefined ? [] : [{ name: 'the matrix', path: matrix, flags: '--out' }]),
  ];
}

/** Until the user interrupts one. */
async function checkInOrder(
  clients: readonly ListedClient[],
  { outputs }: Destination,
  check: ClientCheck,
): Promise<readonly Report[]> {
  const { setup, inputs, io } = check;
  const reports: Report[] = [];
  for (const [index, listed] of clients.entries()) {
    const report = await watchClient(await withVersion(listed, setup, io), check);
    const kept = reportToDeliver(report, inputs.merged);
    reports.push(kept);
    const { problem } = writeFiles(kept, outputs[index] ?? { files: [] }, io.cwd);
    if (problem) throw problem;
    io.stdout.write(`${inert(formatTarget(kept), 80)}: ${setup.scanner.clean(verdictLine(kept))}\n`);
    if (report.outcome.exit === EXIT.interrupted) break;
  }
  return reports;
}

/** Then every file is searched for secrets on disk. */
async function writeMatrix(
  reports: readonly Report[],
  { outputs, matrix }: Destination,
  { scanner }: ClientSetup,
  io: CommandIo,
): Promise<void> {
  if (matrix !== undefined) writeWhole(matrix, clientMatrixPage(reports));
  const written = [...outputs.flatMap(({ files }) => files.map(({ path }) => path)), ...(matrix ? [matrix] : [])];
  const leaks = await removeLeaks(written, scanner);
  if (leaks.length > 0) throw leakError(leaks);
  if (matrix !== undefined) io.stderr.write(`Wrote ${relative(io.cwd, matrix)}\n`);
}

function conclude(reports: readonly Report[], { stdout }: CommandIo): number {
  const exits = reports.map(({ outcome }) => outcome.exit);
  const passed = exits.filter((exit) => exit === EXIT.passed).length;
  stdout.write(`\n${passed} of ${count(reports.length, 'client')} passed\n`);
  return firstExit(exits);
}

async function withVersion(
  { versionCommand, ...client }: ListedClient,
  { variables }: ClientSetup,
  { cwd }: CommandIo,
): Promise<Client> {
  const version = versionCommand && (await findVersion(versionCommand, variables, cwd));
  return { ...client, ...(version !== undefined && { version }) };
}

/** A folder for each client, named after it. */
function outputsOf({ name }: ListedClient, { merged, cwd }: Inputs, folder: string | undefined): Outputs {
  if (folder === undefined) return { files: [] };
  const own = toFileName(name, 'client');
  const { files } = readOutputs(merged, cwd);
  return { files: files.map(({ format, path }) => ({ format, path: join(folder, own, relative(folder, path)) })) };
}
