/** Runs every command of wirecheck, as it is shipped, in a folder that has nothing else. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';
import { findFreePort } from './free-port.ts';
import { type Ended, runProgram } from './run-program.ts';

export interface Shipped {
  /** How it is started, without arguments for wirecheck. */
  readonly program: readonly string[];
  readonly cwd: string;
}

/** With no variables but these: neither a home folder nor a path to programs. */
export function runShipped({ program, cwd }: Shipped, args: readonly string[], key = ''): Promise<Ended> {
  return runProgram([...program, ...args], cwd, { WIRECHECK_API_KEY: key });
}

/** The names of all commands, from its help. */
export async function commandsOf(shipped: Shipped): Promise<readonly string[]> {
  const { text } = await runShipped(shipped, ['--help']);
  const [, list = ''] = /^Check:\n([^]*?)\n\nExamples:/m.exec(text) ?? [];
  return [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
}

const DRIVER = join(packageRoot(), 'test/kit/clients/careful-driver.mjs');

/** In this order: later ones read what earlier ones wrote. */
const COMMANDS: readonly { readonly args: readonly string[]; readonly exit: number }[] = [
  { args: ['run', 'BASE_URL', '--record', 'run.ndjson', '--reporter', 'json=run.json', '--out', 'reports'], exit: 1 },
  { args: ['demo', '--only', 'models/*', '--out', 'none'], exit: 0 },
  { args: ['plan', 'BASE_URL'], exit: 0 },
  { args: ['explore', 'BASE_URL', '--requests', '20', '--out', 'none'], exit: 1 },
  { args: ['relay', 'BASE_URL', '--upstream-port', '5055', '--explore', '--plan'], exit: 0 },
  {
    args: ['client', '--only', 'client/plain', '--out', 'none', '--driver', '--', process.execPath, DRIVER],
    exit: 0,
  },
  { args: ['list', 'cases'], exit: 0 },
  { args: ['explain', 'errors.code'], exit: 0 },
  { args: ['render', 'run.json', '--reporter', 'html=page.html'], exit: 0 },
  // Without a display, it prints the path.
  { args: ['open', 'reports'], exit: 0 },
  { args: ['completion', 'bash'], exit: 0 },
  { args: ['waive', 'errors.code', '--reason', 'Known.', '--until', '2100-01-01'], exit: 0 },
  { args: ['init', '--base-url', 'https://gateway.example/v1', '--ci', 'github'], exit: 0 },
  { args: ['judge', 'run.ndjson', '--waivers', 'wirecheck.waivers.yaml', '--out', 'none'], exit: 0 },
  { args: ['compare', 'run.ndjson', 'run.ndjson'], exit: 0 },
  { args: ['verify', 'run.json', 'run.ndjson'], exit: 0 },
  { args: ['board', 'run.json', '--out', 'board'], exit: 1 },
  { args: ['render', 'run.ndjson', '--reporter', 'har=run.har'], exit: 0 },
  { args: ['render', 'run.json', '--reporter', 'profile'], exit: 0 },
  { args: ['schema', 'files/report'], exit: 0 },
  { args: ['list', 'editions'], exit: 0 },
  { args: ['explain', 'common-servers'], exit: 0 },
  { args: ['explain', 'contract', '--profile', 'common-servers'], exit: 0 },
];

export interface Tried {
  readonly command: string;
  readonly exit: number | null;
  readonly expected: number;
  readonly text: string;
}

/** `gateway` breaks a clause, so that there is something to waive. */
export async function tryEveryCommand(shipped: Shipped, gateway: Gateway): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  // A CI job installs the wirecheck that the project has.
  const devDependencies = { '@wirecheck/wirecheck': 'file:wirecheck.tgz' };
  writeFileSync(join(shipped.cwd, 'package.json'), JSON.stringify({ devDependencies }));
  writeFileSync(join(shipped.cwd, 'package-lock.json'), '{}');
  const note = (command: string, { exit, text }: Ended, expected: number) =>
    tried.push({ command, exit, expected, text });
  for (const { args, exit } of COMMANDS) {
    const line = args.map((arg) => (arg === 'BASE_URL' ? gateway.baseUrl : arg));
    note(args[0] ?? '', await runShipped(shipped, line, gateway.keys.full), exit);
  }
  note('relay', await tryRelay(shipped, 'relay', ['--only', 'relay/plain']), 0);
  note('load', await tryRelay(shipped, 'load', ['--concurrency', '2', '--duration', '1s']), 0);
  note('gateway', await tryGateway(shipped), 0);
  return tried;
}

async function tryRelay(shipped: Shipped, command: 'relay' | 'load', own: readonly string[]): Promise<Ended> {
  const port = String(await findFreePort());
  const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
  const args = [command, relay.baseUrl, '--upstream-port', port, ...own, '--out', 'none'];
  const ended = await runShipped(shipped, args, RELAY_KEYS.full);
  await relay.close();
  return ended;
}

/** It serves until it is interrupted, and what it serves is checked by another. */
async function tryGateway(shipped: Shipped): Promise<Ended> {
  const [program = '', ...args] = shipped.program;
  const child = spawn(program, [...args, 'gateway'], { cwd: shipped.cwd, env: {} });
  let text = '';
  // Resolves to the address and the key, or to nothing if it ended.
  const found = await new Promise<RegExpExecArray | null>((resolve) => {
    child.on('close', () => resolve(null));
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      const both = /(http:\S+)[^]*?full key +(\S+)\n/.exec(text);
      if (both) resolve(both);
    });
  });
  const [, url = '', key = ''] = found ?? [];
  const ended = await runShipped(shipped, ['run', url, '--only', 'models/*', '--out', 'none'], key);
  child.kill('SIGINT');
  return ended;
}
