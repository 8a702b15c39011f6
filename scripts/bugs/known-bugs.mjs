// Bugs that real clients had and fixed, each with the last version that has it and the first that does not.
/** @import { Packages } from '../packages.mjs' */

/**
 * @typedef {object} Bug
 * @property {string} name of its folders
 * @property {string} title of the project
 * @property {string} what
 * @property {string} source
 * @property {string} before
 * @property {string} after
 * @property {(version: string) => Packages} packages
 * @property {readonly string[]} driver files from the root; the last one is started
 * @property {readonly string[]} scenarios in which the bug shows
 */

const PYTHON = ['clients/python/drive.py', 'clients/python/chunks.py'];
const AI_SDK = ['clients/node/drive.mjs', 'clients/node/ai-sdk.mjs'];
/** The last version of httpx that these versions of openai can use. */
const OLD_HTTPX = 'httpx==0.27.2';

/** @type {readonly Bug[]} */
export const BUGS = [
  {
    name: 'httpx-sse',
    title: 'httpx-sse',
    what: 'U+2028, U+2029 and U+0085 in a text were taken for line ends, and cut the JSON of an event.',
    source: 'https://github.com/florimondmanca/httpx-sse/pull/37',
    before: '0.4.1',
    after: '0.4.2',
    packages: (version) => ({ pypi: [`httpx-sse==${version}`, 'httpx==0.28.1'] }),
    driver: [...PYTHON, 'clients/python/drive_httpx_sse.py'],
    scenarios: ['client/stream-line-separators'],
  },
  {
    name: 'openai-python',
    title: 'openai for Python',
    what: 'U+2028 in a text was taken for a line end, and cut the JSON of an event.',
    source: 'https://github.com/openai/openai-python/issues/1230',
    before: '1.16.1',
    after: '1.16.2',
    packages: (version) => ({ pypi: [`openai==${version}`, OLD_HTTPX] }),
    driver: ['clients/python/drive.py', 'clients/python/drive_openai.py'],
    scenarios: ['client/stream-line-separators'],
  },
  {
    name: 'azure-ai-inference',
    title: 'azure-ai-inference for Python',
    what: 'A character that the network cut apart made the stream fail.',
    source: 'https://github.com/Azure/azure-sdk-for-python/pull/39741',
    before: '1.0.0b8',
    after: '1.0.0b9',
    packages: (version) => ({ pypi: [`azure-ai-inference==${version}`] }),
    driver: ['clients/python/drive.py', 'clients/python/drive_azure_ai_inference.py'],
    scenarios: ['client/stream-cut-anywhere'],
  },
  {
    name: 'ai-sdk',
    title: 'AI SDK, @ai-sdk/openai-compatible',
    what: 'A CRLF was taken for two line ends, so that an event of several lines fell apart.',
    source: 'https://github.com/vercel/ai/pull/6197',
    before: '0.2.13',
    after: '0.2.14',
    packages: (version) => ({ npm: [`@ai-sdk/openai-compatible@${version}`, 'ai@4.3.16', 'zod@3.25.76'] }),
    driver: AI_SDK,
    scenarios: ['client/stream-crlf-several-data-lines'],
  },
  {
    name: 'eventsource-parser',
    title: 'eventsource-parser, in AI SDK 5.0.0',
    what: 'A CRLF that the network cut apart was taken for two line ends, so that an event of several lines fell apart.',
    source: 'https://github.com/rexxars/eventsource-parser/issues/17',
    before: '3.0.3',
    after: '3.0.5',
    packages: (version) => ({
      npm: [`eventsource-parser@${version}`, '@ai-sdk/openai-compatible@1.0.0', 'ai@5.0.0', 'zod@3.25.76'],
    }),
    driver: AI_SDK,
    scenarios: ['client/stream-crlf-split-in-event'],
  },
];
