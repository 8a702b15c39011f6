import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../contract/package-root.ts';
import { actOf, type Behaviours } from './behaviour.test.kit.ts';
import { ECHOES } from './echoes.test.kit.ts';
import { startHostileTarget } from './hostile-target.test.kit.ts';
import { problemsOf } from './inspection.test.kit.ts';
import { PROTOCOL, startTrap, type Trap, trapped } from './protocol.test.kit.ts';
import { runCli } from './run-cli.test.kit.ts';
import { SIZES } from './sizes.test.kit.ts';
import { TEXTS } from './texts.test.kit.ts';
import { TIMES } from './times.test.kit.ts';

const GROUPS: Readonly<Record<string, Behaviours>> = {
  times: TIMES,
  sizes: SIZES,
  protocol: PROTOCOL,
  texts: TEXTS,
  echoes: ECHOES,
};

/** The settings of these runs end each of them by then; a busy machine gets as much again. */
const MOST_SECONDS = 45;
const MOST_MIB = 200;

/** So many runs at a time: each needs a core for itself now and then. */
const gate = {
  free: 3,
  waiting: [] as (() => void)[],
  async enter() {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  },
  leave() {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  },
};

let trap: Trap;
beforeAll(async () => {
  trap = await startTrap();
  trapped.address = trap.address;
});
afterAll(() => trap.close());

describe.each(Object.entries(GROUPS))('%s: a target that', (_group, behaviours) => {
  it.concurrent.each(Object.entries(behaviours))('%s', { timeout: 120_000 }, async (_name, behaviour) => {
    const { exit, flags = [], says } = behaviour;
    await gate.enter();
    const target = await startHostileTarget(actOf(behaviour));
    try {
      const ended = await runCli(target.baseUrl, target.key, flags, {
        HTTP_PROXY: trap.address,
        http_proxy: trap.address,
        HTTPS_PROXY: trap.address,
        ALL_PROXY: trap.address,
        NODE_USE_ENV_PROXY: '1',
      });
      if (process.env['HOSTILE_LOG']) {
        const { appendFileSync } = await import('node:fs');
        appendFileSync(
          process.env['HOSTILE_LOG'],
          `${_name}\t${ended.exit}\t${ended.seconds.toFixed(1)}s\t${ended.peakMiB.toFixed(0)}MiB\t${target.calls} calls\t${ended.stdout.trimEnd().split('\n').at(-1)}\t${says?.test(ended.stdout)}\t${JSON.stringify(problemsOf(ended, [...target.credentials, target.key], flags.includes('--no-bodies')))}\t${ended.exit === 70 ? ended.stderr : ''}\n`,
        );
      }
      expect(problemsOf(ended, [...target.credentials, target.key], flags.includes('--no-bodies'))).toEqual([]);
      expect(ended.exit, ended.stderr + ended.stdout.slice(-2_000)).toBe(exit);
      expect(ended.seconds).toBeLessThan(MOST_SECONDS);
      expect(ended.peakMiB).toBeLessThan(MOST_MIB);
      expect(target.calls).toBeGreaterThan(0);
      if (says) expect(ended.stdout).toMatch(says);
      expect(trap.asked).toBe(0);
    } finally {
      await target.close();
      gate.leave();
    }
  });
});

void readFileSync;
void join;
void packageRoot;
