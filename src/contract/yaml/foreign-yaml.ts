/**
 * Reads YAML from the target. A text made for it can cost the parser minutes or gigabytes, so it runs in a worker with
 * limits on memory and time, and returns JSON text with all aliases resolved.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export type ForeignYaml =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'not-yaml'; readonly detail: string }
  /** The parser exceeded its memory or time. */
  | { readonly kind: 'too-much' };

/** Enough for half a mebibyte of YAML: a description of hundreds of endpoints. */
const MAX_MEMORY = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 16 };
/** Milliseconds. */
const MAX_TIME = 10_000;

/** A string, so that it runs the same from source and from the build. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { parseDocument, LineCounter } = require(workerData.parser);
const lineCounter = new LineCounter();
const options = { schema: 'core', resolveKnownTags: false, stringKeys: true, uniqueKeys: false, prettyErrors: false };
const document = parseDocument(workerData.text, { ...options, lineCounter, logLevel: 'silent' });
const [error] = document.errors;
parentPort.postMessage(
  error
    ? { kind: 'not-yaml', detail: 'line ' + lineCounter.linePos(error.pos[0]).line }
    : { kind: 'json', text: JSON.stringify(document.toJS({ maxAliasCount: 100 })) ?? 'null' },
);
`;

export async function readForeignYaml(text: string): Promise<ForeignYaml> {
  const parser = createRequire(import.meta.url).resolve('yaml');
  const worker = new Worker(PROGRAM, { eval: true, workerData: { parser, text }, resourceLimits: MAX_MEMORY });
  let timer: NodeJS.Timeout | undefined;
  const reading = new Promise<ForeignYaml>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'too-much' }), MAX_TIME);
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) => resolve(classifyError(error)));
  });
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** The parser also throws for too many, unknown or circular aliases, and for a stack overflow. */
function classifyError({ code, name }: NodeJS.ErrnoException): ForeignYaml {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'RangeError') return { kind: 'too-much' };
  return { kind: 'not-yaml', detail: 'unresolvable aliases' };
}
