// What a run takes outside its traffic phase, over a process of Node's that does nothing; and its memory. The bundle
// starts beside the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../build/gateway/index.js';
import { CLI, repeat, runNode, runNodeForMemory, SCRATCH, summaries, summary } from './measure.mjs';
import { trafficPhase } from './traffic.mjs';
/** @import { Modifier } from '../../build/gateway/index.js' */
/** @import { Report } from '../../build/index.js' */

const ROUNDS = 9;
const MAKE_BUNDLE = fileURLToPath(new URL('../bundle/bundle.mjs', import.meta.url));

/** The gateway lives in this process, so that one clock sees the first request come. */
export async function measureStartUp() {
  /** @type {number | undefined} */
  let first;
  /** @type {Modifier} */
  const watch = { title: 'notes the first call', before: () => void (first ??= performance.now()) };
  const gateway = await startGateway({ modifiers: [watch] });
  await runNode([MAKE_BUNDLE, SCRATCH]);
  const bundle = join(SCRATCH, 'wirecheck.mjs');
  const argsFor = (/** @type {string} */ program) => [program, 'run', gateway.baseUrl, '--out', 'start-up'];
  const env = { WIRECHECK_API_KEY: gateway.keys.full };
  const start = async (/** @type {string} */ program) => {
    const { wall: version } = await runNode([program, '--version']);
    first = undefined;
    const run = await runNode(argsFor(program), env);
    if (first === undefined) throw new Error(`A run of ${program} sent no request.`);
    return { version, run, firstRequest: first - run.began };
  };
  const rounds = await repeat(ROUNDS, async (round) => {
    const node = (await runNode(['-e', '0'])).wall;
    // In turn, so that neither is always the one that finds its files in memory.
    const early = round % 2 === 1 ? await start(bundle) : undefined;
    const { version, run, firstRequest } = await start(CLI);
    /** @type {Report} */
    const report = JSON.parse(readFileSync(join(SCRATCH, 'start-up', 'report.json'), 'utf8'));
    const traffic = trafficPhase(report);
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
