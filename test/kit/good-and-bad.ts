/** A gateway that conforms, one with a fault, and a folder, for all tests of a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';

/** Enough to tell the two apart. */
export const FEW = ['--only', 'auth/unknown-key*', '--only', 'models/*'];

export interface GoodAndBad {
  readonly folder: string;
  readonly good: Gateway;
  readonly bad: Gateway;
  readonly close: () => Promise<void>;
}

export async function startGoodAndBad(): Promise<GoodAndBad> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-good-and-bad-'));
  const good = await startGateway({ eventGapMs: 1 });
  const bad = await startGateway({ eventGapMs: 1, fault: 'error-code-integer' });
  const close = async (): Promise<void> => {
    await good.close();
    await bad.close();
    rmSync(folder, { recursive: true });
  };
  return { folder, good, bad, close };
}

/** A new folder below `folder` with a targets file. */
export function writeTargets(folder: string, entries: readonly string[]): string {
  const cwd = mkdtempSync(join(folder, 'fleet-'));
  writeFileSync(join(cwd, 'targets.yaml'), `targets:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`);
  return cwd;
}
