// One side of the measurement of a load, in a process of its own. Prints answers and CPU seconds as JSON.
// node load-process.mjs relay UPSTREAM_PORT
// node load-process.mjs bare|judged|ramp BASE_URL UPSTREAM_PORT IN_FLIGHT MILLISECONDS
import { Client, Pool } from 'undici';
import { DEFAULT_SETTINGS } from '../../build/index.js';
import { callId, requestOf } from '../../build/load/calls.js';
import { contractOf, UNCHANGED } from '../../build/contract/profile/apply-profile.js';
import { drawCall, violationsOf } from '../../build/load/mix.js';
import { planLoad } from '../../build/load/plan-load.js';
import { runLoad, setUpLoad } from '../../build/load/run-load.js';
import { RELAY_KEYS, startSmallRelay } from '../../build/selftest/relays/small-relay.js';

const [role, first = '', port = '', inFlight = '', duration = ''] = process.argv.slice(2);
const { rules } = contractOf(UNCHANGED);
const MIX = {
  seed: 1,
  mix: { plain: 4, stream: 4, list: 1, refusal: 1 },
  disconnects: 0,
  hasOtherKey: false,
  violations: violationsOf(rules),
};

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
      // The ramp is the one that users get.
      ...(role !== 'ramp' && { disconnects: 0, slowReaders: 0, stages: [inFlight] }),
    },
    relay: { ...DEFAULT_SETTINGS.relay, upstreamPort: Number(port) },
  };
  const setup = await setUpLoad(settings, { full: RELAY_KEYS.full });
  const before = process.cpuUsage();
  const answers = role === 'bare' ? await sendBare(settings, setup) : await judge(settings, setup);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(JSON.stringify({ answers, cpu: (user + system) / 1e6 }));
  process.exit();
}

/**
 * @param {import('../../build/settings.js').Settings} settings
 * @param {import('../../build/load/load-setup.js').LoadSetup} setup
 */
async function judge(settings, setup) {
  const { load } = await runLoad(settings, { full: RELAY_KEYS.full }, setup);
  return load?.answers ?? 0;
}

/**
 * The same mix with bare undici, which looks at nothing that comes back. Its new connections are part of the mix, and so
 * are the stages: a call alone costs more than one of many, since nothing shares its turn of the event loop.
 * @param {import('../../build/settings.js').Settings} settings
 * @param {import('../../build/load/load-setup.js').LoadSetup} setup
 */
async function sendBare(settings, { registry }) {
  const { origin, pathname } = new URL(first);
  const pool = new Pool(origin, { connections: Number(inFlight) });
  const plan = planLoad(settings);
  let answers = 0;
  /** @param {number} until */
  const work = async (until) => {
    while (performance.now() < until) {
      const drawn = drawCall(MIX, 0, ++answers);
      const call = { ...drawn, id: callId(drawn, 0, answers), stage: 0, number: answers };
      const known = registry.open(call.id, call.profile);
      const { method, path, headers, body } = requestOf(call, known, {
        rules,
        model: () => 'small-relay',
        otherKey: undefined,
      });
      const isNew = call.connection === 'new';
      const line = isNew ? new Client(origin) : pool;
      const answer = await line.request({
        method,
        path: `${pathname}${path}`,
        headers: { ...headers, authorization: `Bearer ${RELAY_KEYS.full}` },
        ...(body !== undefined && { body }),
      });
      await answer.body.arrayBuffer();
      if (isNew) await line.destroy();
      registry.end(known, false);
    }
  };
  for (const stage of [...plan.ramp, plan.burst(Number(inFlight))]) {
    const until = performance.now() + stage.least;
    await Promise.all(Array.from({ length: stage.inFlight }, () => work(until)));
  }
  return answers;
}
