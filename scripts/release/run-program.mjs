// Runs git and npm to their end.
import { spawnSync } from 'node:child_process';
import { ReleaseError } from './release-error.mjs';

/**
 * What the program printed, without white space around it.
 *
 * @param {'git' | 'npm'} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function runProgram(program, args, cwd) {
  // On Windows, npm is a batch file.
  const shell = process.platform === 'win32' && program === 'npm';
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', shell });
  if (error) throw new ReleaseError(`Cannot start ${program} (${error.message}). Install it.`);
  if (status !== 0) throw new ReleaseError(`\`${program} ${args.join(' ')}\` failed:\n${stdout}${stderr}`);
  return stdout.trim();
}
