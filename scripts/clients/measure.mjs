// Asks every stock client in every call in which a deviation shows, and says what came of it.
import { CLIENT_CALLS } from '../../build/src/contract/stock-clients.js';
import { FAULTS, startGateway, VARIANTS } from '../../build/src/gateway/index.js';
import { startDriver } from './driver.mjs';
import { mismatchesOf } from './judge.mjs';
import { showsIn } from './shows.mjs';
import { isMeasurable } from './summarize.mjs';
/** @import { ClientCall, Effect, MismatchKind } from '../../build/src/contract/stock-clients.js' */
/** @import { FaultId, GatewayOptions, Modifier, VariantId } from '../../build/src/gateway/index.js' */
/** @import { JsonObject } from '../../build/src/gateway/json.js' */
/** @import { Driver, DriverResult } from './driver.mjs' */
/** @import { StockClient } from './stock.mjs' */

/**
 * A gateway to measure.
 * @typedef {object} Subject
 * @property {string} id
 * @property {'control' | 'fault' | 'variant'} kind
 * @property {string} title
 * @property {GatewayOptions} options
 *
 * With the calls in which it shows, and the mismatches that wirecheck finds in it.
 * @typedef {Subject & { kinds: readonly MismatchKind[], calls: readonly ClientCall[] }} Trial
 *
 * What a call came to. No effect: the exact text.
 * @typedef {object} Effected
 * @property {Effect | 'unsupported' | undefined} effect
 * @property {string | undefined} [error]
 * @property {DriverResult['text'] | undefined} [text]
 * @property {number} [asked] requests that the gateway got
 *
 * @typedef {Effected & { trial: string, call: ClientCall, client: string }} Result
 *
 * Everything that the matrix shows.
 * @typedef {object} Measurement
 * @property {string} measured the day
 * @property {readonly StockClient[]} clients
 * @property {Readonly<Record<string, string>>} skipped languages, with the reason
 * @property {readonly Trial[]} trials
 * @property {readonly Result[]} results
 * @property {readonly string[]} played lines of the table of scenarios
 */

const LIMIT_MS = 15_000;
/** The first call waits for the SDK to load. */
const START_MS = 120_000;
const CALLS_AT_A_TIME = 3;
const GATEWAYS_AT_A_TIME = 4;

/**
 * Left out: answers that fail once on purpose, which a client may well report, and a response that stays open for
 * only three seconds, after which even a client that waits for the end has its text.
 */
const LEFT_OUT = /^trouble-|^stream-heartbeats-after-done$/;

/**
 * The conforming gateway first; then the faults and variants that show in an ordinary call.
 * @param {readonly string[]} names
 * @returns {Promise<readonly Trial[]>}
 */
export async function listTrials(names = []) {
  const subjects = listSubjects()
    .filter(({ id }) => !LEFT_OUT.test(id))
    .filter(({ id, kind }) => kind === 'control' || names.length === 0 || names.includes(id));
  const trials = await inParallel(subjects, GATEWAYS_AT_A_TIME, async (subject) => {
    const shown = await Promise.all(
      CLIENT_CALLS.map(async (call) => subject.kind === 'control' || showsIn(call, subject.options)),
    );
    const kinds = subject.kind === 'fault' && shown.some(Boolean) ? await mismatchesOf(subject.options) : [];
    const calls = CLIENT_CALLS.filter(
      (call, at) =>
        shown[at] && (subject.kind !== 'fault' || kinds.some((kind) => kind.call === call && isMeasurable(kind))),
    );
    return { ...subject, kinds, calls };
  });
  return trials.filter(({ calls }) => calls.length > 0);
}

/** @returns {Subject[]} */
function listSubjects() {
  const faults = /** @type {FaultId[]} */ (Object.keys(FAULTS));
  const variants = /** @type {VariantId[]} */ (Object.keys(VARIANTS));
  return [
    { id: 'conforming', kind: 'control', title: 'The conforming gateway', options: {} },
    ...faults.map(
      (id) => /** @type {const} */ ({ id, kind: 'fault', title: FAULTS[id].title, options: { fault: id } }),
    ),
    ...variants.map(
      (id) => /** @type {const} */ ({ id, kind: 'variant', title: VARIANTS[id].title, options: { variant: id } }),
    ),
  ];
}

/**
 * Per trial: results by client and call. `unsupported` where the client has no such call.
 * @param {readonly StockClient[]} clients
 * @param {readonly Trial[]} trials
 * @param {(client: StockClient, calls: number) => void} onClient
 * @returns {Promise<Result[]>}
 */
export async function measure(clients, trials, onClient) {
  const byClient = await Promise.all(
    clients.map(async (client) => {
      const driver = startDriver(client);
      const { effect = 'ready', error = '' } = await ask(driver, {}, 'plain', START_MS);
      if (effect !== 'ready') throw new Error(`${client.name} fails on the conforming gateway: ${effect} ${error}`);
      const calls = trials.flatMap((trial) => trial.calls.map((call) => ({ trial, call })));
      const results = await inParallel(calls, CALLS_AT_A_TIME, async ({ trial, call }) => ({
        trial: trial.id,
        call,
        client: client.id,
        ...(await ask(driver, trial.options, call)),
      }));
      // A busy machine may look like a client that hangs.
      for (const result of results.filter(({ effect }) => effect === 'hangs')) {
        const { options = {} } = trials.find(({ id }) => id === result.trial) ?? {};
        Object.assign(result, await ask(driver, options, result.call));
      }
      driver.stop();
      onClient(client, results.length);
      return results;
    }),
  );
  return byClient.flat();
}

/**
 * @param {Driver} driver
 * @param {GatewayOptions} options
 * @param {ClientCall} call
 * @param {number} limitMs
 * @returns {Promise<Effected>}
 */
async function ask(driver, options, call, limitMs = LIMIT_MS) {
  let expected = '';
  /** @type {Modifier[]} */
  const modifiers = [
    {
      title: 'Keeps the text',
      reply: (reply) => {
        expected = reply.pieces.join('');
        return reply;
      },
      // The list of a variant is right, whatever it holds; that of a fault is measured against what it should hold.
      list: (list) => {
        if (options.fault === undefined) expected = idsOf(list).join('\n');
        return list;
      },
    },
  ];
  const gateway = await startGateway({ ...options, modifiers, eventGapMs: 1 });
  const { baseUrl, keys, models, requests } = gateway;
  if (call === 'models') expected = models.join('\n');
  const task = {
    baseUrl,
    apiKey: keys.full,
    model: models[0] ?? '',
    mode: call,
    prompt: 'Say something about the sea.',
  };
  const result = await driver.ask(task, limitMs);
  const asked = requests.count;
  await gateway.close();
  if (result?.unsupported) return { effect: 'unsupported' };
  return {
    effect: effectOf(result, expected, { call, asked, isFault: options.fault !== undefined }),
    error: result?.error,
    text: result?.text,
    asked,
  };
}

/**
 * @param {JsonObject} list
 * @returns {string[]}
 */
function idsOf({ data }) {
  return Array.isArray(data) ? data.map((model) => String(model.id)) : [];
}

/**
 * Undefined if the exact text came out.
 * @param {DriverResult | undefined} result
 * @param {string} expected
 * @param {{ call: ClientCall, asked: number, isFault: boolean }} circumstances
 * @returns {Effect | undefined}
 */
function effectOf(result, expected, { call, asked, isFault }) {
  if (result === undefined) return asked > 1 ? 'retries' : 'hangs';
  if (!result.ok) return /validat/i.test(result.error ?? '') ? 'rejects' : 'throws';
  const text = String(result.text ?? '');
  if (call === 'models') return sameIds(text, expected) ? undefined : text === '' ? 'empty' : 'other';
  // A fault may leave no text to expect.
  if (text === '') return expected === '' && !isFault ? undefined : 'empty';
  if (text === expected) return undefined;
  return expected.startsWith(text) ? 'part' : 'other';
}

/**
 * A list that names a model twice still has the same ids.
 * @param {string} text
 * @param {string} expected
 */
function sameIds(text, expected) {
  const [returned, wanted] = [new Set(text.split('\n')), new Set(expected.split('\n'))];
  return returned.size === wanted.size && [...returned].every((id) => wanted.has(id));
}

/**
 * @template Item, Done
 * @param {readonly Item[]} items
 * @param {number} most
 * @param {(item: Item) => Promise<Done>} work
 * @returns {Promise<Done[]>} in the order of the items
 */
async function inParallel(items, most, work) {
  /** @type {Done[]} */
  const results = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
