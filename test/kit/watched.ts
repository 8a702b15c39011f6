/** A watch in this process, with a person who presses Enter, and a gateway that is started again on its port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { execute } from '../../src/commands/command-line.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import { findFreePort } from './free-port.ts';

/** Keys are the same after each start. */
const SEED = 7;

/** A gateway that stays away until it is started. */
export async function startable() {
  const port = await findFreePort();
  let gateway: Gateway | undefined;
  const stop = async (): Promise<void> => gateway?.close();
  onTestFinished(stop);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop,
    async start(options: Pick<GatewayOptions, 'fault' | 'modifiers'> = {}): Promise<Gateway> {
      await stop();
      gateway = await startGateway({ ...options, port, seed: SEED });
      return gateway;
    },
  };
}

export function startWatch(args: readonly string[], key: string, flags: readonly string[] = ['--no-open']) {
  const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-watch-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  let told = '';
  const handlers: { enter?: () => void; stop?: () => void } = {};
  const screen = { colour: false, live: true, columns: 200, isTerminal: true };
  const ended = execute([...args, '--watch', ...flags], {
    cwd,
    env: { WIRECHECK_API_KEY: key },
    stdout: { ...screen, write: () => undefined },
    stderr: { ...screen, write: (text) => void (told += text) },
    onInterrupt: (handler) => {
      handlers.stop = handler;
      return () => undefined;
    },
    onEnter: (handler) => {
      handlers.enter = handler;
      return () => undefined;
    },
  });
  // A test that failed has not ended it.
  onTestFinished(async () => {
    handlers.stop?.();
    await ended.catch(() => undefined);
  });
  const rounds = (): readonly string[] => [...told.matchAll(/round \d+: .*/g)].map(([line]) => line);
  return {
    cwd,
    ended,
    /** The line of that round, once it has ended. */
    round: (number: number) =>
      vi.waitFor(() => rounds()[number - 1] ?? Promise.reject(new Error(told)), { timeout: 30_000, interval: 20 }),
    /** Waits until it says so from now on. */
    says: async (text: string) => {
      const before = told.length;
      await vi.waitFor(() => told.indexOf(text, before) >= 0 || Promise.reject(new Error(told)), 30_000);
    },
    url: () => vi.waitFor(() => /http:\S+(?= \(Enter)/.exec(told)?.[0] ?? Promise.reject(new Error(told)), 30_000),
    told: () => told,
    enter: () => handlers.enter?.(),
    stop: () => handlers.stop?.(),
  };
}
