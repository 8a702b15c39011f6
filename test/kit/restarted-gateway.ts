/** A gateway in a process of its own that some requests end, and that is started again, as a supervisor does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { Gateway } from '../../src/gateway/index.ts';
import { findFreePort } from './free-port.ts';
import { gatewayFor } from './real-run.ts';

/** Forwards what it gets. A body that matches ends it, as soon as so many requests more are under way. */
const FRONT = `
  const { createServer, request } = require('node:http');
  const [port, upstream, lethal, others] = process.argv.slice(1);
  let toCome = Infinity;
  createServer((incoming, outgoing) => {
    const parts = [];
    incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      if (toCome === Infinity && new RegExp(lethal).test(body)) toCome = Number(others);
      else toCome -= 1;
      if (toCome <= 0) process.exit(70);
      if (toCome < Infinity) return;
      const { method, url: path, headers } = incoming;
      const forwarded = request({ host: '127.0.0.1', port: upstream, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      forwarded.end(body);
    });
  }).listen(Number(port), '127.0.0.1', () => process.send('ready'));
`;

interface Lethal {
  readonly body: RegExp;
  /** How many requests more it takes with it the first time. */
  readonly others: number;
  /** Milliseconds until the process is started again. */
  readonly downFor: number;
}

/** Ends with the test. */
export async function restartedGateway({ body, others, downFor }: Lethal) {
  const upstream: Gateway = await gatewayFor();
  const port = await findFreePort();
  let restarts = 0;
  let child: ChildProcess;
  let timer: NodeJS.Timeout | undefined;
  const start = (more: number): ChildProcess => {
    const args = [port, new URL(upstream.baseUrl).port, body.source, more].map(String);
    child = spawn(process.execPath, ['--eval', FRONT, '--', ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('exit', () => (timer = setTimeout(startAgain, downFor)));
    return child;
  };
  const startAgain = (): void => {
    restarts += 1;
    start(0);
  };
  await once(start(others), 'message');
  onTestFinished(() => {
    clearTimeout(timer);
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  });
  const baseUrl = upstream.baseUrl.replace(/:\d+/, `:${port}`);
  return { baseUrl, keys: upstream.keys, restarts: () => restarts };
}
