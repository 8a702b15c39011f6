// One side of the measurement of a load, in a process of its own. Prints answers, CPU seconds and stages as JSON.
// node load-process.mjs relay UPSTREAM_PORT
// node load-process.mjs judged|ramp BASE_URL UPSTREAM_PORT IN_FLIGHT MILLISECONDS
// node load-process.mjs bare BASE_URL UPSTREAM_PORT IN_FLIGHT MILLISECONDS STAGES
import { DEFAULT_SETTINGS } from '../../build/src/index.js';
import { runLoad, setUpLoad } from '../../build/src/gather/load/run-load.js';
import { RELAY_KEYS, startSmallRelay } from '../../build/selftest/relays/small-relay.js';
import { BareLoad } from './bare-load.mjs';
/** @import { SentStage } from './bare-load.mjs' */

const MODEL = 'small-relay';
const [role, first = '', port = '', inFlight = '', duration = '', stages = '[]'] = process.argv.slice(2);
const keys = { full: RELAY_KEYS.full };

if (role === 'relay') {
  const { baseUrl } = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${first}/v1` });
  process.stdout.write(`${baseUrl}\n`);
} else {
  const settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: first,
    concurrency: Number(inFlight),
    load: {
      ...DEFAULT_SETTINGS.load,
      duration: Number(duration),
      // The ramp is the one that users get. The replies of slow readers would be most of what both sides do.
      ...(role !== 'ramp' && { slowReaders: 0, stages: [inFlight] }),
    },
    relay: { ...DEFAULT_SETTINGS.relay, upstreamPort: Number(port) },
  };
  const setup = await setUpLoad(settings, keys);
  const before = process.cpuUsage();
  const sent = role === 'bare' ? await sendBare() : await judge();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(JSON.stringify({ ...sent, cpu: (user + system) / 1e6 }));
  process.exit();

  async function judge() {
    const { load } = await runLoad(settings, keys, setup);
    return { answers: load?.answers ?? 0, stages: load?.stages.map(pickStage) ?? [] };
  }

  async function sendBare() {
    /** @type {readonly SentStage[]} */
    const sentStages = JSON.parse(stages);
    return { answers: await new BareLoad(settings, keys, setup, MODEL).send(sentStages), stages: sentStages };
  }
}

/**
 * @param {SentStage} stage
 * @returns {SentStage}
 */
function pickStage({ phase, inFlight: calls, ...stage }) {
  return { phase, inFlight: calls, calls: stage.calls, duration: stage.duration };
}
