// Whether a buffered stream is found, and an honest one left alone, while other processes keep the machine busy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, repeat, runNode, SCRATCH, startGatewayProcess, startNode } from './measure.mjs';

const SPINNERS = 4;
const RUNS = 20;
const CLAUSE = 'stream.in-pieces';

/** How many of the runs found the fault, and how many blamed the honest gateway. */
export async function measureBusy(runs = RUNS) {
  const spinners = Array.from({ length: SPINNERS }, () => startNode(['-e', 'for (;;);'], { stdio: 'ignore' }));
  const buffered = await startGatewayProcess(0, ['--fault', 'stream-buffered-whole']);
  const honest = await startGatewayProcess(0);
  try {
    const found = await repeat(runs, async () => ({
      buffered: await verdictOn(buffered),
      honest: await verdictOn(honest),
    }));
    const count = (name, verdict) => found.filter((one) => one[name] === verdict).length;
    return { runs, spinners: SPINNERS, found: count('buffered', 'warn'), blamed: count('honest', 'warn') };
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL');
    await Promise.all([buffered.close(), honest.close()]);
  }
}

async function verdictOn({ baseUrl, key }) {
  const file = join(SCRATCH, 'busy.json');
  await runNode([CLI, 'run', baseUrl, '--reporter', `json=${file}`], { WIRECHECK_API_KEY: key });
  const { clauses } = JSON.parse(readFileSync(file, 'utf8'));
  return clauses.find(({ id }) => id === CLAUSE).verdict;
}
