/**
 * Reads YAML from the target. A text made for it can cost the parser minutes or gigabytes, so it runs in a worker with
 * limits on memory and time, and returns JSON text with all aliases resolved.
 */
import { Worker } from 'node:worker_threads';
import { workerProgram } from '../package-files.ts';

export type ForeignYaml =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'not-yaml'; readonly detail: string }
  /** The parser exceeded its memory or time. */
  | { readonly kind: 'too-much' };

/** Time in milliseconds. Enough for half a mebibyte of YAML: a description of hundreds of endpoints. */
const LIMITS = { memory: { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 16 }, time: 10_000 };

const WORKER = 'contract/yaml/foreign-yaml-worker.js';

export async function readForeignYaml(text: string, { memory, time } = LIMITS): Promise<ForeignYaml> {
  const { program, options } = workerProgram(WORKER);
  const worker = new Worker(program, { ...options, workerData: text, resourceLimits: memory });
  let timer: NodeJS.Timeout | undefined;
  const reading = new Promise<ForeignYaml>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'too-much' }), time);
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
