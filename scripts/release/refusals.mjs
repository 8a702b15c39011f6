// Reasons not to release what could be built, which a dry run only reports, and what has to be set before it is published.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

const MAIN = 'main';
/** RFC 2606: a name that never resolves. */
const PLACEHOLDER = /\bexample\.invalid\b/;

/** @param {string} root @returns {readonly string[]} */
export function findRefusals(root) {
  const changes = runProgram('git', ['status', '--porcelain'], root);
  const branch = runProgram('git', ['branch', '--show-current'], root);
  return [
    ...(changes === '' ? [] : ['The tree has changes that are not committed. Commit or remove them.']),
    ...(branch === MAIN ? [] : [`The branch is ${branch || 'none'}, not ${MAIN}. Switch to ${MAIN}.`]),
  ];
}

/** Files with an address or a name that only the owner of the repository has. */
const TO_FILL_IN = ['.github/CODEOWNERS', '.github/ISSUE_TEMPLATE/config.yml'];

/**
 * What a maintainer has to set before anything is published.
 *
 * @param {string} root
 * @param {Readonly<Record<string, unknown>>} manifest
 * @returns {readonly string[]}
 */
export function findPlaceholders(root, manifest) {
  const fields = ['repository', 'bugs', 'homepage'].filter(
    (field) => manifest[field] === undefined || PLACEHOLDER.test(JSON.stringify(manifest[field])),
  );
  const files = TO_FILL_IN.filter((file) => {
    const path = join(root, file);
    return existsSync(path) && /^ *# Placeholder/m.test(readFileSync(path, 'utf8'));
  });
  return [
    ...fields.map((field) => `${field} in package.json: the real address`),
    ...files.map((file) => `${file}: the line below "Placeholder"`),
  ];
}
