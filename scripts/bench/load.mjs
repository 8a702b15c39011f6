// What judging every answer under load costs the generator, over a bare undici loop that sends the same calls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { endWithBench, repeat, runNode, summaries } from './measure.mjs';
/** @import { SentStage } from './bare-load.mjs' */

const PROCESS = fileURLToPath(new URL('./load-process.mjs', import.meta.url));
const PAIRS = 5;
/** As long as the ramp that users get: in its first seconds, the engine spends more on compiling our code than on running it. */
const DURATION = 60_000;
const PAIR = { inFlight: 16, duration: DURATION };
const RAMP = { inFlight: 64, duration: DURATION };

/** Answers a CPU second of the generator's process, its upstream included, and answers of a whole ramp. */
export async function measureLoad() {
  const rounds = await repeat(PAIRS, () =>
    withRelay(async (relay) => {
      const judged = await runSide('judged', relay, PAIR);
      const bare = await runSide('bare', relay, PAIR, judged.stages);
      const [perBare, perJudged] = [bare, judged].map(({ answers, cpu }) => answers / cpu);
      return { bare: perBare ?? 0, judged: perJudged ?? 0, ratio: (perJudged ?? 0) / (perBare ?? 1) };
    }),
  );
  const ramp = await withRelay((relay) => runSide('ramp', relay, RAMP));
  return { ...summaries(rounds), inRamp: ramp.answers };
}

/**
 * The relay has a process of its own.
 * @template Value
 * @param {(relay: { baseUrl: string, port: string }) => Promise<Value>} use
 */
async function withRelay(use) {
  const port = await findFreePort();
  const relay = endWithBench(
    spawn(process.execPath, [PROCESS, 'relay', port], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const [baseUrl] = /** @type {[string]} */ (await once(relay.stdout.setEncoding('utf8'), 'data'));
  try {
    return await use({ baseUrl: baseUrl.trim(), port });
  } finally {
    relay.kill();
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' ? address?.port : 0);
}

/**
 * @param {'bare' | 'judged' | 'ramp'} side
 * @param {{ baseUrl: string, port: string }} relay
 * @param {{ inFlight: number, duration: number }} load
 * @param {readonly SentStage[]} stages for the bare loop, which sends their calls again
 * @returns {Promise<{ answers: number, cpu: number, stages: readonly SentStage[] }>}
 */
async function runSide(side, { baseUrl, port }, { inFlight, duration }, stages = []) {
  const load = [String(inFlight), String(duration), JSON.stringify(stages)];
  const { stdout } = await runNode([PROCESS, side, baseUrl, port, ...load]);
  return JSON.parse(stdout);
}
