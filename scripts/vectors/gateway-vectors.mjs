// Each fault and each variant of the reference gateway as a vector: a request of the suites, and an answer that shows it.
import { EXTRA_KEYS } from '../../build/src/suite/case.js';
import { createRedactor } from '../../build/src/exchange/secrets/redaction.js';
import { ENCODINGS } from '../../build/src/exchange/transport/decompression.js';
import { createComposer } from '../../build/src/exchange/transport/transport.js';
import { FAULTS, VARIANTS } from '../../build/src/gateway/catalogue.js';
import { loadContract } from '../../build/src/contract/read-contract.js';
import { bindRequest } from '../../build/src/plan/bind-request.js';
import { plan } from '../../build/src/run/run.js';
import { DEFAULT_SETTINGS } from '../../build/src/settings.js';
import { askDeployment } from './ask-deployment.mjs';
import { finalStatus, listedModels } from './read-answer.mjs';
/** @import { Showing } from './find-showing.mjs' */
/** @import { FilledRequest } from '../../build/src/plan/bind-request.js' */
/** @import { Step } from '../../build/src/plan/plan.js' */
/** @import { LeftOut, Vector } from './vector.mjs' */

const SETTINGS = {
  ...DEFAULT_SETTINGS,
  baseUrl: 'http://127.0.0.1/v1',
  model: 'sea-small',
  forbiddenModel: 'sea-large',
};
/** Short replies show as much as long ones. */
const BINDINGS = {
  model: 'sea-small',
  sample: ['sea-large', 'sea-small', 'sea-old'],
  forbiddenModel: 'sea-large',
  restrictedModel: 'sea-small',
  replyTokens: 6,
  streamTokens: 6,
  briefTokens: 1,
  withoutMaxTokens: false,
};
const WORD = 'vector';
/** Characters of a request body, and of base64 of an answer. */
const MAX_BODY = 2_000;
const MAX_ANSWER = 16 * 1024;
/** Answers to choose from. */
const ENOUGH = 6;
/** Headers that no verdict depends on. Compression has vectors of its own. */
const DROPPED = ['user-agent', 'accept-encoding'];
/** Codings of variants. @type {Readonly<Record<string, string>>} */
const CODINGS = { gzip: 'gzip', deflate: 'deflate', brotli: 'br' };

const NOT_ALONE = 'It shows only in a series of calls, or in an answer that is too large for a vector.';

export function variantVectors() {
  const found = Object.entries(VARIANTS).map(([name, { title }]) => {
    const shown = findAnswer(
      { modifiers: [VARIANTS[/** @type {keyof typeof VARIANTS} */ (name)]] },
      steps(),
      CODINGS[name],
    );
    const id = `variant/${name}`;
    if (!shown) return { id, why: CODINGS[name] === 'br' ? 'Every version of Brotli writes other bytes.' : NOT_ALONE };
    const needs = CODINGS[name];
    return {
      id,
      title,
      mode: shown.mode,
      ...(needs !== undefined && { needs }),
      ...shown.vector,
      expect: shown.expect,
    };
  });
  return split(found);
}

/** @param {Showing} showing */
export function faultVectors(showing) {
  const contract = loadContract();
  const found = Object.entries(FAULTS).map(([name, { title, breaks }]) => {
    const id = `fault/${name}`;
    const own = showing.get(name);
    const modifiers = [FAULTS[/** @type {keyof typeof FAULTS} */ (name)]];
    const shown = findAnswer(
      { modifiers },
      steps().filter((step) => own?.has(step.id)),
    );
    if (!shown) return { id, why: NOT_ALONE };
    const clause = own?.get(shown.vector.step) ?? '';
    const level = contract.clause(clause)?.level ?? 'none';
    const expect = { kind: /** @type {const} */ ('nothing') };
    return { id, title, mode: shown.mode, clause, level, breaks, ...shown.vector, expect };
  });
  return split(found);
}

/**
 * @param {readonly (Vector | LeftOut)[]} found
 * @returns {{ vectors: Vector[], leftOut: LeftOut[] }}
 */
function split(found) {
  return {
    vectors: found.flatMap((each) => ('why' in each ? [] : [each])),
    leftOut: found.flatMap((each) => ('why' in each ? [each] : [])),
  };
}

const PLAN = plan(SETTINGS, EXTRA_KEYS);

/** Those with a small request. @returns {readonly Step[]} */
function steps() {
  return PLAN.steps.filter(({ template: { filler, idle } }) => !filler && !idle);
}

/** @type {Map<string, string>} */
const usual = new Map();

/**
 * The smallest of the first answers that differ from those of the reference gateway as it is.
 * @param {Parameters<typeof askDeployment>[0]} options
 * @param {readonly Step[]} candidates
 * @param {string} [coding]
 */
function findAnswer(options, candidates, coding) {
  const shown = [];
  for (const step of candidates) {
    if (shown.length === ENOUGH) break;
    const asked = ask(options, step, coding);
    if (!asked?.wire) continue;
    const size = asked.wire.pieces.join('').length;
    const key = `${step.id} ${coding ?? ''}`;
    const before = usual.get(key) ?? JSON.stringify(ask({}, step, coding)?.wire);
    usual.set(key, before);
    if (size <= MAX_ANSWER && JSON.stringify(asked.wire) !== before) shown.push({ ...asked, step, size });
  }
  const [best] = shown.toSorted((a, b) => a.size - b.size);
  if (!best?.wire) return undefined;
  const { step, request, wire } = best;
  return { mode: modeOf(step), vector: { step: step.id, request, answer: wire }, expect: expectationOf(best) };
}

/**
 * @param {Parameters<typeof askDeployment>[0]} options
 * @param {Step} step
 * @param {string} [coding]
 */
function ask(options, step, coding) {
  const request = requestOf(step);
  if (!request) return undefined;
  /** @type {readonly string[]} */
  let text = [];
  const watching = {
    title: 'Keeps the text',
    reply: (/** @type {any} */ reply) =>
      ((text = reply.pieces), reply),
  };
  const asked = askDeployment({ ...options, modifiers: [...(options.modifiers ?? []), watching] }, (basePath, keys) => {
    const { wire, path } = composerFor(keys)(request);
    const headers = wire.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: wire[at + 1] ?? '' }] : []));
    const sent = headers.filter(({ name }) => !DROPPED.includes(name.toLowerCase()));
    return {
      method: request.method,
      path: `${basePath}${path}`,
      headers: [...sent.map(({ name, value }) => pair(name, value)), pair('accept-encoding', coding ?? 'identity')],
      ...(request.body !== undefined && { body: request.body }),
    };
  });
  return { ...asked, text: text.join('') };
}

/** By step, since each is asked for every fault and variant. @type {Map<string, FilledRequest | undefined>} */
const requests = new Map();

/** Undefined if it is too large. @param {Step} step */
function requestOf({ id, template }) {
  if (!requests.has(id)) {
    const filled = bindRequest(template, BINDINGS, WORD);
    const isFit = filled.kind !== 'missing' && (filled.request.body ?? '').length <= MAX_BODY;
    requests.set(id, isFit ? filled.request : undefined);
  }
  return requests.get(id);
}

/** By the full key. @type {Map<string, ReturnType<typeof createComposer>>} */
const composers = new Map();

/** @param {Readonly<Record<string, string>>} keys */
function composerFor(keys) {
  const full = keys['full'] ?? '';
  const known =
    composers.get(full) ?? createComposer(SETTINGS, { ...keys, full, second: full }, ENCODINGS, createRedactor([]));
  composers.set(full, known);
  return known;
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {[string, string]}
 */
function pair(name, value) {
  return [name, value];
}

/** @param {Step} step @returns {Vector['mode']} */
function modeOf({ template: { endpoint, mode } }) {
  if (endpoint === 'chat') return mode;
  return endpoint === 'models' ? 'models' : 'other';
}

/**
 * A client is not asked to understand answers to anything but a usual call.
 * @param {{ step: Step, answer: ReturnType<typeof askDeployment>['answer'], text: string }} shown
 * @returns {Vector['expect']}
 */
function expectationOf({ step, answer, text }) {
  const mode = modeOf(step);
  const isUsual = step.template.method === (mode === 'models' ? 'GET' : 'POST') && mode !== 'other';
  if (!isUsual || answer.kind === 'silence') return { kind: 'nothing' };
  const status = finalStatus(answer);
  // It may break off after all that matters.
  if (status === undefined && mode === 'stream') return { kind: 'nothing' };
  if (status !== 200) return { kind: 'error' };
  const models = mode === 'models' ? listedModels(answer) : [];
  if (models.length > 0) return { kind: 'models', models };
  return text === '' ? { kind: 'nothing' } : { kind: 'text', text };
}
