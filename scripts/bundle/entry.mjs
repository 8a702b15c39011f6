// The program in the bundle starts here. Programs that the package starts by their file are in the same file.
import { runProcess } from '../../build/src/main.js';

/** @type {Readonly<Record<string, () => Promise<object>>>} */
const PROGRAMS = {
  'contract/yaml/foreign-yaml-worker.js': () => import('../../build/src/contract/yaml/foreign-yaml-worker.js'),
};

export async function start() {
  const [, , flag, path = ''] = process.argv;
  const program = flag === '--program' ? PROGRAMS[path] : undefined;
  if (!program) return runProcess();
  process.argv.splice(2, 2);
  await program();
}
