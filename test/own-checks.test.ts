/** Checks that a user of the library brings: they judge like ours, and a fault of theirs is not one of the target. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../src/gateway/index.ts';
import {
  type Check,
  CHECKS,
  type CheckResult,
  createRecorder,
  DEFAULT_SETTINGS,
  finding,
  gather,
  type Gathered,
  judge,
  judgeRecording,
  lastAnswer,
  openRecording,
  quoteValue,
  render,
  type Report,
  run,
} from '../src/index.ts';

const SUITE = `suite: acme
title: Acme
clauses:
  - { id: acme.small, level: must, summary: Answers are small., hurts: Phones. }
cases:
  - id: small
    title: Every answer is small
    over: ['*']
    expect: [{ clause: acme.small, check: acme/small, most: 400 }]
`;

/** Answers of the reference gateway to errors are smaller than completions. */
const small: Check = {
  summary: 'Answers have at most so many bytes.',
  options: { most: { type: 'integer' } },
  execute({ exchanges, options }) {
    const findings = exchanges.flatMap((exchange) => {
      const size = lastAnswer(exchange)?.body.bytes.length ?? 0;
      if (size <= Number(options['most'])) return [];
      const expected = { kind: 'own-words', words: `at most ${Number(options['most'])} bytes` } as const;
      const actual = { kind: 'value', value: quoteValue(size) } as const;
      return [finding(exchange, { mismatch: 'size', expected, actualType: 'number', actual })];
    });
    return findings.length === 0 ? { kind: 'holds' } : { kind: 'broken', findings: findings.slice(0, 1) };
  },
};

let folder: string;
let suite: string;
let gateway: Gateway;
let gathered: Gathered;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-own-checks-'));
  suite = join(folder, 'acme.yaml');
  writeFileSync(suite, SUITE);
  gateway = await startGateway({ eventGapMs: 1 });
  gathered = await gather(settings(1_000_000), gateway.keys, { checks: { ...CHECKS, 'acme/small': small } });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

const settings = (most: number) => {
  writeFileSync(suite, SUITE.replace('most: 400', `most: ${most}`));
  return { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, suites: [suite, 'models'] };
};
const judged = ({ cases }: Report) => cases.find(({ id }) => id === 'acme/small')?.expectations[0];

describe('a check of the user', () => {
  it('passes, and fails with its own words, live and from a recording', async () => {
    const checks = { ...CHECKS, 'acme/small': small };
    expect(judged(judge(gathered, settings(1_000_000), checks))).toMatchObject({ verdict: 'pass' });
    const recording = join(folder, 'run.ndjson');
    const report = await run(settings(10), gateway.keys, { checks, recorder: createRecorder(recording) });
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(render(report, 'terminal')).toContain('Expected     at most 10 bytes');
    expect(render(report, 'html')).toContain('at most 10 bytes');
    const again = await judgeRecording(await openRecording(recording), { checks });
    expect(judged(again)).toEqual(judged(report));
  });

  const faulty: readonly (readonly [string, Check['execute'], string])[] = [
    [
      'throws',
      () => {
        throw new TypeError('<script> of mine');
      },
      '<script> of mine',
    ],
    [
      'throws a text',
      () => {
        throw 'oops';
      },
      'oops',
    ],
    [
      'returns nothing',
      () => undefined as unknown as CheckResult,
      "Cannot read properties of undefined (reading 'kind')",
    ],
    ['returns nonsense', () => ({ kind: 'fine' }) as unknown as CheckResult, 'it returned no result'],
  ];
  it.each(faulty)('that %s is at fault itself: exit 70, and every other verdict stands', (_what, execute, message) => {
    const checks = { ...CHECKS, 'acme/small': { ...small, execute } };
    const report = judge(gathered, settings(1_000_000), checks);
    expect(judged(report)).toMatchObject({
      verdict: 'inconclusive',
      findings: [],
      reason: { kind: 'check-threw', check: 'acme/small', message: { quote: message } },
    });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 70 });
    expect(
      report.cases.filter(({ suite: area, verdict }) => area === 'models' && verdict === 'pass').length,
    ).toBeGreaterThan(2);
    expect(render(report, 'terminal')).toMatch(
      /^Why: +the check acme\/small threw an error, which says nothing about the target[^]*\nNOT JUDGED BY v1 WITH 1 CHANGE/m,
    );
    expect(render(report, 'agent')).toContain('Exit code 70: a check of your own threw an error');
    expect(render(report, 'html')).not.toContain('<script> of mine');
  });
});
