/** Runs the command against each hostile behaviour of a group, and inspects everything that it leaves behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../kit/command.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';
import { actOf, type Behaviours } from './behaviour.ts';
import { type HostileTarget, startHostileTarget } from './hostile-target.ts';
import { problemsOf } from './inspection.ts';
import { collectFiles, type Ended, FEWER, MOST, prepareRun, runCli } from './run-cli.ts';
import { type SharedProcess, startSharedProcess } from './shared-process.ts';
import { startTrap, type Trap, trapped } from './trap.ts';

/** The limits of the runs end each one much sooner; this allows for a busy machine. */
const MAX_SECONDS = 150;
const MAX_MIB = 200;

interface Manner {
  /** Many if the runs mostly wait; other runs need a core each. */
  readonly atOnce?: number;
  /** Additional flags of every run. */
  readonly flags?: readonly string[];
  /** Whether a process may run one behaviour after another; not where memory is the point. */
  readonly isShared?: boolean;
}

/** One behaviour of this many is tried; in CI all of them. They take as long as all other tests together. */
const SHARE = IS_THOROUGH ? 1 : 12;
/** In CI, one of this many answers most requests of the suites; the others a few of each kind, in two thirds of the time. */
const ANSWERS_MOST = IS_THOROUGH ? 6 : Infinity;

export function describeHostile(group: string, behaviours: Behaviours, manner: Manner = {}): void {
  const { atOnce = 2, flags: always = [], isShared = false } = manner;
  const gate = new Gate(atOnce);
  const idle: SharedProcess[] = [];
  let trap: Trap;
  beforeAll(async () => {
    trap = await startTrap();
    trapped.address = trap.address;
  });
  afterAll(() => {
    for (const shared of idle) shared.close();
    trap.close();
  });

  const run = async ({ baseUrl, key }: HostileTarget, flags: readonly string[]): Promise<Ended> => {
    const env = {
      HTTP_PROXY: trap.address,
      http_proxy: trap.address,
      HTTPS_PROXY: trap.address,
      ALL_PROXY: trap.address,
      NODE_USE_ENV_PROXY: '1',
    };
    if (!isShared) return runCli(baseUrl, key, flags, env);
    if (!IS_THOROUGH) return runHere(baseUrl, key, flags);
    const shared = idle.pop() ?? startSharedProcess(env);
    const ended = await shared.run(baseUrl, key, flags);
    idle.push(shared);
    return ended;
  };

  describe(`${group}: a target that`, () => {
    const tried = Object.entries(behaviours)
      .filter((_behaviour, place) => place % SHARE === 0)
      .map(([name, behaviour], place) => [name, behaviour, (place + 1) % ANSWERS_MOST === 0 ? MOST : FEWER] as const);
    it.concurrent.each(tried)('%s', { timeout: 1_000_000 }, async (_name, behaviour, chosen) => {
      const { exit, flags = [], says } = behaviour;
      await gate.enter();
      const target = await startHostileTarget(actOf(behaviour));
      try {
        const ended = await run(target, [...chosen, ...always, ...flags]);
        expect(problemsOf(ended, [...target.credentials, target.key], flags.includes('--no-bodies'))).toEqual([]);
        expect(ended.exit, ended.stderr + ended.stdout.slice(-2_000)).toBeOneOf([exit].flat());
        if (says) expect(ended.stdout).toMatch(says);
        if (ended.peakMiB !== undefined) expect(ended.peakMiB).toBeLessThan(MAX_MIB);
        expect(ended.seconds).toBeLessThan(MAX_SECONDS);
        expect(target.calls).toBeGreaterThan(0);
        expect(trap.asked).toBe(0);
      } finally {
        await target.close();
        gate.leave();
      }
    });
  });
}

/** In this process: another one takes longer to start than the few behaviours that are tried. Memory is not measured. */
async function runHere(baseUrl: string, key: string, flags: readonly string[]): Promise<Ended> {
  const { folder, args, env } = prepareRun(baseUrl, key, flags);
  const began = performance.now();
  const { exit, stdout, stderr } = await runCommand(args, folder, env);
  const seconds = (performance.now() - began) / 1000;
  return { exit: exit ?? 'gone', stdout, stderr, seconds, ...collectFiles(folder) };
}

export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
