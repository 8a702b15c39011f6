import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentEdition } from '../contract/editions.ts';
import { checkFile } from '../contract/file-schema.ts';
import { type Gateway, type Modifier, startGateway } from '../gateway/index.ts';
import { quickRun, runGateway } from '../../test/kit/real-run.ts';
import type { Report } from './report.ts';

let gateway: Gateway;
let report: Report;

beforeAll(async () => {
  gateway = await startGateway();
  report = await quickRun(gateway.baseUrl, { forbiddenModel: gateway.forbiddenModel }, gateway.keys);
});
afterAll(() => gateway.close());

const written = (value: Report): unknown => JSON.parse(JSON.stringify(value));

describe('report.json', () => {
  it('matches its schema', () => {
    expect(() => checkFile('report', { file: 'report.json', value: written(report) })).not.toThrow();
  });

  it('matches its schema for a target that does everything wrong, for a dead one, and for an interrupted run', async () => {
    const few = { only: ['auth/unknown-key*', 'errors/*', 'models/*'] };
    const reports = [
      await runGateway({ faults: ['error-html', 'transport-json-cut', 'auth-any-bearer-accepted'] }, few),
      await runGateway({ fault: 'transport-refusal-hangs-up' }, few),
      await runGateway({ fault: 'auth-raw-key-no-scheme' }, few),
      await quickRun(`${gateway.baseUrl}/v1`, few, { full: gateway.keys.full }),
      await quickRun('http://127.0.0.1:1/v1', few),
      await runGateway({}, { ...few, maxRequests: 10 }),
      await runGateway({}, few, { signal: AbortSignal.abort() }),
    ];
    for (const made of reports)
      expect(() => checkFile('report', { file: 'report.json', value: written(made) })).not.toThrow();
  });

  it('is plain JSON: nothing is lost when it is written', () => {
    expect(written(report)).toEqual(report);
  });

  it('contains no key or longer part of a key, in any encoding', async () => {
    const echoing = await runGateway({ faults: ['auth-key-echo', 'auth-key-echo-header'] }, { only: ['auth/*'] });
    const parts = Object.values(gateway.keys).flatMap((key) => {
      const random = key.replace('sk-service-', '');
      const runs = Array.from({ length: random.length - 7 }, (_, at) => random.slice(at, at + 8));
      return [
        ...runs,
        Buffer.from(`${key}:`).toString('base64').slice(0, 24),
        Buffer.from(random).toString('hex').slice(0, 24),
      ];
    });
    const texts = [JSON.stringify(report), JSON.stringify(echoing)];
    expect(parts.filter((part) => texts.some((text) => text.includes(part)))).toEqual([]);
    expect(echoing.clauses.find(({ id }) => id === 'auth.key-echo')?.verdict).toBe('warn');
  });
});

describe('the content of a report', () => {
  it('Every case, expectation and clause is included, and the counts agree', () => {
    const expectations = report.cases.flatMap(({ expectations: all }) => all);
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((all, count) => all + count, 0);
    expect(sum(report.counts.cases)).toBe(report.cases.length);
    expect(sum(report.counts.expectations)).toBe(expectations.length);
    expect(sum(report.counts.clauses)).toBe(report.clauses.filter(({ verdict }) => verdict).length);
    expect(report.areas.map(({ area }) => area)).toEqual([...new Set(report.cases.map(({ suite }) => suite))]);
    expect(report.areas.reduce((all, { cases }) => all + sum(cases), 0)).toBe(report.cases.length);
  });

  it('Every referenced exchange is included', async () => {
    const only = ['auth/*', 'errors/*', 'models/*'];
    const broken = await runGateway({ faults: ['error-code-integer', 'models-owned-by-null'] }, { only });
    for (const made of [report, broken]) {
      const ids = new Set(made.exchanges.map(({ id }) => id));
      expect(ids.size).toBe(made.exchanges.length);
      const named = made.cases.flatMap(({ exchange, expectations }) => [
        ...(exchange === undefined ? [] : [exchange]),
        ...expectations.flatMap(({ exchanges, findings }) => [
          ...exchanges,
          ...findings.map((finding) => finding.exchange),
        ]),
      ]);
      expect(named.filter((id) => !ids.has(id))).toEqual([]);
    }
  });

  it('A case shows the worst of its expectations, a clause the worst over its cases', async () => {
    const only = ['parameters/temperature-type*', 'parameters/top-p-type*', 'errors/*'];
    const broken = await runGateway({ fault: 'error-200-for-wrong-types' }, { only });
    const testCase = broken.cases.find(({ id }) => id === 'parameters/temperature-type[string]');
    expect(testCase?.verdict).toBe('fail');
    expect(testCase?.expectations.find(({ clause }) => clause === 'request.temperature-type')?.verdict).toBe('warn');
    expect(broken.clauses.find(({ id }) => id === 'errors.refusal-in-form')?.verdict).toBe('fail');
    expect(broken.cases.find(({ id }) => id === 'parameters/top-p-type[string]')?.verdict).toBe('pass');
  });

  it('A changed level is shown with the level of the contract', async () => {
    const levels = { 'models.nothing': 'must', 'errors.code': 'observe', 'errors.type': 'must' } as const;
    const changed = await runGateway({ fault: 'error-code-integer' }, { levels, only: ['errors/*'] });
    expect(changed.clauses.find(({ id }) => id === 'errors.code')).toMatchObject({
      level: 'observe',
      levelWas: 'must',
      verdict: 'observed',
    });
    expect(changed.clauses.find(({ id }) => id === 'errors.type')).not.toHaveProperty('levelWas');
    expect(changed.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    expect(changed.outcome.mustClauses).toBe(report.outcome.mustClauses - 1);
    expect(changed.profile).toMatchObject({ safetyChanges: 0, changes: [{ levelWas: 'must' }] });
  });

  it('The edition of the tests and its digest are at the top', () => {
    expect(Object.keys(report).slice(2, 4)).toEqual(['edition', 'editionDigest']);
    expect(report).toMatchObject(currentEdition());
  });

  it('The origin is recorded: tool, contract, seed, settings, times and model', () => {
    expect(report.provenance).toMatchObject({
      contractHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      node: process.version,
      seed: 1,
      clockSkew: 0,
    });
    expect(report.provenance.settings).toMatchObject({ forbiddenModel: 'sea-large', maxRetryWait: 50 });
    expect(Date.parse(report.provenance.endedAt)).toBeGreaterThanOrEqual(Date.parse(report.provenance.startedAt));
    expect(report.target).toEqual({ baseUrl: gateway.baseUrl, model: 'sea-large' });
  });

  it('The actual cost is between the planned minimum and maximum', async () => {
    const only = ['chat/*', 'errors/*'];
    const reports = [
      report,
      await runGateway({}, { only }),
      await runGateway({ fault: 'error-every-chat-503' }, { only }),
    ];
    for (const { cost } of reports) {
      expect(cost.used.requests).toBeLessThanOrEqual(cost.most.requests);
      expect(cost.used.completions).toBeLessThanOrEqual(cost.most.completions);
      expect(cost.used.tokens).toBeLessThanOrEqual(cost.most.tokens);
    }
    expect(report.cost.used.requests).toBeGreaterThanOrEqual(report.cost.least.requests);
    expect(report.cost.used.completions).toBeGreaterThanOrEqual(report.cost.least.completions);
  });
});

describe('a gateway whose replies all have the same text', () => {
  const parrot: Modifier = { title: 'a parrot', reply: () => ({ pieces: ['Hello', ' there'] }) };
  const only = ['chat/reply', 'streaming/reply', 'parameters/temperature-out-of-range*'];
  const told = (report: Report) => report.notices.filter(({ kind }) => kind === 'constant-text');

  it('is told so once, if it answers what must be refused as well', async () => {
    const report = await runGateway({ modifiers: [{ ...parrot, refusal: () => undefined }] }, { only });
    expect(told(report)).toEqual([{ kind: 'constant-text', replies: 8, wrong: 6 }]);
  });

  it.each([
    ['refuses what must be refused', parrot],
    ['gives texts of its own', { title: 'lax', refusal: () => undefined }],
  ])('is not told so if it %s', async (_, modifier) => {
    expect(told(await runGateway({ modifiers: [modifier] }, { only }))).toEqual([]);
  });
});
