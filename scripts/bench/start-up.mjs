// What a run takes outside its traffic phase, over a process of Node's that does nothing; and its memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '../../dist/gateway/index.js';
import { CLI, repeat, runNode, runNodeForMemory, SCRATCH, summaries, summary } from './measure.mjs';
import { trafficPhase } from './traffic.mjs';

const ROUNDS = 9;

/** The gateway lives in this process, so that one clock sees the first request come. */
export async function measureStartUp() {
  let first;
  const watch = { title: 'notes the first call', before: () => void (first ??= performance.now()) };
  const gateway = await startGateway({ modifiers: [watch] });
  const args = [CLI, 'run', gateway.baseUrl, '--out', 'start-up'];
  const env = { WIRECHECK_API_KEY: gateway.keys.full };
  const rounds = await repeat(ROUNDS, async () => {
    const node = (await runNode(['-e', '0'])).wall;
    const version = (await runNode([CLI, '--version'])).wall;
    first = undefined;
    const run = await runNode(args, env);
    const firstRequest = first - run.began;
    const traffic = trafficPhase(JSON.parse(readFileSync(join(SCRATCH, 'start-up', 'report.json'), 'utf8')));
    const rest = run.wall - firstRequest - traffic;
    return {
      node,
      version,
      firstRequest,
      rest,
      versionRatio: version / node,
      firstRequestRatio: firstRequest / node,
      restRatio: rest / node,
    };
  });
  const memory = await repeat(3, () => runNodeForMemory(args, env));
  await gateway.close();
  return { ...summaries(rounds), peakMemory: summary(memory.map(({ peak }) => peak)) };
}
