import { beforeAll, describe, expect, it } from 'vitest';
import { modifier, noticesOf, observe, observeOnce, said, withoutDrift } from './kit/compare-runs.ts';
import { checkFile } from '../src/contract/file-schema.ts';
import { piecesOf, type Refusal, type Reply } from '../src/gateway/answer.ts';
import { all, drop, put } from '../src/gateway/change.ts';
import { refuseIf, refuseWith } from '../src/gateway/change-answer.ts';
import { isChat, isModels, isPlain } from '../src/gateway/call-tests.ts';
import type { Call } from '../src/gateway/call.ts';
import type { Json, JsonObject } from '../src/gateway/json.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import { foldChanges } from '../src/report/comparison/comparison.ts';
import { observeReport, type ObservedRun } from '../src/report/comparison/observed-run.ts';

/** The same answer, but later. */
function withPause(reply: Reply, waitMs: number): Reply {
  const [first, ...rest] = piecesOf(reply);
  return { ...reply, body: { pieces: first ? [{ ...first, waitMs }, ...rest] : [] } };
}

/** The combined requests with a temperature above 1. */
const PLAIN_ABOVE_ONE = 'chat/system-alone-together';
const STREAM_ABOVE_ONE = 'streaming/without-limit-together';
const extra = put('/system_fingerprint', 'fp');
const withoutSecond = (list: JsonObject): JsonObject => drop('/data/1')(list);
const withModels =
  (...ids: readonly string[]) =>
  (list: JsonObject): JsonObject => ({
    ...list,
    data: [...(list['data'] as readonly Json[]), ...ids.map((id) => ({ id, object: 'model', owned_by: 'sea' }))],
  });

const LISTS = { only: ['models/*', 'chat/*'] };

let conforming: ObservedRun;
beforeAll(async () => {
  conforming = await observeOnce('conforming', 'old');
});

describe('two runs compared', { timeout: 120_000 }, () => {
  it('fail on breaking changes, or on lesser ones on request', async () => {
    const old = await observeOnce('conforming', 'old', LISTS);
    const now = await observe(modifier({ only: isModels, list: withoutSecond }), 'new', LISTS);
    expect(compareRuns(old, now).exit).toBe(0);
    expect(compareRuns(old, now, { failOn: 'warning' }).exit).toBe(1);
    const broken = await observeOnce('no usage', 'new');
    expect(compareRuns(conforming, broken).exit).toBe(1);
  });

  it('show both sides of a change, with the exchanges that prove it and the clause it touches', async () => {
    const now = await observeOnce('no usage', 'new');
    const [change] = compareRuns(conforming, now).changes;
    expect(change).toMatchObject({
      kind: 'breaking',
      clause: 'versioning.no-breaking-change',
      place: { endpoint: 'chat', mode: 'plain', status: 200, pointer: '/usage' },
      new: { present: 0 },
    });
    expect(change?.old.present).toBe(change?.old.answers);
    expect(change?.old.answers).toBeGreaterThan(10);
    expect(change?.old.exchanges).toHaveLength(3);
    expect(change?.new.exchanges).toHaveLength(3);
    const other = await observe(modifier({ completion: drop('/usage') }), 'new', { only: ['chat/*', 'parameters/*'] });
    const again = compareRuns(conforming, other).changes.find(({ what }) => what === 'field-gone');
    expect(again?.fingerprint).toBe(change?.fingerprint);
  });

  it('show a newly broken clause with its earlier value, and clauses that are fixed', async () => {
    const marked = await observeOnce('another object', 'new');
    const [change] = compareRuns(conforming, marked).changes;
    expect(change).toMatchObject({
      kind: 'breaking',
      what: 'clause-broken',
      clause: 'completion.object',
      place: { endpoint: 'chat', mode: 'plain', pointer: '/object' },
      old: { finding: { actual: { kind: 'value', value: { quote: 'chat.completion' } } } },
      new: {
        finding: {
          expected: { kind: 'constant', value: 'chat.completion' },
          actual: { kind: 'value', value: { quote: 'completion' } },
        },
      },
    });
    expect(change?.old.exchanges.length).toBeGreaterThan(0);
    const findings = marked.report.cases.flatMap(({ expectations }) =>
      expectations.flatMap((expectation) => expectation.findings),
    );
    expect(findings.map(({ fingerprint }) => fingerprint)).toContain(change?.fingerprint);
    const few = { only: ['chat/*'] };
    const before = await observeOnce('another object', 'old', few);
    expect(noticesOf(compareRuns(before, await observe({}, 'newer', few)))).toEqual([
      { kind: 'fixed', clauses: ['completion.object'] },
    ]);
  });

  it('match their schema, whatever changed', async () => {
    const now = await observe(
      modifier({ completion: all(drop('/usage'), extra), list: withoutSecond, refusal: refuseWith(422) }),
      'new',
      { only: ['models/*', 'chat/*', 'parameters/temperature-*'] },
    );
    const found = compareRuns(conforming, now);
    const kinds = ['field-gone', 'field-new', 'model-gone', 'refusal-status'];
    expect(found.changes.map(({ what }) => what)).toEqual(expect.arrayContaining(kinds));
    const value: unknown = JSON.parse(JSON.stringify(found));
    expect(() => checkFile('comparison', { file: 'c.json', value })).not.toThrow();
  });

  it('say that a model that is no longer listed still answers', async () => {
    const few = { ...LISTS, model: 'sea-small' };
    const before = await observe({}, 'old', few);
    const now = await observe(modifier({ only: isModels, list: withoutSecond }), 'new', few);
    const gone = compareRuns(before, now).changes.find(({ what }) => what === 'model-gone');
    expect(gone).toMatchObject({
      clause: 'lifecycle.retired-not-answered',
      new: { value: 'not listed, but answered' },
    });
  });

  it('give each model its own fingerprint, so that a waiver covers only one model', async () => {
    const before = await observe(modifier({ only: isModels, list: withModels('one', 'two') }), 'old', LISTS);
    const now = await observe(modifier({ only: isModels, list: withModels('three', 'four') }), 'new', LISTS);
    const { changes } = compareRuns(before, now);
    expect(changes.filter(({ what }) => what === 'model-gone')).toHaveLength(2);
    expect(changes.filter(({ what }) => what === 'model-new')).toHaveLength(2);
    expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(changes.length);
    const again = compareRuns(before, now).changes.map(({ fingerprint }) => fingerprint);
    expect(again).toEqual(changes.map(({ fingerprint }) => fingerprint));
  });

  it('say why a removed field of the contract is only a warning', async () => {
    const now = await observe(
      modifier({ error: (body, { status }) => (status === 404 ? drop('/error/code')(body) : body) }),
      'new',
    );
    const changes = withoutDrift(compareRuns(conforming, now));
    expect(changes.length).toBeGreaterThan(0);
    for (const change of changes) expect(change).toMatchObject({ kind: 'warning', what: 'field-gone', scant: true });
    const own = compareRuns(await observe(modifier({ completion: extra }), 'old', { only: ['chat/*'] }), conforming);
    expect(own.changes[0]).toMatchObject({ kind: 'warning', what: 'field-gone' });
    expect(own.changes[0]).not.toHaveProperty('scant');
  });

  it('show absent values as absent', async () => {
    const now = await observe(
      modifier({
        completion: (value, { body }) => (body['temperature'] === undefined ? value : drop('/usage')(value)),
      }),
      'new',
    );
    expect(withoutDrift(compareRuns(conforming, now))).toMatchObject([
      { what: 'clause-broken', new: { finding: { actualType: 'absent', actual: { kind: 'absent' } } } },
    ]);
  });

  it('do not ask for another run if a case is reported as broken', async () => {
    const refuse = refuseIf(({ body }) => body['max_tokens'] === 1 && body['stream'] === true);
    const few = { only: ['streaming/*', 'parameters/max-tokens-*'] };
    const old = await observeOnce('conforming', 'old', few);
    const found = compareRuns(old, await observe(modifier({ only: isChat, refuse }), 'new', few));
    const broken = found.changes.filter(({ kind }) => kind === 'breaking').map(({ place }) => place.case);
    expect(broken).toContain('streaming/one-token');
    expect(JSON.stringify(found.obstacles)).not.toContain('streaming/one-token');
  });

  it.each([
    ['is one entry, by requests that both runs sent', 422, [[PLAIN_ABOVE_ONE, STREAM_ABOVE_ONE]]],
    ['is two if streams are refused in another way', 400, [[PLAIN_ABOVE_ONE], [STREAM_ABOVE_ONE]]],
  ] as const)('A value that is refused, asked for alone and with others, %s', async (_, status, asked) => {
    const few = { only: ['parameters/temperature-maximum', 'streaming/*'] };
    const isAbove = ({ body }: Call): boolean => Number(body['temperature'] ?? 0) > 1;
    const refuse = (call: Call): Refusal | undefined =>
      refuseIf(isAbove, call.body['stream'] === true ? status : 422)(call);
    const old = await observeOnce('conforming', 'old', few);
    const now = await observe(modifier({ only: isChat, refuse }), 'new', few);
    for (const found of [
      compareRuns(old, now),
      compareRuns(observeReport(old.report, 'old'), observeReport(now.report, 'new')),
    ]) {
      const entries = foldChanges(found.changes.filter(({ kind }) => kind === 'breaking'));
      const changes = entries.map(({ change, others }) => [change, ...others]);
      const before = changes.map((each) => each.flatMap(({ old: side }) => side.exchanges));
      expect(new Set(before)).toEqual(new Set<readonly string[]>(asked));
      // The newer run asked for each alone once the shared request was refused.
      const alone = ['parameters/temperature-maximum', 'streaming/sampling[temperature]'];
      expect(new Set(changes.flat().flatMap(({ new: side }) => side.exchanges))).toEqual(new Set(alone));
      expect(new Set(changes.flat().map(({ what, breaks }) => [what, ...(breaks ?? [])]))).toEqual(
        new Set([
          ['answer-lost', { clause: 'limits.temperature-in-range', case: 'parameters/temperature-maximum' }],
          ['answer-lost', { clause: 'limits.temperature-in-range', case: 'streaming/sampling[temperature]' }],
        ]),
      );
      expect(found.counts.breaking).toBe(asked.length);
    }
    // The other way round, it is a fix.
    expect(said(compareRuns(now, old))).toEqual([]);
  });

  it('report drifting times with numbers, and only if they drifted', async () => {
    const slow = await observe(modifier({ only: isPlain, answer: (reply) => withPause(reply, 400) }), 'new', LISTS);
    const quick = await observeOnce('conforming', 'old', LISTS);
    const found = compareRuns(quick, slow, { failOn: 'drift' });
    const drifted = found.changes.filter(({ kind }) => kind === 'drift');
    expect(drifted.map(({ place }) => place.measure)).toContain('reply');
    expect(drifted[0]?.new.median).toBeGreaterThan(drifted[0]?.old.median ?? Infinity);
    expect(found.exit).toBe(1);
  });

  // That an honest pair shows none is proved on times that no machine can disturb, in compare-times.test.ts.
  it('report a stream that became slower', async () => {
    const few = { only: ['streaming/*'], streamTokens: 10, replyTokens: 10 };
    const quick = await observe({}, 'old', few);
    const slow = await observe({ eventGapMs: 250 }, 'new', few);
    const found = compareRuns(quick, slow).changes.filter(({ kind }) => kind === 'drift');
    expect(found.map(({ place }) => place.measure)).toContain('gap between two pieces of a stream');
  });

  it('are compared from reports as from recordings', async () => {
    const { report } = await observeOnce('no usage', 'new');
    const plain = observeReport(conforming.report, 'old');
    expect(said(compareRuns(plain, observeReport(report, 'new')))).toEqual(['breaking field-gone /usage']);
  });
});
