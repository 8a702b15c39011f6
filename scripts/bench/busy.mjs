// Whether a buffered stream is found, and an honest one left alone, while other processes keep the machine busy.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, endWithBench, repeat, runNode, SCRATCH, startGatewayProcess } from './measure.mjs';
/** @import { Report } from '../../build/src/index.js' */
/** @import { GatewayProcess } from './measure.mjs' */

const SPINNERS = 4;
const RUNS = 20;
const CLAUSE = 'stream.in-pieces';

/** How many of the runs found the fault, and how many blamed the honest gateway. */
export async function measureBusy(runs = RUNS) {
  const spinners = Array.from({ length: SPINNERS }, () =>
    endWithBench(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })),
  );
  const buffered = await startGatewayProcess(0, ['--fault', 'stream-buffered-whole']);
  const honest = await startGatewayProcess(0);
  try {
    const found = await repeat(runs, async () => ({
      buffered: await verdictOn(buffered),
      honest: await verdictOn(honest),
    }));
    return {
      runs,
      spinners: SPINNERS,
      found: found.filter((row) => row.buffered === 'warn').length,
      blamed: found.filter((row) => row.honest === 'warn').length,
    };
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL');
    await Promise.all([buffered.close(), honest.close()]);
  }
}

/** @param {GatewayProcess} gateway */
async function verdictOn({ baseUrl, key }) {
  const file = join(SCRATCH, 'busy.json');
  await runNode([CLI, 'run', baseUrl, '--reporter', `json=${file}`], { WIRECHECK_API_KEY: key });
  /** @type {Report} */
  const { clauses } = JSON.parse(readFileSync(file, 'utf8'));
  const clause = clauses.find(({ id }) => id === CLAUSE);
  if (clause === undefined) throw new Error(`The report has no clause ${CLAUSE}.`);
  return clause.verdict;
}
