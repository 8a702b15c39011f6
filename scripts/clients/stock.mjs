// The stock clients: their names, their pinned versions and how their drivers are started.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const FOLDER = fileURLToPath(new URL('../../clients/', import.meta.url));
const PYTHON = process.platform === 'win32' ? 'venv\\Scripts\\python.exe' : 'venv/bin/python';

/** `family`: clients that read answers with the same code. `official`: an SDK of OpenAI. `{v}` in a label: the version. */
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

const START = { node: [process.execPath], python: [PYTHON], go: ['./driver'] };

export const STOCK = Object.entries(TABLE).map(([id, { pin, label, driver, ...client }]) => {
  const folder = FOLDER + client.language;
  const version = pin[1].exec(readFileSync(`${folder}/${pin[0]}`, 'utf8'))[1];
  const [major, minor] = version.split('.');
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
