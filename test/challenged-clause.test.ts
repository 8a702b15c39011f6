import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { digestNow } from '../src/contract/editions.ts';
import { packageRoot } from '../src/contract/package-root.ts';
import type { Report } from '../src/report/report.ts';

const BUILT = join(packageRoot(), 'build/src');

/** In a process of its own, since the list is read once. */
async function demo(challenged: string): Promise<Report> {
  const list = pathToFileURL(join(BUILT, 'contract/challenges.js')).href;
  const add = `import { loadChallenges } from '${list}'; loadChallenges().push(${challenged});`;
  const args = ['demo', '--fault', 'error-code-integer', '--only', 'errors/*', '--out', 'none', '--reporter', 'json'];
  const preload = `data:text/javascript,${encodeURIComponent(add)}`;
  return new Promise((resolve) => {
    // Exit 1: the clause is broken.
    execFile(
      process.execPath,
      ['--import', preload, join(BUILT, 'cli.js'), ...args],
      { maxBuffer: 2 ** 26 },
      (_, text) => resolve(JSON.parse(text) as Report),
    );
  });
}

it('A challenged clause is recorded and breaks nothing, every report says so, and the edition stays', async () => {
  const report = await demo("{ clause: 'errors.code', since: '2026-12-01' }");
  expect(report.outcome.name).toBe('conforms-in-part');
  expect(report.clauses.find(({ id }) => id === 'errors.code')).toMatchObject({
    level: 'observe',
    verdict: 'observed',
  });
  expect(report.notices).toEqual([{ kind: 'challenged', clause: 'errors.code', since: '2026-12-01' }]);
  expect(report.editionDigest).toBe(digestNow().digest);
  expect((await demo('')).outcome.name).toBe('does-not-conform');
}, 30_000);
