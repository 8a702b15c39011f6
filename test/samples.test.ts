import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_THOROUGH } from './kit/thoroughness.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AGAIN = 'Look at what changed, then write the samples again with `npm run samples`.';

/** SARIF and the rest are made on demand: they are long, and nobody reads their differences. */
const COMMITTED = [
  ...['conforming', 'broken'].flatMap((name) =>
    ['agent.txt', 'badge.json', 'junit.xml', 'report.html', 'report.md', 'summary.md', 'terminal.txt'].map(
      (file) => `${name}/${file}`,
    ),
  ),
  'broken-auth-only/report.json',
  'relay/report.json',
  'relay/report.md',
  'relay/summary.md',
  'relay/terminal.txt',
];

const folders: string[] = [];

function makeSamples(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-samples-'));
  folders.push(folder);
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/samples.mjs'), folder], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return folder;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

let made: string;
// A process of several seconds, on a busy machine of minutes.
beforeAll(() => void (made = makeSamples()), 600_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the samples', () => {
  it('are committed in their current format', () => {
    for (const path of COMMITTED) {
      const stored = readFileSync(join(ROOT, 'reports/samples', path), 'utf8');
      // Not toBe: the difference of two long texts takes minutes to compute.
      expect(stored === readFileSync(join(made, path), 'utf8'), `${path} has changed. ${AGAIN}`).toBe(true);
    }
  });

  it('are committed only if small', () => {
    const { status, stdout } = spawnSync('git', ['ls-files', 'reports/samples'], { cwd: ROOT, encoding: 'utf8' });
    const tracked = status === 0 ? stdout.split('\n').filter((path) => path !== '') : [];
    for (const path of tracked) expect(COMMITTED).toContain(path.slice('reports/samples/'.length));
    for (const path of COMMITTED) {
      const most = path.endsWith('.html') ? 1_550_000 : 300_000;
      expect(statSync(join(made, path)).size, path).toBeLessThanOrEqual(most);
    }
  });

  it('show a gateway that conforms and one that does not', () => {
    const lastLine = (name: string) =>
      readFileSync(join(made, name, 'terminal.txt'), 'utf8')
        .trimEnd()
        .split('\n')
        .at(-1);
    expect(lastLine('conforming')).toMatch(/^CONFORMS: /);
    expect(lastLine('broken')).toMatch(/^DOES NOT CONFORM: /);
  });

  it.runIf(IS_THOROUGH)('are reproducible', () => {
    const again = makeSamples();
    expect(filesIn(again)).toEqual(filesIn(made));
    for (const path of filesIn(made)) {
      expect(readFileSync(join(again, path), 'utf8') === readFileSync(join(made, path), 'utf8'), path).toBe(true);
    }
  });
});
