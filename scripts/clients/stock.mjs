// The stock clients: their names, their pinned versions and how their drivers are started.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const FOLDER = fileURLToPath(new URL('../../clients/', import.meta.url));
const PYTHON = process.platform === 'win32' ? 'venv\\Scripts\\python.exe' : 'venv/bin/python';

export const LANGUAGES = /** @type {const} */ (['node', 'python', 'go']);
/** @typedef {(typeof LANGUAGES)[number]} Language */

/**
 * A client as it is measured.
 * @typedef {object} StockClient
 * @property {string} id
 * @property {string} name
 * @property {string} label the name with the version
 * @property {string} version
 * @property {string} family shared by clients that read answers with the same code
 * @property {true} [official] an SDK of OpenAI
 * @property {Language} language
 * @property {string} folder
 * @property {readonly string[]} command
 *
 * Where its version and its driver are found. `{v}` in its label is the version.
 * @typedef {object} Source
 * @property {readonly string[]} driver
 * @property {readonly [file: string, version: RegExp]} pin
 */

/** @type {Record<string, Omit<StockClient, 'id' | 'version' | 'folder' | 'command'> & Source>} */
const TABLE = {
  'openai-js': {
    name: 'openai for JavaScript',
    label: 'openai {v} for JavaScript',
    family: 'openai-js',
    official: true,
    language: 'node',
    driver: ['openai.mjs'],
    pin: ['package.json', /"openai": "(.+?)"/],
  },
  'ai-sdk': {
    name: 'AI SDK',
    label: 'AI SDK {v}',
    family: 'ai-sdk',
    language: 'node',
    driver: ['ai-sdk.mjs'],
    pin: ['package.json', /"ai": "(.+?)"/],
  },
  'langchain-js': {
    name: 'LangChain.js',
    label: 'LangChain.js {v}',
    family: 'openai-js',
    language: 'node',
    driver: ['langchain.mjs'],
    pin: ['package.json', /"@langchain\/openai": "(.+?)"/],
  },
  'openai-python': {
    name: 'openai for Python',
    label: 'openai {v} for Python',
    family: 'openai-python',
    official: true,
    language: 'python',
    driver: ['drive_openai.py'],
    pin: ['requirements.txt', /^openai==(.+)$/m],
  },
  'langchain-python': {
    name: 'LangChain for Python',
    label: 'LangChain {v} for Python',
    family: 'openai-python',
    language: 'python',
    driver: ['drive_langchain.py'],
    pin: ['requirements.txt', /^langchain-openai==(.+)$/m],
  },
  'pydantic-ai': {
    name: 'Pydantic AI',
    label: 'Pydantic AI {v}',
    family: 'openai-python',
    language: 'python',
    driver: ['drive_pydantic_ai.py'],
    pin: ['requirements.txt', /^pydantic-ai-slim==(.+)$/m],
  },
  'openai-go': {
    name: 'openai for Go',
    label: 'openai {v} for Go',
    family: 'openai-go',
    official: true,
    language: 'go',
    driver: [],
    pin: ['go.mod', /openai-go\/v\d+ v(\S+)/],
  },
};

/** @type {Record<Language, readonly string[]>} */
const START = { node: [process.execPath], python: [PYTHON], go: ['./driver'] };

/** @type {readonly StockClient[]} */
export const STOCK = Object.entries(TABLE).map(([id, { pin, label, driver, ...client }]) => {
  const folder = FOLDER + client.language;
  const [file, pattern] = pin;
  const [, version] = pattern.exec(readFileSync(`${folder}/${file}`, 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${folder}/${file} has no version of ${client.name}.`);
  const [major = version, minor = '0'] = version.split('.');
  const short = minor === '0' ? major : `${major}.${minor}`;
  return {
    id,
    ...client,
    version,
    label: label.replace('{v}', short),
    folder,
    command: [...START[client.language], ...driver],
  };
});
