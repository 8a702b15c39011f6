// The servers of docs/servers.md: those with a recipe, and those of older recordings.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { RECIPES } from './recipes.mjs';
/** @import { Recipe } from './recipes.mjs' */

/** Recordings of servers with a recipe, and the evidence of all. Not in the package. */
export const REPORTS = 'reports/servers';

/**
 * @typedef {object} OfRecording
 * @property {string} name
 * @property {string} recording from the root
 * @property {boolean} [isInferred] nobody noted the settings, so they are read from the recording
 * @property {Readonly<Record<string, string>>} [notItsOwn] clauses that something else breaks, with what does; not listed
 */
/** @typedef {OfRecording & Pick<Recipe, 'title' | 'about' | 'settings'> & Partial<Recipe>} Server */

/** A random model of two layers writes bytes that are no text. */
const RANDOM_MODEL = {
  'stream.whole-characters': 'the random model',
  'stream.no-replacement-character': 'the random model',
};

/**
 * Hard to install. Their recordings are also what the profile common-servers was made from.
 * @type {readonly Server[]}
 */
const OLDER = [
  {
    name: 'vllm',
    title: 'vLLM',
    version: '0.32.0',
    about: 'model server',
    settings: 'a random model of two layers on CPU, with `--api-key`',
    recording: 'test/recordings/vllm.ndjson.gz',
    notItsOwn: RANDOM_MODEL,
  },
  {
    name: 'transformers',
    title: 'transformers serve',
    about: 'model server',
    settings: 'a random model of two layers on CPU; no key',
    recording: 'test/recordings/transformers-m.ndjson.gz',
    notItsOwn: RANDOM_MODEL,
  },
  {
    name: 'new-api',
    title: 'New API',
    about: 'gateway',
    settings: 'one channel of type OpenAI to our reference gateway',
    recording: 'test/recordings/new-api.ndjson.gz',
    notItsOwn: { 'request.max-tokens-is-maximum': 'its estimate of tokens, since our upstream streams no usage' },
  },
  {
    name: 'one-api',
    title: 'One API with llama.cpp',
    about: 'gateway',
    settings: 'one channel of type OpenAI to llama.cpp with a random model, which also writes some of the errors',
    recording: 'test/recordings/one-api.ndjson.gz',
    notItsOwn: {
      'limits.max-tokens': 'llama.cpp, which answers values out of range',
      'limits.temperature': 'llama.cpp, which answers values out of range',
      'limits.top-p': 'llama.cpp, which answers values out of range',
    },
  },
];

/** @param {string} name of a recipe */
export function recordingOf(name) {
  return `${REPORTS}/${name}.ndjson.gz`;
}

/**
 * Those that have a recording.
 * @returns {readonly Server[]}
 */
export function listServers() {
  const measured = Object.entries(RECIPES).map(([name, recipe]) => ({ ...recipe, name, recording: recordingOf(name) }));
  const older = OLDER.map((server) => ({ ...server, isInferred: true }));
  return [...measured, ...older].filter(({ recording }) => existsSync(join(ROOT, recording)));
}
