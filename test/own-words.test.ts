/** Recordings of real servers: what they said is what the reader sees, in every format. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { adviseOnEnding } from '../src/exchange/ending.ts';
import { openRecording } from '../src/recording/read-recording.ts';
import { formatFinding } from '../src/render/finding-text.ts';
import { foldFindings } from '../src/render/fold.ts';
import { render } from '../src/render/index.ts';
import type { Report } from '../src/report/report.ts';
import { withoutBodies } from '../src/report/without-bodies.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';

const judged = async (name: string): Promise<Report> => {
  const file = fileURLToPath(new URL(`recordings/${name}.ndjson.gz`, import.meta.url));
  return judgeRecording(await openRecording(file, name));
};

const FORMATS = ['terminal', 'html', 'junit', 'markdown', 'sarif', 'github'] as const;

it('An error of another shape is quoted in every format, and the advice follows it', async () => {
  const report = await judged('portkey-noheaders');
  const words = 'Either x-portkey-config or x-portkey-provider header is required';
  for (const format of FORMATS) {
    expect.soft(render(report, format, { width: 1000 }).replaceAll(/\s+/g, ' '), format).toContain(words);
  }
  expect(adviseOnEnding(report.ending, report.target.baseUrl)).toMatch(
    /returned 400 \(Either .* header is required\)\. Pass the header that it asks for with --header/,
  );
  expect(adviseOnEnding(withoutBodies(report).ending, report.target.baseUrl)).not.toContain('portkey');
});

it('Entries that differ only in the type of the error can be told apart', async () => {
  const report = await judged('vllm');
  const entries = foldFindings(report).filter(({ expectation }) => expectation.clause === 'errors.code');
  const answers = entries.map((entry) => formatFinding(report, entry).answer);
  expect(entries.length).toBeGreaterThan(2);
  expect(new Set(answers).size).toBe(entries.length);
  for (const format of FORMATS) {
    expect.soft(render(report, format, { width: 1000 }), format).toContain('400 of type BadRequestError: ');
  }
});

it('Every failure and warning has a command that repeats it', async () => {
  for (const name of ['portkey-noheaders', 'vllm']) {
    const report = await judged(name);
    for (const shown of [report, withoutBodies(report)]) {
      const repeats = foldFindings(shown).map((entry) => formatFinding(shown, entry).repeat ?? '');
      expect(repeats.filter((repeat) => !/^(curl|printf|npx --no-install wirecheck run) /.test(repeat))).toEqual([]);
    }
  }
});
