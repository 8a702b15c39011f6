// Reasons not to release what could be built. A dry run only reports them.
import { runProgram } from './run-program.mjs';

const MAIN = 'main';
/** RFC 2606: a name that never resolves. */
const PLACEHOLDER = /\bexample\.invalid\b/;

/**
 * @param {string} root
 * @param {Readonly<Record<string, unknown>>} manifest
 * @returns {readonly string[]}
 */
export function findRefusals(root, manifest) {
  return [...findTreeRefusals(root), ...findPlaceholders(manifest)];
}

/** @param {string} root */
function findTreeRefusals(root) {
  const changes = runProgram('git', ['status', '--porcelain'], root);
  const branch = runProgram('git', ['branch', '--show-current'], root);
  return [
    ...(changes === '' ? [] : ['The tree has changes that are not committed. Commit or remove them.']),
    ...(branch === MAIN ? [] : [`The branch is ${branch || 'none'}, not ${MAIN}. Switch to ${MAIN}.`]),
  ];
}

/** @param {Readonly<Record<string, unknown>>} manifest */
function findPlaceholders(manifest) {
  return ['repository', 'bugs', 'homepage']
    .filter((field) => manifest[field] === undefined || PLACEHOLDER.test(JSON.stringify(manifest[field])))
    .map((field) => `${field} in package.json is a placeholder. Enter the real address.`);
}
