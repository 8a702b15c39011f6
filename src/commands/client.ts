/** `wirecheck client -- COMMAND…` */
import type { Client, ClientSettings } from '../exchange/traffic.ts';
import { checkClient, type ClientHooks } from '../gather/client/check-client.ts';
import { createClientSetup, DEFAULT_CLIENT_SETTINGS } from '../gather/client/client-setup.ts';
import { loadContract } from '../contract/read-contract.ts';
import { COMMAND } from '../contract/package-files.ts';
import { recordClient } from '../recording/write-recording.ts';
import { usageError } from '../usage-error.ts';
import { advanceByCases, checkSubject, createFile } from './check-subject.ts';
import { guardSecrets, refuseLeaks } from './files/secret-guard.ts';
import { CLIENT_SETTINGS } from './settings/command-settings.ts';
import { readInputs, type Inputs, chooseContract } from './settings/read-settings.ts';
import { join, relative, resolve } from 'node:path';
import { findVersion, type ListedClient, readClients } from '../gather/client/read-clients.ts';
import type { Report } from '../report/report.ts';
import { DEFAULT_FILES } from '../settings/format-names.ts';
import { type MatrixClient, clientMatrixPage } from '../render/client-matrix/matrix-html.ts';
import { toFileNames } from '../text/file-name.ts';
import { inert } from '../text/layout.ts';
import { readTextFile, writeWhole } from './files/user-files.ts';
import { inputOf, readExcuses } from './files/prepare-files.ts';
import { MATRIX_PAGE } from './files/outputs.ts';
import { checkFleet, refuseForOne } from './targets/check-fleet.ts';
import { SUBJECTS } from '../subjects/subjects.ts';
import { chooseCases, showCases } from './choose-cases.ts';
import { checkLevelsOf } from './settings/config-file.ts';
import type { Call } from './command-row.ts';

export async function clientCommand({ words: command, options, flags, io }: Call): Promise<number> {
  const { driver = false, clients } = options;
  const inputs = readInputs(CLIENT_SETTINGS, flags, io);
  if (options.plan) {
    const { selected } = chooseCases(inputs, SUBJECTS.client.cases(), 'client');
    return showCases(selected, 'client', { json: options.json ?? false }, inputs);
  }
  if (clients !== undefined) return checkClients(clients, command, inputs);
  if (command.length === 0) {
    throw usageError.VALUE_MISSING(
      `The command is missing: write it after two dashes, as in ${COMMAND} client -- node client.js`,
    );
  }
  const settings = readClientSettings(inputs);
  const client: Client = { name: command.join(' '), command, isDriver: driver };
  const setup = createClientSetup(inputs.env);
  return guardSecrets(setup.scanner, () =>
    checkSubject({
      inputs,
      excusable: { subject: 'client', suites: [] },
      unit: 'scenarios',
      advance: advanceByCases,
      createRecorder: createFile,
      begin: () => ({
        check: (hooks, file) =>
          checkClient(client, settings, {
            ...hooks,
            setup,
            cwd: io.cwd,
            ...(file && { onGathered: (checked) => recordClient(file, checked, loadContract('client').hash) }),
          }),
        scanner: () => setup.scanner,
      }),
    }),
  );
}

const WORDS = { target: 'client', unit: 'scenario', flag: '--clients' };

async function checkClients(file: string, command: readonly string[], inputs: Inputs): Promise<number> {
  const { merged, env, io } = inputs;
  if (command.length > 0) throw usageError.CONFLICT('--clients already names the commands: remove the one after --.');
  refuseForOne(inputs, ['reporter', 'record', 'last-failed'], WORDS);
  const listed = readClients(readTextFile('the clients file', file, io.cwd), file);
  const settings = readClientSettings(inputs);
  const excuses = readExcuses(inputs, { subject: 'client', suites: [] });
  const setup = createClientSetup(env);
  const names = listed.map(({ name }) => name);
  const folders = toFileNames(names, 'client');
  const matrix = resolve(io.cwd, join(merged.get('out') ?? '', MATRIX_PAGE));
  const checked: MatrixClient[] = [];
  return checkFleet({
    inputs,
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
        onProgress: (progress) => onAdvance(advanceByCases(progress)),
      }),
    onReport: (report, { folder }) => void checked.push({ report, page: `${folder}/${DEFAULT_FILES.html}` }),
    async finish() {
      writeWhole(matrix, clientMatrixPage(checked));
      await refuseLeaks([matrix], setup.scanner);
      io.stderr.write(`Wrote ${relative(io.cwd, matrix)}\n`);
    },
  });
}

/** Checks a client of the list. If its version is not known, a notice says why. */
async function checkListed(
  listed: ListedClient,
  settings: ClientSettings,
  hooks: ClientHooks & Required<Pick<ClientHooks, 'setup' | 'cwd'>>,
): Promise<Report> {
  const { setup, cwd } = hooks;
  const clean = (text: string): string => setup.scanner.clean(text);
  const found = await findVersion(listed, { variables: setup.variables, cwd, clean });
  const { versionCommand: _command, ...client } = listed;
  if (typeof found === 'string') return checkClient({ ...client, version: found }, settings, hooks);
  const report = await checkClient(client, settings, hooks);
  return found ? { ...report, notices: [...report.notices, found] } : report;
}

function readClientSettings(inputs: Inputs): ClientSettings {
  const { merged, config } = inputs;
  const contract = chooseContract(inputs);
  checkLevelsOf(config);
  return {
    only: chooseCases(inputs, SUBJECTS.client.cases(), 'client').only,
    skip: merged.get('skip') ?? [],
    ...contract,
    strict: merged.get('strict') ?? false,
    concurrency: merged.get('concurrency') ?? DEFAULT_CLIENT_SETTINGS.concurrency,
    scenarioTimeout: merged.get('scenario-timeout') ?? DEFAULT_CLIENT_SETTINGS.scenarioTimeout,
  };
}
