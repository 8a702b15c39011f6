/** Ends a process and everything that it started. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Windows has no process groups. */
export const HAS_PROCESS_GROUPS = process.platform !== 'win32';

/** With process groups, the process has to be the leader of its own. */
export function endProcessTree(root: ChildProcess, hasGroups = HAS_PROCESS_GROUPS): void {
  const { pid, exitCode, signalCode } = root;
  if (pid === undefined) return;
  if (hasGroups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
    return;
  }
  // Windows may have given the id of a process that has ended to another one.
  if (exitCode !== null || signalCode !== null) return;
  // By its full path: Windows would look for a plain name in the working folder first.
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  spawnSync(program, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
}
