import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../src/gateway/index.ts';
import { quickRun, quickSettings, runGateway } from './kit/real-run.ts';
import { factLine } from '../src/render/document/document.ts';
import { coverageFact, verdictLine } from '../src/render/verdict-line.ts';
import type { Report } from '../src/report/report.ts';
import { gather, type Gathered, judge, plan } from '../src/run/run.ts';

let gateway: Gateway;
/** With every extra key and setting, and with none. */
let complete: Report;
let usual: Report;
let gathered: Gathered;

beforeAll(async () => {
  gateway = await startGateway();
  const everything = {
    forbiddenModel: gateway.forbiddenModel,
    model: 'sea-large',
    contextTokens: 100,
    patient: true,
    pauses: [20, 40, 60],
  };
  complete = await quickRun(gateway.baseUrl, everything, gateway.keys);
  const settings = quickSettings(gateway.baseUrl);
  gathered = await gather(settings, { full: gateway.keys.full });
  usual = judge(gathered, settings);
});
afterAll(() => gateway.close());

describe('the conforming gateway', () => {
  it('conforms, with and without extra keys', () => {
    for (const { outcome, counts } of [complete, usual]) {
      expect(outcome).toMatchObject({ name: 'conforms', exit: 0 });
      expect(outcome.mustJudged).toBe(outcome.mustClauses);
      expect(counts.expectations).toMatchObject({ fail: 0, inconclusive: 0, warn: 0 });
    }
  });

  it('conforms without usage, which is optional, and says that nothing showed the types of its fields', async () => {
    const report = await runGateway({ fault: 'chat-usage-missing' });
    const { outcome, clauses } = report;
    expect(outcome).toMatchObject({ name: 'conforms', exit: 0, mustIdle: 4 });
    expect(outcome.mustJudged).toBe(outcome.mustClauses - 4);
    expect(verdictLine(report)).toMatch(/^CONFORMS, WITH 1 WARNING: \d+ of \d+ must clauses judged, none broken$/);
    expect(coverageFact(report).map(factLine)).toContainEqual(expect.stringMatching(/4 never came up/));
    const counted = clauses.find(({ id }) => id === 'usage.total-tokens-type');
    expect(counted).toMatchObject({ verdict: 'skipped' });
    expect(counted).not.toHaveProperty('sureness');
  });

  it('A run of some suites conforms in part', async () => {
    const report = await quickRun(gateway.baseUrl, { only: ['auth/*'] }, { full: gateway.keys.full });
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    expect(report.outcome.mustJudged).toBeLessThan(report.outcome.mustClauses);
  });

  it('A selection with nothing to judge has no verdict', async () => {
    const report = await quickRun(gateway.baseUrl, { only: ['auth/exhausted-key'] }, { full: gateway.keys.full });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  });
});

describe('coverage, measured on a real run', () => {
  const judged = (verdicts: readonly string[]) =>
    complete.clauses.filter(({ verdict }) => verdict && verdicts.includes(verdict)).map(({ id }) => id);

  /** A 5xx that goes away is nothing that a conforming gateway has to show, nor are pages in browsers. */
  it('Every must and should clause that one run can judge was judged by a case', () => {
    const wanted = complete.clauses.filter(
      ({ level, scope }) => (level === 'must' || level === 'should') && (scope === 'run' || scope === 'extra-key'),
    );
    const passed = new Set(judged(['pass']));
    expect(wanted.map(({ id }) => id).filter((id) => !passed.has(id))).toMatchInlineSnapshot(`
      [
        "wire.cors-errors",
        "wire.cors-preflight",
        "errors.passing-server-error",
      ]
    `);
  });

  it('Only clauses that no single run can judge lack a case', () => {
    const without = complete.clauses.filter(({ cases }) => cases.length === 0);
    expect(without.map(({ id, level, scope }) => `${id} (${level === 'none' ? 'outside' : scope})`))
      .toMatchInlineSnapshot(`
        [
          "service.earlier-words (outside)",
          "service.stock-clients (outside)",
          "service.single-gateway (outside)",
          "service.platform-backend (outside)",
          "service.keys-made-elsewhere (outside)",
          "request.message-order (outside)",
          "request.sampling-effect (outside)",
          "keys.record (outside)",
          "lifecycle.retired-removed (comparison)",
          "lifecycle.retired-not-answered (comparison)",
          "lifecycle.announced (outside)",
          "lifecycle.console (outside)",
          "lifecycle.triggers (outside)",
          "lifecycle.no-state-fields (outside)",
          "auth.shown-once (outside)",
          "auth.key-lifecycle (outside)",
          "events.webhooks (outside)",
          "limits.message-count (outside)",
          "versioning.no-breaking-change (comparison)",
          "versioning.old-version-works (outside)",
          "versioning.clients-tolerate (outside)",
          "versioning.changelog (outside)",
          "versioning.deprecation-announced (outside)",
          "versioning.works-until-removal (comparison)",
          "versioning.migration-window (outside)",
        ]
      `);
  });

  /** But for what the reference gateway does not have. */
  it('Every observed-only clause was observed', () => {
    const observed = new Set(judged(['observed']));
    const wanted = complete.clauses.filter(({ level, cases }) => level === 'observe' && cases.length > 0);
    expect(wanted.map(({ id }) => id).filter((id) => !observed.has(id))).toMatchInlineSnapshot(`
      [
        "usage.signature",
        "wire.tracing",
        "limits.stated-context",
        "limits.retry-after",
      ]
    `);
  });
});

describe('the cost of a run', () => {
  it('A default run stays within its budget', () => {
    const { requests, completions, tokens } = usual.cost.used;
    expect(requests).toBeLessThanOrEqual(138);
    expect(completions).toBeLessThanOrEqual(25);
    expect(tokens).toBeLessThanOrEqual(600);
  });

  it('With every extra key, it sends at most 157 requests (the limited key needs more on a slow machine); at most 145 if every chat request is refused', async () => {
    const changes = { forbiddenModel: gateway.forbiddenModel };
    const { cost } = await quickRun(gateway.baseUrl, changes, gateway.keys);
    expect(cost.used.requests).toBeLessThanOrEqual(157);
    expect(cost.used.completions).toBeLessThanOrEqual(30);
    const refusing = await startGateway({ fault: 'error-every-chat-503' });
    onTestFinished(() => refusing.close());
    const refused = await quickRun(refusing.baseUrl, changes, refusing.keys);
    expect(refused.cost.used.requests).toBeLessThanOrEqual(145);
  });

  /** A case that doubles the bill is noticed here: change the numbers only on purpose. */
  it('A default run has this exact cost', () => {
    expect(usual.cost.used).toMatchInlineSnapshot(`
      {
        "completions": 25,
        "requests": 138,
        "tokens": 173,
      }
    `);
  });

  it('The plan gives the same cost range as the run', () => {
    const planned = plan(quickSettings(gateway.baseUrl));
    expect([planned.least, planned.most]).toEqual([usual.cost.least, usual.cost.most]);
  });

  it('The same gateway, seed and settings give the same requests', async () => {
    const again = await gather(quickSettings(gateway.baseUrl), { full: gateway.keys.full });
    const sent = ({ traffic }: Gathered) =>
      traffic.exchanges.map(({ id, request }) => `${id} ${request.body ?? ''}`).toSorted();
    expect(sent(again)).toEqual(sent(gathered));
  });
});

describe('judging', () => {
  it('is pure: the same traffic always gives the same report', () => {
    expect(judge(gathered, quickSettings(gateway.baseUrl))).toEqual(usual);
  });

  it('can be strict about recorded traffic', async () => {
    const faulty = await startGateway({ fault: 'models-labelled-text' });
    const settings = quickSettings(faulty.baseUrl, { only: ['models/*', 'chat/json-labelled'] });
    const run = await gather(settings, { full: faulty.keys.full });
    await faulty.close();
    expect(judge(run, settings).outcome.exit).toBe(0);
    expect(judge(run, { ...settings, strict: true }).outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(judge(run, { ...settings, levels: { 'wire.json-labelled': 'must' } }).outcome.exit).toBe(1);
  });

  it('accepts custom checks', async () => {
    const settings = quickSettings(gateway.baseUrl, { only: ['versioning/base-address'] });
    const run = await gather(settings, { full: gateway.keys.full });
    const check = {
      summary: 'x',
      needsNoExchange: true,
      execute: () => ({ kind: 'inconclusive', reason: { kind: 'nothing-to-judge' } }) as const,
    };
    expect(judge(run, settings, { 'base-address': check }).outcome.exit).toBe(3);
  });
});
