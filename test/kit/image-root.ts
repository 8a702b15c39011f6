/** Runs the entry point of an unpacked image inside its root, as a container does. */
import { spawnSync } from 'node:child_process';
import { type Ended, runProgram } from './run-program.ts';

const USER = '65532';
const PATH = '/usr/local/bin';

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version']).error;

/** How to enter a root on this machine, without the command to run. */
type Entering = (root: string) => readonly string[];

const BWRAP: Entering = (root) => [
  'bwrap',
  // Read-only, as careful clusters have it: only the folder for reports can be written.
  ...['--ro-bind', root, '/', '--bind', `${root}/reports`, '/reports'],
  ...['--proc', '/proc', '--dev', '/dev', '--chdir', '/reports'],
  ...['--unshare-user', '--uid', USER, '--gid', USER],
];
const CHROOT: Entering = (root) => ['chroot', `--userspec=${USER}:${USER}`, root];

/** Undefined if this machine refuses each of them. */
export async function findWayInto(root: string): Promise<Entering | undefined> {
  for (const way of [BWRAP, CHROOT]) {
    const [program = ''] = way(root);
    if (!isInstalled(program)) continue;
    const { exit } = await runProgram([...way(root), `${PATH}/node`, '--version'], root, { PATH: HOST_PATH });
    if (exit === 0) return way;
  }
  return undefined;
}

const HOST_PATH = process.env['PATH'] ?? '';

export function runInRoot(way: Entering, root: string, args: readonly string[], key: string): Promise<Ended> {
  // By its path: the programs that enter a root are found on the path of this machine.
  const command = [...way(root), `${PATH}/wirecheck`, ...args];
  return runProgram(command, root, { PATH: HOST_PATH, WIRECHECK_API_KEY: key });
}
