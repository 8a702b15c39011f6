import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { excused } from '../../../test/kit/excused-reports.ts';
import { render } from '../index.ts';
import {
  broken,
  clause,
  conforming,
  exchange,
  expectation,
  finding,
  oneCase,
} from '../../../test/kit/sample-reports.ts';
import { SARIF_SCHEMA } from '../../../test/kit/sarif-schema.ts';
import { sarifMessage } from './sarif.ts';

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(SARIF_SCHEMA);

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly invocations: readonly unknown[];
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex?: number; readonly locations: unknown }[];
    readonly artifacts: readonly unknown[];
    readonly properties: unknown;
  }[];
}

function read(report: Report): Log['runs'][number] {
  const log = JSON.parse(render(report, 'sarif')) as Log;
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  const [run] = log.runs;
  if (!run) throw new Error('no run');
  return run;
}

const failing = (source: string, suites: readonly string[] = [source]) => {
  const testCase = oneCase('mine/a[b]', [
    expectation('errors.code', { verdict: 'fail', findings: [finding({ more: 4 })] }),
  ]);
  const { provenance } = broken();
  return broken({
    provenance: { ...provenance, settings: { ...provenance.settings, suites } },
    cases: [{ ...testCase, source: { file: source, line: 7 } }],
  });
};

describe('the SARIF log', () => {
  it('has a rule for each clause that can be broken, with its level and a help link', () => {
    const [rule, ...others] = read(broken()).tool.driver.rules;
    expect(rule).toMatchObject({
      id: 'errors.code',
      shortDescription: { text: 'An error answer carries error.code as a string.' },
      defaultConfiguration: { level: 'error' },
      help: { text: expect.stringContaining('npx --no-install wirecheck explain errors.code') as string },
    });
    expect(others).toMatchObject([{ id: 'json.label', defaultConfiguration: { level: 'warning' } }, {}]);
  });

  it('has a result for each cause: an error for a failure, otherwise a warning', () => {
    const { results, tool } = read(broken());
    expect(results).toMatchObject([
      {
        ruleId: 'errors.code',
        level: 'error',
        message: { text: expect.stringMatching(/ In 2 cases\. Request: GET /) as string },
        occurrenceCount: 2,
      },
      { ruleId: 'json.label', level: 'warning' },
    ]);
    for (const { ruleId, ruleIndex = -1 } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  it('locates a finding of a built-in suite at the path of the endpoint, since the reader has no such file', () => {
    const report = failing('suites/errors.yaml', []);
    const { baseUrl } = report.target;
    const uri = `${new URL(baseUrl).pathname.slice(1)}/models`;
    const [shown] = report.cases[0]?.expectations[0]?.findings ?? [];
    const exchanges = [exchange(shown?.exchange ?? '', { path: '/models?limit=1' })];
    const { results, artifacts } = read({ ...report, exchanges });
    expect(results[0]?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri, uriBaseId: 'TARGET', index: 0 }, region: { startLine: 1 } } },
    ]);
    expect(artifacts).toEqual([
      {
        location: { uri, uriBaseId: 'TARGET' },
        mimeType: 'text/plain',
        contents: { text: `${baseUrl}/models is an endpoint of the target, not a file. The report has its answers.\n` },
      },
    ]);
    expect(JSON.stringify(read(report))).not.toContain('suites/errors.yaml');
  });

  it('locates a finding of a suite of the user at its case in the file, and identifies it by its fingerprint', () => {
    expect(read(failing('suites/mine.yaml')).artifacts).toEqual([]);
    expect(read(failing('suites/mine.yaml')).results[0]).toMatchObject({
      message: {
        text: 'An error answer carries error.code as a string. Expected string at /error/code; got 401 (integer). Request: GET /v1/models, key: unknown.',
      },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'suites/mine.yaml' }, region: { startLine: 7 } },
          logicalLocations: [{ fullyQualifiedName: 'mine/a[b]' }],
        },
      ],
      partialFingerprints: { 'wirecheckFinding/v1': 'f'.repeat(16) },
      occurrenceCount: 5,
    });
  });

  it.each([
    [String.raw`my suites\50%.yaml`, 'my%20suites/50%25.yaml'],
    ['/etc/suites/a#b.yaml', '/etc/suites/a%23b.yaml'],
    ['../grüße.yaml', '../gr%C3%BC%C3%9Fe.yaml'],
  ])('writes the file %s as the URI %s', (file, uri) => {
    expect(read(failing(file)).results[0]?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri } } },
    ]);
  });

  it('carries the verdict and the counts of the run', () => {
    expect(read(broken()).properties).toMatchObject({
      verdict: 'DOES NOT CONFORM: 1 must clause broken (60 of 74 judged)',
      outcome: 'does-not-conform',
      cases: { fail: 2, warn: 1, inconclusive: 1, skipped: 2, pass: 1 },
    });
    // By the names of report.json.
    const clauses = [...broken().clauses, clause('openapi.served', { scope: 'description', verdict: 'skipped' })];
    expect(read(broken({ clauses })).properties).toMatchObject({
      mustClausesInLine: 75,
      mustJudgedInLine: 60,
      mustClauses: 74,
      mustJudged: 60,
    });
  });

  it('has notifications for an early end, inconclusive cases and notices', () => {
    const report = broken({
      outcome: { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 2 },
      ending: { kind: 'budget', setting: 'max-time' },
      notices: [{ kind: 'recorded', sentence: 'A certificate was not checked.' }],
    });
    expect(read(report).invocations).toMatchObject([
      {
        executionSuccessful: false,
        exitCode: 3,
        toolExecutionNotifications: [
          { level: 'error', message: { text: expect.stringContaining('--max-time') as string } },
          {
            level: 'warning',
            message: { text: 'Not judged in 1 case: no answer within --timeout: raise --timeout if it is only slow' },
          },
          { level: 'note' },
        ],
      },
    ]);
    expect(read(conforming()).invocations).toMatchObject([
      { executionSuccessful: true, toolExecutionNotifications: [] },
    ]);
  });

  it('marks waived findings as suppressed and baseline findings as unchanged, each on all results or none', () => {
    const justification =
      'waived until 2030-12-31 by gateway team: Codes are numbers until 2.4. (https://tracker.example/42)';
    expect(read(excused()).results).toMatchObject([
      { ruleId: 'errors.message', suppressions: [], baselineState: 'new' },
      { ruleId: 'errors.object', suppressions: [], baselineState: 'unchanged' },
      { ruleId: 'errors.code', suppressions: [{ kind: 'external', justification }], baselineState: 'new' },
    ]);
    for (const result of read(broken()).results) {
      expect(result).not.toHaveProperty('suppressions');
      expect(result).not.toHaveProperty('baselineState');
    }
  });

  it('mentions fixed findings without a result', () => {
    expect(read(excused()).invocations).toMatchObject([
      {
        toolExecutionNotifications: [
          { level: 'note', message: { text: 'Fixed since 2030-03-01: errors.type in auth/x' } },
          { level: 'note', message: { text: 'In the baseline, but not judged in this run: errors.json in auth/y' } },
        ],
      },
    ]);
  });

  it('makes every should an error if the run is strict', () => {
    const levels = read(broken({ strict: true })).tool.driver.rules;
    expect(levels).toMatchObject([1, 2, 3].map(() => ({ defaultConfiguration: { level: 'error' } })));
  });

  it('writes no placeholder and no link into a message', () => {
    expect(sarifMessage('{0} and [here](https://a.example)')).toBe(String.raw`{{0}} and \[here\](https://a.example)`);
  });
});
