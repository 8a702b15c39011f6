// All files of vectors/ but its README.
import { createHash } from 'node:crypto';
import { clauseTexts } from './clause-texts.mjs';
import { clientVectors } from './client-vectors.mjs';
import { faultVectors, variantVectors } from './gateway-vectors.mjs';
import { GROUPS } from './vector.mjs';
/** @import { Showing } from './find-showing.mjs' */
/** @import { Vector } from './vector.mjs' */

/**
 * By name.
 * @param {Showing} showing
 * @returns {Readonly<Record<string, string>>}
 */
export function makeVectors(showing) {
  const client = clientVectors();
  const [variants, faults] = [variantVectors(), faultVectors(showing)];
  const isText = (/** @type {Vector} */ { expect }) => expect.kind === 'text' || expect.kind === 'models';
  const inMode = (/** @type {Vector['mode']} */ mode) =>
    client.vectors.filter((vector) => vector.mode === mode && isText(vector));
  /** @type {Record<typeof GROUPS[number], readonly Vector[]>} */
  const groups = {
    'client-plain': inMode('plain'),
    'client-stream': inMode('stream'),
    'client-models': inMode('models'),
    'client-failures': client.vectors.filter((vector) => !isText(vector)),
    'gateway-variants': variants.vectors,
    'gateway-faults': faults.vectors,
  };
  const files = Object.fromEntries(
    GROUPS.map((name) => [`${name}.ndjson`, groups[name].map((vector) => `${JSON.stringify(vector)}\n`).join('')]),
  );
  const clauses = toText({ clauses: clauseTexts(GROUPS.flatMap((name) => groups[name])) });
  const manifest = {
    format: 'wirecheck-vectors',
    version: 1,
    files: GROUPS.map((name) => {
      const file = `${name}.ndjson`;
      return { file, vectors: groups[name].length, sha256: sha256(files[file] ?? '') };
    }),
    vectors: GROUPS.reduce((sum, name) => sum + groups[name].length, 0),
    sha256: sha256(GROUPS.map((name) => files[`${name}.ndjson`]).join('')),
    clauses: { file: 'clauses.json', sha256: sha256(clauses) },
    leftOut: [...client.leftOut, ...variants.leftOut, ...faults.leftOut],
  };
  return { ...files, 'manifest.json': toText(manifest), 'clauses.json': clauses };
}

/** @param {object} value */
function toText(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** @param {string} text */
function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
