// What a run takes outside its traffic phase, over a process of Node's that does nothing; and its memory. The bundle
// starts beside the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../dist/gateway/index.js';
import { CLI, repeat, runNode, runNodeForMemory, SCRATCH, summaries, summary } from './measure.mjs';
import { trafficPhase } from './traffic.mjs';

const ROUNDS = 9;
const MAKE_BUNDLE = fileURLToPath(new URL('../bundle/bundle.mjs', import.meta.url));

/** The gateway lives in this process, so that one clock sees the first request come. */
export async function measureStartUp() {
  let first;
  const watch = { title: 'notes the first call', before: () => void (first ??= performance.now()) };
  const gateway = await startGateway({ modifiers: [watch] });
  await runNode([MAKE_BUNDLE, SCRATCH]);
  const bundle = join(SCRATCH, 'wirecheck.mjs');
  const argsFor = (program) => [program, 'run', gateway.baseUrl, '--out', 'start-up'];
  const env = { WIRECHECK_API_KEY: gateway.keys.full };
  const start = async (program) => {
    const { wall: version } = await runNode([program, '--version']);
    first = undefined;
    const run = await runNode(argsFor(program), env);
    return { version, run, firstRequest: first - run.began };
  };
  const rounds = await repeat(ROUNDS, async (round) => {
    const node = (await runNode(['-e', '0'])).wall;
    // In turn, so that neither is always the one that finds its files in memory.
    const early = round % 2 === 1 ? await start(bundle) : undefined;
    const { version, run, firstRequest } = await start(CLI);
    const traffic = trafficPhase(JSON.parse(readFileSync(join(SCRATCH, 'start-up', 'report.json'), 'utf8')));
    const rest = run.wall - firstRequest - traffic;
    const bundled = early ?? (await start(bundle));
    return {
      node,
      version,
      firstRequest,
      rest,
      versionRatio: version / node,
      firstRequestRatio: firstRequest / node,
      restRatio: rest / node,
      bundleVersion: bundled.version,
      bundleVersionRatio: bundled.version / version,
      bundleFirstRequest: bundled.firstRequest,
      bundleFirstRequestRatio: bundled.firstRequest / firstRequest,
    };
  });
  const memory = await repeat(3, () => runNodeForMemory(argsFor(CLI), env));
  await gateway.close();
  return { ...summaries(rounds), peakMemory: summary(memory.map(({ peak }) => peak)) };
}
