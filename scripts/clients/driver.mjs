// A warm driver: one process for all calls of a client.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export function startDriver({ command: [program, ...options], folder }) {
  const child = spawn(program, options, { cwd: folder, env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let calls = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { scenario, ...result } = JSON.parse(line);
    waiting.get(scenario)?.(result);
    waiting.delete(scenario);
  });
  return {
    /** Undefined if there is no result within the limit. */
    ask(task, limitMs) {
      const scenario = String((calls += 1));
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        waiting.set(scenario, (result) => {
          clearTimeout(timer);
          resolve(result);
        });
        child.stdin.write(`${JSON.stringify({ scenario, ...task, timeoutMs: limitMs })}\n`);
      });
    },
    stop: () => child.kill(),
  };
}

/** Without keys, proxies and settings of the user, which would change what an SDK does. */
export function cleanEnvironment() {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'USERPROFILE'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
