/** `wirecheck client --clients FILE`: several clients, a report on each, and one matrix. */
import { join, relative, resolve } from 'node:path';
import { checkClient, type ClientHooks } from '../client/check-client.ts';
import { createClientSetup } from '../client/client-setup.ts';
import { findVersion, type ListedClient, readClients } from '../client/read-clients.ts';
import type { ClientSettings } from '../exchange/traffic.ts';
import type { Report } from '../report/report.ts';
import { DEFAULT_FILES } from '../settings/format-names.ts';
import { type CheckedClient, clientMatrixPage } from '../render/client-matrix/matrix-html.ts';
import { toFileNames } from '../text/file-name.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { readTextFile } from './files/read-text.ts';
import { inputOf } from './files/refuse-overwrites.ts';
import { refuseLeaks } from './files/secret-guard.ts';
import { writeWhole } from './files/write-files.ts';
import { readClientSettings } from './settings/read-client-settings.ts';
import { readExcuses } from './settings/read-excuses.ts';
import type { Inputs } from './settings/read-settings.ts';
import { MATRIX_PAGE } from './files/written-names.ts';
import { checkFleet, refuseForOne } from './targets/check-fleet.ts';

const WORDS = { target: 'client', unit: 'scenario', flag: '--clients' };

export async function checkClients(
  file: string,
  command: readonly string[],
  inputs: Inputs,
  io: CommandIo,
): Promise<number> {
  const { merged, env } = inputs;
  if (command.length > 0)
    throw new UsageError('--clients already names the commands: remove the one after --.', { code: 'CONFLICT' });
  refuseForOne(inputs, ['reporter', 'record', 'last-failed'], WORDS);
  const listed = readClients(readTextFile('the clients file', file, io.cwd), file);
  const settings = readClientSettings(inputs);
  const excuses = readExcuses(inputs, { subject: 'client', suites: [] });
  const setup = createClientSetup(env);
  const folders = toFileNames(
    listed.map(({ name }) => name),
    'client',
  );
  const matrix = resolve(io.cwd, join(merged.get('out') ?? '', MATRIX_PAGE));
  const checked: CheckedClient[] = [];
  return checkFleet({
    inputs,
    io,
    targets: listed.map((client, index) => ({ name: client.name, folder: folders[index] ?? '', client })),
    words: WORDS,
    alsoRead: [inputOf(`The clients file ${inert(file, 300)}`, file, io.cwd)],
    alsoWritten: [{ name: 'the matrix', path: matrix, flags: '--out' }],
    scanner: setup.scanner,
    // One after the other: each has as many processes as its concurrency allows.
    hostOf: () => 'this machine',
    check: ({ client }, { signal, onAdvance }) =>
      checkListed(client, settings, {
        setup,
        cwd: io.cwd,
        excuses,
        signal,
        onProgress: ({ casesDone, cases }) => onAdvance({ done: casesDone, total: cases }),
      }),
    onReport: (report, { folder }) => void checked.push({ report, page: `${folder}/${DEFAULT_FILES.html}` }),
    async finish() {
      writeWhole(matrix, clientMatrixPage(checked));
      await refuseLeaks([matrix], setup.scanner);
      io.stderr.write(`Wrote ${relative(io.cwd, matrix)}\n`);
    },
  });
}

/** If the version is not known, a notice says why. */
async function checkListed(
  listed: ListedClient,
  settings: ClientSettings,
  hooks: ClientHooks & Required<Pick<ClientHooks, 'setup' | 'cwd'>>,
): Promise<Report> {
  const { setup, cwd } = hooks;
  const clean = (text: string): string => setup.scanner.clean(text);
  const found = await findVersion(listed, { env: setup.variables, cwd, clean });
  const { versionCommand: _command, ...client } = listed;
  if (typeof found === 'string') return checkClient({ ...client, version: found }, settings, hooks);
  const report = await checkClient(client, settings, hooks);
  return found ? { ...report, notices: [...report.notices, found] } : report;
}
