/** The worker of foreign-yaml.ts: parses the YAML it is given and posts it as JSON text. */
import { parentPort, workerData } from 'node:worker_threads';
import { LineCounter, parseDocument } from 'yaml';

const lineCounter = new LineCounter();
const document = parseDocument(String(workerData), {
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  lineCounter,
  logLevel: 'silent',
});
const [error] = document.errors;
const reading = error
  ? { kind: 'not-yaml', detail: `line ${lineCounter.linePos(error.pos[0]).line}` }
  : { kind: 'json', text: JSON.stringify(document.toJS({ maxAliasCount: 100 })) ?? 'null' };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a worker has no origin.
parentPort?.postMessage(reading);
