/** Recordings of real servers that were flaky, refused, hung, died or miscounted: what a report may claim about them. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openRecording } from '../src/recording/read-recording.ts';
import type { Report } from '../src/report/report.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { expectationOf } from './kit/real-run.ts';

const judged = new Map<string, Promise<Report>>();

/** Each once, whatever the number of tests on it. */
function judgeServer(name: string): Promise<Report> {
  const file = fileURLToPath(new URL(`recordings/${name}.ndjson.gz`, import.meta.url));
  const report = judged.get(name) ?? openRecording(file, name).then((opened) => judgeRecording(opened));
  judged.set(name, report);
  return report;
}

describe('a recorded server that failed for good', () => {
  it('has no passing 5xx if a 429 came between two of them', async () => {
    const report = await judgeServer('nginx-ratelimit');
    const passing = expectationOf(report, 'errors/passing-server-error', 'errors.passing-server-error');
    expect(passing).toMatchObject({ verdict: 'skipped', findings: [] });
  });

  it.each(['mock-openai-api', 'phantomllm', 'nginx-ratelimit'])(
    'is not flaky if its answers were the same each time: %s',
    async (name) => {
      const report = await judgeServer(name);
      expect(report.cases.filter(({ flaky }) => flaky)).toEqual([]);
    },
  );
});

it('A recorded server that died names every request in flight and the last one answered', async () => {
  const { ending } = await judgeServer('llm-emulator-m');
  expect(ending).toEqual({
    kind: 'stopped-answering',
    suspects: [
      'parameters/model-type[null]',
      'parameters/messages-type[string]',
      'parameters/messages-type[null]',
      'parameters/messages-type[object]',
    ],
    lastAnswered: 'parameters/model-type[array]',
  });
});

it('A recorded server that hung is not said to need more time, to have been charged or to have ignored anything', async () => {
  const report = await judgeServer('inference-server-hang');
  expect(report.ending).toEqual({ kind: 'chat-unanswered', limit: 'first-byte-timeout', most: 60_000 });
  expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  expect(report.cost.used).toEqual({ requests: 15, completions: 0, tokens: 0 });
  expect(report.tolerance.unknownRequestFields).toEqual({ asked: 0, ignored: 0 });
});

it('Reasoning tokens that are not part of the count of a recorded server do not excuse it', async () => {
  const report = await judgeServer('mock-openai-api');
  const [maximum, reasoning] = ['request.max-tokens-is-maximum', 'request.max-tokens-reasoning'].map((clause) =>
    expectationOf(report, 'chat/every-completion', clause),
  );
  expect(maximum).toMatchObject({
    verdict: 'fail',
    // One of its models thinks aloud in the text, which is too long for one token by itself.
    findings: [{ actual: { tokens: 9, reasoning: 61 } }, { actual: { characters: 295 } }],
  });
  expect(reasoning).toMatchObject({ verdict: 'pass' });
});
