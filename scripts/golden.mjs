// Writes test/golden-verdicts.txt anew: every verdict on every fault, every variant and every recording of a real server.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeRecording, openRecording } from '../dist/index.js';
import { runSelftest } from '../dist/selftest/run-selftest.js';
import { listVerdicts } from '../dist/selftest/list-verdicts.js';

const recordings = fileURLToPath(new URL('../test/recordings/', import.meta.url));

const results = await runSelftest();
const lines = results.map(({ verdicts }) => verdicts);
for (const file of readdirSync(recordings).toSorted()) {
  const report = await judgeRecording(await openRecording(recordings + file, file));
  lines.push(listVerdicts(`recording ${file.replace('.ndjson.gz', '')}`, report));
}
writeFileSync(new URL('../test/golden-verdicts.txt', import.meta.url), `${lines.join('\n')}\n`);

const problems = results.flatMap(({ subject, problems: own }) => own.map((problem) => `${subject.id}: ${problem}`));
console.log(problems.length === 0 ? `${lines.length} lines` : problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
