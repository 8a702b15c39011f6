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

const NODE = 'clients/node/drive.mjs';
const PYTHON = ['clients/python/drive.py', 'clients/python/chunks.py'];
/** The last version of httpx that these versions of openai can use. */
const OLD_HTTPX = 'httpx==0.27.2';

/** @type {readonly Bug[]} */
export const BUGS = [
  {
    name: 'ai-sdk',
    title: '@ai-sdk/openai-compatible',
    what: 'A CRLF was taken for two line ends or for none, so that events were lost.',
    source: 'https://github.com/vercel/ai/pull/6197',
    before: '0.2.13',
    after: '0.2.14',
    packages: (version) => ({ npm: [`@ai-sdk/openai-compatible@${version}`, 'ai@4.3.16'] }),
    driver: [NODE, 'clients/node/ai-sdk.mjs'],
    scenarios: ['client/stream-crlf', 'client/stream-crlf-split', 'client/stream-cr', 'client/stream-mixed-line-ends'],
  },
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
    before: '1.13.3',
    after: '1.13.4',
    packages: (version) => ({ pypi: [`openai==${version}`, OLD_HTTPX] }),
    driver: ['clients/python/drive.py', 'clients/python/drive_openai.py'],
    scenarios: ['client/stream-line-separators'],
  },
  {
    name: 'openai-node',
    title: 'openai for JavaScript',
    what: 'Events that end in different line ends were joined, or held back until the next one.',
    source: 'https://github.com/openai/openai-node/pull/2309',
    before: '7.4.0',
    after: '7.5.0',
    packages: (version) => ({ npm: [`openai@${version}`] }),
    driver: [NODE, 'clients/node/openai.mjs'],
    scenarios: ['client/stream-mixed-line-ends', 'client/stream-cr', 'client/stream-crlf-split'],
  },
  {
    name: 'eventsource-parser',
    title: 'eventsource-parser',
    what: 'A CRLF that the network cut apart was taken for two line ends.',
    source: 'https://github.com/rexxars/eventsource-parser/issues/17',
    before: '3.0.0',
    after: '3.0.1',
    packages: (version) => ({ npm: [`eventsource-parser@${version}`] }),
    driver: [NODE, 'clients/node/eventsource-parser.mjs'],
    scenarios: ['client/stream-crlf-split', 'client/stream-crlf', 'client/stream-several-data-lines'],
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
    scenarios: ['client/stream-cut-anywhere', 'client/stream-byte-by-byte'],
  },
  {
    name: 'sseclient-py',
    title: 'sseclient-py',
    what: 'An event was lost if the network cut it apart.',
    source: 'https://github.com/mpetazzoni/sseclient',
    before: '1.7.2',
    after: '1.8.0',
    packages: (version) => ({ pypi: [`sseclient-py==${version}`, 'requests==2.32.5'] }),
    driver: [...PYTHON, 'clients/python/drive_sseclient.py'],
    scenarios: ['client/stream-*'],
  },
];
