// Runs parts of the self-test, one process for each core.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const RUN_PART = fileURLToPath(new URL('run-part.mjs', import.meta.url));

/** Every core gets a part of the subjects. @template T @param {readonly T[]} subjects */
export function shares(subjects) {
  const cores = availableParallelism();
  return Array.from({ length: cores }, (_, share) => subjects.filter((_subject, place) => place % cores === share));
}

/**
 * The results come in any order.
 *
 * @template Result
 * @param {readonly import('./run-part.mjs').Part[]} parts all at the same time
 * @param {(result: Result) => void} onResult
 * @returns {Promise<readonly Result[]>}
 */
export async function runParts(parts, onResult) {
  /** @type {Result[]} */
  const results = [];
  await Promise.all(
    parts.map(
      (part) =>
        new Promise((resolve, reject) => {
          const child = fork(RUN_PART, [JSON.stringify(part)]);
          child.on('message', (message) => {
            const result = /** @type {Result} */ (message);
            results.push(result);
            onResult(result);
          });
          child.on('error', reject);
          child.on('exit', (code, signal) => {
            if (code === 0) resolve(undefined);
            else reject(new Error(`The part ${part.kind} of the self-test ended with ${signal ?? code}.`));
          });
        }),
    ),
  );
  return results;
}
