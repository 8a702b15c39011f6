// The traffic phase of a run, first request to last answer, over the floor.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../build/src/gateway/index.js';
import { DEFAULT_SETTINGS, plan, run } from '../../build/src/index.js';
import { CLI, repeat, runNode, SCRATCH, startGatewayProcess, summaries } from './measure.mjs';
/** @import { Call } from '../../build/src/gateway/call.js' */
/** @import { Modifier } from '../../build/src/gateway/index.js' */
/** @import { Report, Step } from '../../build/src/index.js' */
/** @import { GatewayProcess } from './measure.mjs' */

const FLOOR = fileURLToPath(new URL('./floor.mjs', import.meta.url));
const CONCURRENCIES = [1, 4, 16];

/**
 * What is measured: milliseconds before every answer, requests at a time, and the file with the requests.
 * @typedef {{ latency: number, concurrency: number, requests: string }} Cell
 */

/**
 * Gated figures are measured more often.
 * @param {Cell} cell
 */
const roundsOf = ({ latency, concurrency }) => (latency > 0 && concurrency === 4 ? 5 : 3);

/** Milliseconds by latency and concurrency. */
export async function measureTraffic() {
  const requests = await captureRequests();
  const cells = [];
  for (const latency of [0, 20]) {
    for (const concurrency of CONCURRENCIES) cells.push(await measureCell({ latency, concurrency, requests }));
  }
  // One request at a time takes most of a minute and next to no work, so the others go on beside it.
  const slow = measureCell({ latency: 200, concurrency: 1, requests });
  const others = [];
  for (const concurrency of CONCURRENCIES.slice(1)) {
    others.push(await measureCell({ latency: 200, concurrency, requests }));
  }
  return [...cells, await slow, ...others];
}

/** @param {Cell} cell */
async function measureCell(cell) {
  const { latency, concurrency, requests } = cell;
  const gateway = await startGatewayProcess(latency);
  const rounds = await repeat(roundsOf(cell), async () => {
    const floor = await runFloor(gateway, concurrency, requests);
    const run = await runChecker(gateway, concurrency);
    return { run, floor, ratio: run / floor };
  });
  await gateway.close();
  return { latency, concurrency, ...summaries(rounds) };
}

/**
 * @param {GatewayProcess} gateway
 * @param {number} concurrency
 * @param {string} requests
 */
async function runFloor({ baseUrl }, concurrency, requests) {
  const { stdout } = await runNode([FLOOR, new URL(baseUrl).origin, requests, String(concurrency)]);
  return Number(stdout);
}

/**
 * @param {GatewayProcess} gateway
 * @param {number} concurrency
 */
async function runChecker({ baseUrl, key }, concurrency) {
  const file = join(SCRATCH, `traffic-${new URL(baseUrl).port}.json`);
  const args = [CLI, 'run', baseUrl, '--concurrency', String(concurrency), '--reporter', `json=${file}`];
  await runNode(args, { WIRECHECK_API_KEY: key });
  /** @type {Report} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return trafficPhase(report);
}

/**
 * First request sent to last answer received, in milliseconds.
 * @param {Report} report
 */
export function trafficPhase({ exchanges }) {
  const attempts = exchanges.flatMap((exchange) => exchange.attempts);
  const first = Math.min(...attempts.map(({ sentAt }) => sentAt));
  // An attempt without an answer has no end that a report knows.
  return Math.max(...attempts.map(({ sentAt, answer }) => sentAt + (answer?.endAt ?? 0))) - first;
}

/** Headers that the client library adds by itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** What a run sends, as the gateway saw it, wave by wave, in a file: `floor.mjs` sends the same. */
async function captureRequests() {
  /** @type {Call[]} */
  const calls = [];
  /** @type {Modifier} */
  const eavesdropper = { title: 'notes every call', before: (call) => void calls.push(call) };
  const gateway = await startGateway({ modifiers: [eavesdropper] });
  // One at a time, so that calls and exchanges come in the same order.
  const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, concurrency: 1 };
  const report = await run(settings, { full: gateway.keys.full });
  await gateway.close();
  if (calls.length !== report.exchanges.length) throw new Error('The gateway saw other requests than the report has.');
  const waveOf = new Map(plan(settings).steps.map(({ id, wave }) => [id, wave]));
  const requests = calls.map((call, place) => requestOf(call, waveOf.get(report.exchanges[place]?.id ?? '')));
  const file = join(SCRATCH, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  return file;
}

/**
 * @typedef {object} SentByRun
 * @property {Step['wave']} wave
 * @property {string} method
 * @property {string} path with the query
 * @property {Call['headers']} headers
 * @property {string | null} body
 */

/**
 * @param {Call} call
 * @param {Step['wave'] | undefined} wave
 * @returns {SentByRun}
 */
function requestOf({ method, path, query, headers, text }, wave) {
  if (wave === undefined) throw new Error(`${method} ${path} belongs to no wave of the plan.`);
  return {
    wave,
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))),
    body: text === '' || text === undefined ? null : text,
  };
}
