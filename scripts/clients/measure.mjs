// Asks every stock client in every call in which a deviation shows, and says what came of it.
import { FAULTS, startGateway, VARIANTS } from '../../dist/gateway/index.js';
import { startDriver } from './driver.mjs';
import { mismatchesOf } from './judge.mjs';
import { CALLS, showsIn } from './shows.mjs';
import { isMeasurable } from './summarize.mjs';

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

/** The conforming gateway first; then the faults and variants that show in an ordinary call. */
export async function listTrials(names = []) {
  const subjects = [
    { id: 'conforming', kind: 'control', title: 'The conforming gateway', options: {} },
    ...Object.entries(FAULTS).map(([id, { title }]) => ({ id, kind: 'fault', title, options: { fault: id } })),
    ...Object.entries(VARIANTS).map(([id, { title }]) => ({ id, kind: 'variant', title, options: { variant: id } })),
  ]
    .filter(({ id }) => !LEFT_OUT.test(id))
    .filter(({ id, kind }) => kind === 'control' || names.length === 0 || names.includes(id));
  const trials = await inParallel(subjects, GATEWAYS_AT_A_TIME, async (subject) => {
    const shown = await Promise.all(
      CALLS.map(async (call) => subject.kind === 'control' || showsIn(call, subject.options)),
    );
    const kinds = subject.kind === 'fault' && shown.some(Boolean) ? await mismatchesOf(subject.options) : [];
    const calls = CALLS.filter(
      (call, at) =>
        shown[at] && (subject.kind !== 'fault' || kinds.some((kind) => kind.call === call && isMeasurable(kind))),
    );
    return { ...subject, kinds, calls };
  });
  return trials.filter(({ calls }) => calls.length > 0);
}

/** Per trial: results by client and call. `unsupported` where the client has no such call. */
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
        Object.assign(result, await ask(driver, trials.find(({ id }) => id === result.trial).options, result.call));
      }
      driver.stop();
      onClient(client, results.length);
      return results;
    }),
  );
  return byClient.flat();
}

async function ask(driver, options, call, limitMs = LIMIT_MS) {
  let expected = '';
  const modifiers = [
    {
      title: 'Keeps the text',
      reply: (reply) => {
        expected = reply.pieces.join('');
        return reply;
      },
      // The list of a variant is right, whatever it holds; that of a fault is measured against what it should hold.
      list: (list) => {
        if (options.fault === undefined) expected = list.data.map(({ id }) => id).join('\n');
        return list;
      },
    },
  ];
  const gateway = await startGateway({ ...options, modifiers, eventGapMs: 1 });
  const { baseUrl, keys, models, requests } = gateway;
  if (call === 'models') expected = models.join('\n');
  const task = { baseUrl, apiKey: keys.full, model: models[0], mode: call, prompt: 'Say something about the sea.' };
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

/** Undefined if the exact text came out. */
function effectOf(result, expected, { call, asked, isFault }) {
  if (result === undefined) return asked > 1 ? 'retries' : 'hangs';
  if (!result.ok) return /validat/i.test(result.error) ? 'rejects' : 'throws';
  const text = String(result.text ?? '');
  if (call === 'models') return sameIds(text, expected) ? undefined : text === '' ? 'empty' : 'other';
  // A fault may leave no text to expect.
  if (text === '') return expected === '' && !isFault ? undefined : 'empty';
  if (text === expected) return undefined;
  return expected.startsWith(text) ? 'part' : 'other';
}

/** A list that names a model twice still has the same ids. */
function sameIds(text, expected) {
  const [returned, wanted] = [new Set(text.split('\n')), new Set(expected.split('\n'))];
  return returned.size === wanted.size && [...returned].every((id) => wanted.has(id));
}

export async function inParallel(items, most, work) {
  const results = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
