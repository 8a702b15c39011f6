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
  expect(adviseOnEnding(report)).toMatch(
    /returned 400 \(Either .* header is required\)\. Pass the header that it asks for with --header/,
  );
  expect(adviseOnEnding(withoutBodies(report))).not.toContain('portkey');
});

it('No two entries look alike, and JUnit names the type of the error as the terminal does', async () => {
  const report = await judged('vllm');
  const texts = foldFindings(report).map((entry) => {
    const { repeat: _repeat, request: _request, ...words } = formatFinding(report, entry);
    return JSON.stringify(words);
  });
  expect(new Set(texts).size).toBe(texts.length);
  expect(render(report, 'junit')).toContain('Answer: 400 of type Bad Request: ');
  expect(render(report, 'terminal', { width: 1000 })).toMatch(/Answer +400 of type /);
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
