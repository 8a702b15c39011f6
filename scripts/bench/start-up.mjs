// What a run takes outside its traffic phase, over a process of Node's that does nothing; and its memory. Bundle and
// executable start beside the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../build/src/gateway/index.js';
import { CLI, repeat, runFile, runNode, runNodeForMemory, SCRATCH, summaries, summary } from './measure.mjs';
import { trafficPhase } from './traffic.mjs';
/** @import { Modifier } from '../../build/src/gateway/index.js' */
/** @import { Report } from '../../build/src/index.js' */

const ROUNDS = 9;
const MAKE_BUNDLE = fileURLToPath(new URL('../bundle/bundle.mjs', import.meta.url));
const MAKE_EXECUTABLE = fileURLToPath(new URL('../executable/executable.mjs', import.meta.url));

/** The gateway lives in this process, so that one clock sees the first request come. */
export async function measureStartUp() {
  /** @type {number | undefined} */
  let first;
  /** @type {Modifier} */
  const watch = { title: 'notes the first call', before: () => void (first ??= performance.now()) };
  const gateway = await startGateway({ modifiers: [watch] });
  await runNode([MAKE_BUNDLE, SCRATCH]);
  await runNode([MAKE_EXECUTABLE, SCRATCH]);
  const bundle = [process.execPath, join(SCRATCH, 'wirecheck.mjs')];
  const executable = [join(SCRATCH, process.platform === 'win32' ? 'wirecheck.exe' : 'wirecheck')];
  const installed = [process.execPath, CLI];
  const run = ['run', gateway.baseUrl, '--out', 'start-up'];
  const env = { WIRECHECK_API_KEY: gateway.keys.full };
  const start = async (/** @type {readonly string[]} */ [program = '', ...args]) => {
    const { wall: version } = await runFile(program, [...args, '--version']);
    first = undefined;
    const ended = await runFile(program, [...args, ...run], env);
    if (first === undefined) throw new Error(`A run of ${program} ${args.join(' ')} sent no request.`);
    return { version, run: ended, firstRequest: first - ended.began };
  };
  const rounds = await repeat(ROUNDS, async (round) => {
    const node = (await runNode(['-e', '0'])).wall;
    // In turn, so that neither is always the one that finds its files in memory.
    const early = round % 2 === 1 ? await start(bundle) : undefined;
    const { version, run: ended, firstRequest } = await start(installed);
    /** @type {Report} */
    const report = JSON.parse(readFileSync(join(SCRATCH, 'start-up', 'report.json'), 'utf8'));
    const traffic = trafficPhase(report);
    const rest = ended.wall - firstRequest - traffic;
    const bundled = early ?? (await start(bundle));
    const alone = await start(executable);
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
      executableVersion: alone.version,
      executableVersionRatio: alone.version / version,
      executableFirstRequest: alone.firstRequest,
      executableFirstRequestRatio: alone.firstRequest / firstRequest,
    };
  });
  const memory = await repeat(3, () => runNodeForMemory([CLI, ...run], env));
  await gateway.close();
  return { ...summaries(rounds), peakMemory: summary(memory.map(({ peak }) => peak)) };
}
