/**
 * Every verdict on every fault, every variant and every recording of a real server, against the committed file. A change
 * there is a change of verdicts: `npx vitest run test/golden-verdicts.test.ts -u` writes it, and the commit says why.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadContract } from '../src/contract/load-contract.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { openRecording } from '../src/recording/read-recording.ts';
import { killMatrix } from '../src/selftest/kill-matrix.ts';
import { runSelftest } from '../src/selftest/run-selftest.ts';
import { verdictLine } from '../src/selftest/verdict-line.ts';
import { loadSuites } from '../src/suite/load-suites.ts';

const RECORDINGS = fileURLToPath(new URL('recordings/', import.meta.url));
const KILL_MATRIX = new URL('../reports/kill-matrix.md', import.meta.url);

async function judgedRecordings(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const file of readdirSync(RECORDINGS).toSorted()) {
    const report = await judgeRecording(await openRecording(RECORDINGS + file, file));
    lines.push(verdictLine(`recording ${file.replace('.ndjson.gz', '')}`, report));
  }
  return lines;
}

it('the verdicts on faults, variants and recordings are the committed ones', { timeout: 900_000 }, async () => {
  const results = await runSelftest();
  const lines = [...results.map(({ verdicts }) => verdicts), ...(await judgedRecordings())];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden-verdicts.txt');

  expect(results.flatMap(({ subject, problems }) => problems.map((problem) => `${subject.id}: ${problem}`))).toEqual(
    [],
  );
  const cases = loadSuites([], loadContract()).flatMap((suite) => suite.cases.map(({ id }) => id));
  expect(killMatrix({ results, cases })).toBe(readFileSync(KILL_MATRIX, 'utf8'));
});
