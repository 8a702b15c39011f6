/** `wirecheck selftest [NAME…]` */
import { EXIT } from '../exit-codes.ts';
import { resolve } from 'node:path';
import { loadContract } from '../contract/load-contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import { clientKillMatrix } from '../selftest/clients/client-matrix.ts';
import { type ClientTrial, listClientSubjects, tryClients } from '../selftest/clients/try-clients.ts';
import type { TrialResult } from '../selftest/compare.ts';
import { killMatrix } from '../selftest/kill-matrix.ts';
import { relayKillMatrix } from '../selftest/relays/relay-matrix.ts';
import { listRelaySubjects, type RelayTrial, tryRelays } from '../selftest/relays/try-relays.ts';
import { listSubjects, runSelftest } from '../selftest/run-selftest.ts';
import { summarizeTrials } from '../selftest/summarize-trials.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { obstacleTo, writeWhole } from './files/write-files.ts';
import { progressLine } from './progress.ts';

export interface SelftestFlags {
  /** Empty: all. */
  readonly names: readonly string[];
  readonly matrix?: string;
}

export async function selftestCommand(
  { names, matrix }: SelftestFlags,
  { cwd, stdout, stderr }: CommandIo,
): Promise<number> {
  const gateways = listSubjects().map(({ id }) => id as string);
  const clients = listClientSubjects().map(({ id }) => id);
  const relays = listRelaySubjects().map(({ id }) => id);
  const known = [...gateways, ...clients, ...relays];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `Unknown fault, variant, client or relay "${stranger}".${didYouMean(stranger, known) || ' `wirecheck list` with faults, variants, test-clients or test-relays has them.'}`,
    );
  }
  const path = matrix === undefined ? undefined : resolve(cwd, matrix);
  const obstacle = path === undefined ? undefined : obstacleTo(path);
  if (obstacle !== undefined) {
    throw new UsageError(`Cannot write ${matrix} (${obstacle}): choose another file with --matrix.`);
  }
  let done = 0;
  const isChosen = (name: string): boolean => names.length === 0 || names.includes(name);
  const total = known.filter(isChosen).length;
  const line = progressLine(stderr, 'subjects');
  const onResult = (result: TrialResult | ClientTrial | RelayTrial): void => {
    done += 1;
    line.update({ done, total });
    const problems = problemsOf(result);
    if (problems === '') return;
    line.clear();
    stdout.write(problems);
  };
  // One after the other: all are judged by what they do in time.
  const results = await runSelftest({ names: gateways.filter(isChosen), onResult });
  const clientResults = await tryClients({ names: clients.filter(isChosen), onResult });
  const relayResults = await tryRelays({ names: relays.filter(isChosen), onResult });
  line.end();
  if (path !== undefined) {
    const cases = loadSuites([], loadContract()).flatMap((suite) => suite.cases.map(({ id }) => id));
    writeWhole(path, killMatrix({ results, cases }) + clientKillMatrix(clientResults) + relayKillMatrix(relayResults));
  }
  const all = [...results, ...clientResults, ...relayResults];
  stdout.write(`${summarizeTrials(all)}\n`);
  return all.every(({ problems }) => problems.length === 0) ? EXIT.passed : EXIT.failed;
}

function problemsOf({ subject, problems }: TrialResult | ClientTrial | RelayTrial): string {
  return problems.length === 0
    ? ''
    : `${subject.kind} ${subject.id}\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
}
