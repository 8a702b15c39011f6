// The report of a small relay with two faults, with words, times and ports pinned.
import { DEFAULT_SETTINGS, runRelay, startRelayUpstream } from '../../build/src/index.js';
import { RELAY_KEYS, startSmallRelay } from '../../build/selftest/relays/small-relay.js';
/** @import { ExchangeReport, Report } from '../../build/src/index.js' */
/** @import { RelayModifier } from '../../build/selftest/relays/relay-modifier.js' */

const CASES = ['plain', 'plain-usage', 'forward-max-tokens', 'fail-429-retry-after', 'fail-500'];

const APOLOGY = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Sorry.' }, finish_reason: 'stop' }],
};

/**
 * Drops the token limit, and turns failures into replies.
 * @type {RelayModifier}
 */
const FAULTS = {
  request: ({ ['max_tokens']: _dropped, ...body }) => body,
  failure: () => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(APOLOGY),
  }),
};

/** Milliseconds. */
const BETWEEN_REQUESTS = 25;
const TIMES = { front: { headersAt: 8, endAt: 11 }, upstream: { headersAt: 2, endAt: 4 } };
const UPSTREAM_AFTER = 3;

/** Consonants only, as in src/gather/relay/words.ts. */
const WORD = /[bcdfghjklmnpqrstvwxz]{14}/g;
const LETTERS = 'bcdfghjklm';

/** @param {number} startedAt milliseconds since 1970 */
export async function makeRelaySample(startedAt) {
  // One at a time, so that requests have the same order in each run.
  const settings = { ...DEFAULT_SETTINGS, concurrency: 1, only: CASES.map((name) => `relay/${name}`) };
  const keys = { full: RELAY_KEYS.full };
  const started = await startRelayUpstream({ ...settings, baseUrl: 'http://127.0.0.1/v1' }, keys);
  const relay = await startSmallRelay({ upstreamUrl: started.upstream.url, modifiers: [FAULTS] });
  try {
    const report = await runRelay({ ...settings, baseUrl: relay.baseUrl }, keys, started);
    return pinReport(report, { front: relay.baseUrl, upstream: started.upstream.url }, startedAt);
  } finally {
    await relay.close();
  }
}

/**
 * @param {Report} report
 * @param {{ front: string, upstream: string }} addresses
 * @param {number} startedAt
 * @returns {Report}
 */
function pinReport({ time: _time, ...report }, { front, upstream }, startedAt) {
  // The streamed control: its pieces arrive in another way each time.
  const exchanges = pinTimes(report.exchanges.filter(({ mode }) => mode !== 'stream'));
  const endedAt = startedAt + exchanges.length * BETWEEN_REQUESTS;
  const provenance = {
    ...report.provenance,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  };
  const text = JSON.stringify({ ...report, exchanges, provenance })
    .replaceAll(new URL(front).host, '127.0.0.1:8080')
    .replaceAll(new RegExp(`\\b${new URL(upstream).port}\\b`, 'g'), '5055')
    .replaceAll(/("created\\?":)\d{10}/g, `$1${startedAt / 1000}`)
    .replaceAll(/"(date)","[^"]*"/gi, `"$1","${new Date(startedAt).toUTCString()}"`);
  return JSON.parse(pinWords(text));
}

/**
 * The upstream's calls come soon after the question that led to them.
 * @param {readonly ExchangeReport[]} exchanges
 * @returns {ExchangeReport[]}
 */
function pinTimes(exchanges) {
  /** @type {Map<string, number>} */
  const sentAt = new Map();
  return exchanges.map((exchange, index) => {
    const isUpstream = exchange.side === 'upstream';
    const question = sentAt.get(exchange.cause ?? '') ?? 0;
    const at = isUpstream ? question + UPSTREAM_AFTER : index * BETWEEN_REQUESTS;
    sentAt.set(exchange.id, at);
    const attempts = exchange.attempts.map((attempt) => ({
      ...attempt,
      sentAt: at,
      ...(attempt.answer && { answer: { ...attempt.answer, ...TIMES[isUpstream ? 'upstream' : 'front'] } }),
    }));
    return { ...exchange, attempts };
  });
}

/** @param {string} text */
function pinWords(text) {
  const words = [...new Set(text.match(WORD))];
  const pinned = new Map(
    words.map((word, index) => [
      word,
      Array.from(String(index).padStart(14, '0'), (digit) => LETTERS[Number(digit)]).join(''),
    ]),
  );
  return text.replaceAll(WORD, (word) => pinned.get(word) ?? word);
}
