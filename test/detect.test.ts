/** `--detect`: faults of one replica of several, found by asking often enough and told as such. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecording } from '../src/recording/read-recording.ts';
import { createRecorder } from '../src/recording/write-recording.ts';
import { render } from '../src/render/index.ts';
import { factLine } from '../src/render/document/document.ts';
import { verdictFacts, verdictLine } from '../src/render/verdict-line.ts';
import type { Report } from '../src/report/report.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { runInMemory } from './kit/in-memory-run.ts';
import { gatewayFor, quickRun } from './kit/real-run.ts';
import { passOn, poolWith, inFrontOf } from './kit/pools.ts';

const SLOW = 120_000;

const brokenMusts = ({ clauses }: Report) => clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const expectationOf = ({ cases }: Report, id: string, clause: string) =>
  cases.find((testCase) => testCase.id === id)?.expectations.find((expectation) => expectation.clause === clause);

describe('a pool of three with one faulty replica', () => {
  it.each([
    ['connection', 'auth-any-bearer-accepted', 'auth.required', ['auth/*']],
    ['request', 'error-code-integer', 'errors.code', ['errors/*', 'auth/*']],
    ['connection', 'param-temperature-above-accepted', 'limits.temperature', ['parameters/temperature-*']],
  ] as const)(
    'per %s: %s is found and called intermittent',
    async (per, fault, clause, only) => {
      const { baseUrl, keys } = await poolWith({ fault }, per);
      const report = await quickRun(baseUrl, { detect: 3, only, concurrency: 2 }, keys);
      expect(brokenMusts(report)).toEqual([clause]);
      const broken = report.cases.flatMap(({ expectations }) =>
        expectations.filter((expectation) => expectation.verdict === 'fail'),
      );
      expect(
        broken.some(({ intermittent, answers }) => intermittent && answers && answers.broken < answers.judged),
      ).toBe(true);
      const text = render(report, 'terminal', { width: 100 });
      expect(text).toMatch(/intermittent: \d+ of \d+ answers/);
      expect(text).toMatch(/Repeat +.*--only .*--detect 1\/\d+ .*--bail/);
    },
    SLOW,
  );
});

it(
  'A conforming gateway conforms, and the verdict says how rare a fault would have been seen',
  async () => {
    const report = await runInMemory({}, { detect: 3, only: ['auth/*', 'models/*'] });
    expect(report.outcome).toMatchObject({ exit: 0, detect: { oneIn: 3, short: [] } });
    expect(verdictFacts(report).map(factLine)).toContain('Sureness: would have seen a fault in 1 of 3 answers');
    expect(report.clauses.find(({ id }) => id === 'auth.required')?.sureness).toMatchObject({ fewest: 8, rate: 0.312 });
    expect(report.clauses.filter(({ sureness }) => sureness?.answers === 0)).toEqual([]);
    // Each kind of request for the list is repeated, since lists are free.
    const asked = (step: string) => report.exchanges.filter(({ id }) => id.replace(/~.*/, '') === step).length;
    expect([asked('models'), asked('models/list-from-page')]).toEqual([8, 8]);
    const page = render(report, 'html');
    expect(page).toContain('would have seen a fault in 1 of 3');
    // In each case, beside its expectation.
    expect(page).toContain('<span class="quiet">8 answers</span>');
  },
  SLOW,
);

it('Without --detect the report counts answers as well, and the verdict line does not speak of them', async () => {
  const report = await runInMemory({}, { only: ['auth/missing-key*'] });
  expect(report.clauses.find(({ id }) => id === 'auth.required')?.sureness).toEqual({
    answers: 6,
    edits: 6,
    fewest: 1,
    rate: 0.95,
  });
  expect(verdictFacts(report).map(factLine).join('\n')).not.toContain('would have seen');
});

it(
  'A gateway that blocks a caller after too many invalid keys breaks nothing, and the rest is inconclusive',
  async () => {
    const gateway = await gatewayFor();
    let invalid = 0;
    const valid = `Bearer ${gateway.keys.full}`;
    const baseUrl = await inFrontOf(gateway.baseUrl, (key) => {
      if (key === valid) return undefined;
      invalid += 1;
      return invalid > 40 ? 403 : undefined;
    });
    const report = await quickRun(baseUrl, { detect: 3, only: ['auth/*'] }, { full: gateway.keys.full });
    expect(brokenMusts(report)).toEqual([]);
    expect(report.outcome.exit).toBe(3);
    expect([verdictLine(report), ...verdictFacts(report).map(factLine)].join('\n')).toContain(
      'after too many invalid keys, the target answers all of them with 403 or 429',
    );
    // It stopped asking.
    expect(invalid).toBeLessThan(60);
  },
  SLOW,
);

it.each(['models-empty-body', 'models-data-missing', 'models-500'] as const)(
  'If the first list comes from the faulty replica, the model is taken from another list: %s',
  async (fault) => {
    const [faulty, right] = await Promise.all([gatewayFor({ fault }), gatewayFor()]);
    let lists = 0;
    // Only the first answer is from the faulty one, retries included.
    const baseUrl = await passOn(({ url }) => (url?.endsWith('/models') && (lists += 1) <= 3 ? faulty : right).baseUrl);
    const report = await quickRun(
      baseUrl,
      { detect: 3, only: ['models/list', 'models/every-list', 'chat/reply'] },
      { full: right.keys.full },
    );
    expect(report.clauses.find(({ id }) => id === 'endpoint.chat-answers')?.verdict).toBe('pass');
    expect(report.outcome.exit).toBe(1);
  },
  SLOW,
);

it(
  'Every stream of a run needs a choice, not only the first',
  async () => {
    const fault = 'stream-lines-of-text';
    const report = await runInMemory(
      { fault, seed: 1, oneIn: { replicas: 3, per: 'request' } },
      { detect: 3, only: ['streaming/*'] },
    );
    expect(brokenMusts(report)).toEqual(['stream.has-choices']);
    const { answers } = expectationOf(report, 'streaming/every-stream', 'stream.has-choices') ?? {};
    expect(answers?.judged).toBeGreaterThan(20);
  },
  SLOW,
);

it(
  'Beyond the limit of a limited key, each replica is met: a fault of its 429 is found',
  async () => {
    const fault = 'error-type-missing-429';
    const gateway = await gatewayFor({ fault, oneIn: { replicas: 3, per: 'connection' } });
    const { full, limited } = gateway.keys;
    const settings = { detect: 3, only: ['auth/limited-key', 'errors/every-error-body[type]'] };
    const report = await quickRun(gateway.baseUrl, settings, { full, limited });
    expect(brokenMusts(report)).toEqual(['errors.type']);
    expect(report.cases.find(({ id }) => id === 'auth/limited-key')?.verdict).toBe('pass');
  },
  SLOW,
);

it(
  'A budget that cuts the rounds short ends without a verdict on the rest',
  async () => {
    const report = await runInMemory({}, { detect: 3, only: ['models/*'], maxRequests: 8 });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(report.outcome.detect?.short).toContain('endpoint.models-answers');
  },
  SLOW,
);

it(
  'A recording of it is judged alike, and an intermittent finding keeps its fingerprint',
  async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'wirecheck-detect-')), 'run.ndjson');
    const gateway = await gatewayFor({ fault: 'error-code-integer', oneIn: { replicas: 3, per: 'request' } });
    const settings = { detect: 3, only: ['auth/*', 'errors/every-error-body*'] };
    const keys = { full: gateway.keys.full };
    const live = await quickRun(gateway.baseUrl, settings, keys, { recorder: createRecorder(path) });
    const again = await judgeRecording(await openRecording(path));
    expect(again.cases).toEqual(live.cases);
    expect(again.outcome).toEqual(live.outcome);
    const always = await runInMemory({ fault: 'error-code-integer' }, { only: settings.only });
    const prints = (report: Report) =>
      new Set(
        expectationOf(report, 'errors/every-error-body[code]', 'errors.code')?.findings.map(
          (finding) => finding.fingerprint,
        ),
      );
    expect(prints(live)).toEqual(prints(always));
  },
  SLOW,
);
