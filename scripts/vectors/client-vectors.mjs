// The scenarios for clients as vectors.
import { createHash } from 'node:crypto';
import { isPlayable, loadScenarios } from '../../build/src/gather/client/scenario.js';
import { modifiersFor, SCENARIO_MODEL, tokensOf } from '../../build/src/gather/client/scenario-server.js';
import { loadContract } from '../../build/src/contract/read-contract.js';
import { askDeployment } from './ask-deployment.mjs';
import { listedModels } from './read-answer.mjs';
/** @import { PlayableScenario } from '../../build/src/gather/client/scenario.js' */
/** @import { LeftOut, Vector } from './vector.mjs' */

const KEY = 'sk-service-example';
const PROMPT = 'Which word is it?';
/** What a scenario says about compression, by its behaviour. @type {Readonly<Record<string, string>>} */
const CODINGS = { 'gzip-if-accepted': 'gzip', 'deflate-if-accepted': 'deflate', 'brotli-if-accepted': 'br' };
/** Bytes in base64. */
const MAX_ANSWER = 48 * 1024;

/** @returns {{ vectors: Vector[], leftOut: LeftOut[] }} */
export function clientVectors() {
  /** @type {Vector[]} */
  const vectors = [];
  /** @type {LeftOut[]} */
  const leftOut = [];
  for (const scenario of loadScenarios().filter(isPlayable)) {
    const made = vectorOf(scenario);
    if ('why' in made) leftOut.push(made);
    else vectors.push(made);
  }
  return { vectors, leftOut };
}

/**
 * @param {PlayableScenario} scenario
 * @returns {Vector | LeftOut}
 */
function vectorOf(scenario) {
  const { id, title, mode, expect, gateway, behaviours } = scenario;
  const changes = [...gateway, ...behaviours];
  const { clause } = expect[0];
  const word = wordOf(id);
  const tokens = tokensOf(scenario, word);
  const coding = changes.map((name) => CODINGS[name]).find((found) => found !== undefined);
  const options = { modifiers: modifiersFor(scenario, tokens, word) };
  const { request, answer, wire } = askDeployment(options, (basePath) => requestOf(basePath, mode, coding));
  if (changes.includes('server-error-once')) return { id, why: 'It needs two answers, and a vector has one.' };
  if (!wire) return { id, why: 'Every version of Brotli writes other bytes.' };
  const size = wire.pieces.join('').length;
  if (size > MAX_ANSWER) return { id, why: `The answer is too large for a vector: ${size} characters of base64.` };
  return {
    id,
    title,
    mode,
    clause,
    level: loadContract('client').clause(clause)?.level ?? 'none',
    ...(coding !== undefined && { needs: coding }),
    request,
    answer: wire,
    expect: expectationOf(scenario, tokens.join(''), answer),
  };
}

/**
 * @param {PlayableScenario} scenario
 * @param {string} text
 * @param {ReturnType<typeof askDeployment>['answer']} answer
 * @returns {Vector['expect']}
 */
function expectationOf({ expectedResult, mode }, text, answer) {
  if (expectedResult === 'failure') return { kind: 'error' };
  if (expectedResult !== 'text') return { kind: 'nothing' };
  return mode === 'models' ? { kind: 'models', models: listedModels(answer) } : { kind: 'text', text };
}

/**
 * @param {string} basePath
 * @param {PlayableScenario['mode']} mode
 * @param {string | undefined} coding
 * @returns {Vector['request']}
 */
function requestOf(basePath, mode, coding) {
  /** @type {[string, string][]} */
  const headers = [
    ['authorization', `Bearer ${KEY}`],
    ...(coding === undefined ? [] : [/** @type {[string, string]} */ (['accept-encoding', coding])]),
  ];
  if (mode === 'models') return { method: 'GET', path: `${basePath}/models`, headers };
  const body = {
    model: SCENARIO_MODEL,
    messages: [{ role: 'user', content: PROMPT }],
    ...(mode === 'stream' && { stream: true }),
  };
  return {
    method: 'POST',
    path: `${basePath}/chat/completions`,
    headers: [...headers, ['content-type', 'application/json']],
    body: JSON.stringify(body),
  };
}

const CONSONANTS = 'bdfghklmnprstvz';
const VOWELS = 'aeiou';

/**
 * Eight letters that differ from vector to vector.
 * @param {string} id
 */
function wordOf(id) {
  const bytes = createHash('sha256').update(id).digest();
  const pick = (/** @type {string} */ letters, /** @type {number} */ at) =>
    letters.charAt((bytes[at] ?? 0) % letters.length);
  return Array.from({ length: 4 }, (_, at) => pick(CONSONANTS, 2 * at) + pick(VOWELS, 2 * at + 1)).join('');
}
