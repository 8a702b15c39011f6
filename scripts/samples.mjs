// Makes samples of every format from real runs against the reference gateway and a small relay. Times, ports and versions are pinned, so
// that a sample changes only when a format does. `node scripts/samples.mjs FOLDER` writes them somewhere else.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEYS, startGateway } from '../build/src/gateway/index.js';
import { tooManyCalls } from '../build/src/gateway/refusals.js';
import { DEFAULT_SETTINGS, gather, judge, render } from '../build/src/index.js';
import { DEFAULT_FILES } from '../build/src/settings/format-names.js';
import { FORMAT_NAMES } from '../build/src/settings/format-names.js';
import { makeRelaySample } from './relays/sample.mjs';
/** @import { Call } from '../build/src/gateway/call.js' */
/** @import { FaultId, Modifier } from '../build/src/gateway/index.js' */
/** @import { Answer, Attempt, Body, FormatName, Report, Traffic } from '../build/src/index.js' */

/** @type {readonly FaultId[]} */

const FAULTS = [
  'error-code-integer',
  'param-temperature-above-accepted',
  'chat-usage-not-summing',
  'stream-no-done',
  'auth-key-echo',
];

/**
 * A run on a gateway with faults.
 * @typedef {{ faults: readonly FaultId[], hasExtraKeys: boolean, only: readonly string[] }} SampleRun
 */

/** @type {Record<string, { make: () => Promise<Report>, formats: readonly FormatName[] }>} */
const SAMPLES = {
  conforming: { make: () => runSample({ faults: [], hasExtraKeys: true, only: [] }), formats: FORMAT_NAMES },
  broken: { make: () => runSample({ faults: FAULTS, hasExtraKeys: false, only: [] }), formats: FORMAT_NAMES },
  // The report.json of a whole run is too large to be committed.
  'broken-auth-only': {
    make: () => runSample({ faults: FAULTS, hasExtraKeys: false, only: ['auth/*'] }),
    formats: ['json'],
  },
  relay: { make: () => makeRelaySample(STARTED_AT), formats: ['terminal', 'markdown', 'html', 'json', 'summary'] },
};

/**
 * For formats that no run writes to a file by default.
 * @type {Partial<Record<FormatName, string>>}
 */
const FILE_NAMES = { sarif: 'report.sarif', badge: 'badge.json', prometheus: 'wirecheck.prom' };
/** A summary has two forms. */
const SUMMARIES = ['summary.html', 'summary.md'];

const STARTED_AT = Date.UTC(2030, 0, 1);
const DATE = new Date(STARTED_AT).toUTCString();
/** Milliseconds. */
const BETWEEN_REQUESTS = 25;
/** Far enough apart that a busy machine still sees a stream in pieces: otherwise, a second one would be sent. */
const BETWEEN_EVENTS = 10;
const HEADERS_AT = 8;
const BETWEEN_READS = 12;

const folder = process.argv[2] ?? fileURLToPath(new URL('../reports/samples', import.meta.url));
for (const [name, { make, formats }] of Object.entries(SAMPLES)) {
  rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, name), { recursive: true });
  const report = pinProvenance(await make());
  for (const format of formats) {
    for (const file of fileNamesOf(format).map((own) => join(folder, name, own))) {
      const text = render(report, format, { file, page: DEFAULT_FILES.html });
      writeFileSync(file, format === 'json' ? `${JSON.stringify(JSON.parse(text))}\n` : text);
      console.log(file);
    }
  }
}

/**
 * @param {FormatName} format
 * @returns {readonly string[]}
 */
function fileNamesOf(format) {
  if (format === 'summary') return SUMMARIES;
  /** @type {{ readonly [Name in FormatName]?: string }} */
  const byDefault = DEFAULT_FILES;
  return [byDefault[format] ?? FILE_NAMES[format] ?? `${format}.txt`];
}

/** @param {SampleRun} sample */
async function runSample({ faults, hasExtraKeys, only }) {
  const gateway = await startGateway({ eventGapMs: BETWEEN_EVENTS, faults, modifiers: [limitByCount()] });
  try {
    const settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: gateway.baseUrl,
      // Requests sent at the same time would be answered in another order each time.
      concurrency: 1,
      only,
      ...(hasExtraKeys && { forbiddenModel: gateway.forbiddenModel }),
    };
    const { plan, traffic } = await gather(settings, hasExtraKeys ? gateway.keys : { full: gateway.keys.full });
    return judge({ plan, traffic: pinTraffic(traffic) }, { ...settings, baseUrl: 'http://127.0.0.1:8080/v1' });
  } finally {
    await gateway.close();
  }
}

/**
 * The gateway's own limit is refilled once a second, so that a slow machine would get another call answered.
 * @returns {Modifier}
 */
function limitByCount() {
  let calls = 0;
  const isLimited = (/** @type {Call} */ { bearer, endpoint }) => bearer === KEYS.limited && endpoint === 'chat';
  return {
    title: 'Three calls for the limited key, however long they take',
    refusal: (refusal) => (refusal.rule === 'rate' ? undefined : refusal),
    refuse: (call) => (isLimited(call) && (calls += 1) > 3 ? tooManyCalls() : undefined),
  };
}

/**
 * @param {Report} report
 * @returns {Report}
 */
function pinProvenance(report) {
  const pinned = { node: 'v20.19.0', platform: 'linux-x64', contractHash: '0'.repeat(64) };
  const tool = { ...report.tool, version: '0.0.0' };
  return { ...report, tool, provenance: { ...report.provenance, ...pinned } };
}

/**
 * As if every request had taken the same time, and every event had arrived by itself.
 * @param {Traffic} traffic
 * @returns {Traffic}
 */
function pinTraffic(traffic) {
  let sentAt = 0;
  /** @type {(attempt: Attempt) => Attempt} */
  const pinAttempt = (attempt) => {
    const { outcome } = attempt;
    sentAt += BETWEEN_REQUESTS;
    return {
      ...attempt,
      sentAt,
      outcome: outcome.kind === 'answer' ? { kind: 'answer', answer: pinAnswer(outcome.answer) } : outcome,
    };
  };
  const exchanges = traffic.exchanges.map((exchange) => ({
    ...exchange,
    attempts: exchange.attempts.map(pinAttempt),
  }));
  const endedAt = STARTED_AT + sentAt + BETWEEN_REQUESTS;
  return { ...traffic, exchanges, startedAt: STARTED_AT, endedAt, clockSkew: 0 };
}

/**
 * @param {Answer} answer
 * @returns {Answer}
 */
function pinAnswer(answer) {
  const body = pinBody(answer.body);
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name.toLowerCase() === 'date' ? DATE : value]),
    body,
    headersAt: HEADERS_AT,
    endAt: (body.reads.at(-1)?.at ?? HEADERS_AT) + 1,
    lateness: 0,
    ...('textLateness' in answer && { textLateness: 0 }),
  };
}

/**
 * @param {Body} body
 * @returns {Body}
 */
function pinBody(body) {
  // One character per byte, so that bytes that are not text survive.
  const text = Buffer.from(body.bytes)
    .toString('latin1')
    .replaceAll(/"created":\d{10}/g, `"created":${STARTED_AT / 1000}`);
  const parts = text.match(/[^]*?(?:\n\n|$)/g)?.filter((part) => part !== '') ?? [];
  return {
    ...body,
    bytes: Buffer.from(text, 'latin1'),
    reads: parts.map((part, index) => ({ at: HEADERS_AT + 2 + index * BETWEEN_READS, bytes: part.length })),
  };
}
