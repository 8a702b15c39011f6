/** How a run comes to its end before everything was asked. */
import { describe, expect, it } from 'vitest';
import { answerAfter } from '../../../test/kit/answer-after.ts';
import { textReply } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import { errorAnswer } from '../../gateway/change-answer.ts';
import { type Modifier, startGateway } from '../../gateway/index.ts';
import type { Report } from '../../report/report.ts';
import {
  brokenClauses,
  expectationOf,
  gatewayFor,
  quickRun,
  runGateway,
  withVerdict,
} from '../../../test/kit/real-run.ts';

/** A few of each wave. */
const FEW = [
  'models/*',
  'auth/missing-key*',
  'chat/reply*',
  'chat/json-labelled',
  'parameters/top-p-*',
  'streaming/reply',
];
/** More than are under way at a time, and none with a large body. */
const MANY = [...FEW, 'auth/*', 'chat/*', 'errors/*', 'parameters/*-type*', 'parameters/*-missing*'];

const hangUp = (test: (call: Call) => boolean): Modifier => ({
  title: 'x',
  only: test,
  before: () => ({ kind: 'hang-up', how: 'reset' }),
});

describe('a target that stops answering', () => {
  it('The requests in flight and the last one answered are the suspects, and the rest is inconclusive', async () => {
    const isDead = () => gateway.requests.log.length > 12;
    const gateway = await gatewayFor({ modifiers: [hangUp(() => isDead())] });
    const report = await quickRun(gateway.baseUrl, { only: MANY }, { full: gateway.keys.full });
    expect(report.ending).toMatchObject({ kind: 'stopped-answering' });
    if (report.ending.kind !== 'stopped-answering') return;
    const { suspects, lastAnswered } = report.ending;
    const silent = report.exchanges.filter(({ attempts }) => attempts.every(({ answer }) => answer === undefined));
    expect(suspects.length).toBeGreaterThan(0);
    // Four were in flight, and some may have been sent before the first failure was noticed.
    expect(suspects.length).toBeLessThanOrEqual(8);
    expect(silent.map(({ id }) => id)).toEqual(expect.arrayContaining([...suspects]));
    expect(silent.length).toBeLessThan(20);
    const answered = report.exchanges.find(({ id }) => id === lastAnswered)?.attempts.at(-1)?.answer;
    expect(answered).toBeDefined();
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(expectationOf(report, 'chat/reply-again', 'endpoint.chat-answers')).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'stopped-answering' } },
    });
  });

  it('A process that died is treated the same', async () => {
    const gateway = await startGateway();
    let closing: Promise<void> | undefined;
    const onProgress = ({ requests }: { readonly requests: number }) => {
      if (requests > 6) closing ??= gateway.close();
    };
    const report = await quickRun(gateway.baseUrl, { only: FEW }, { full: gateway.keys.full }, { onProgress });
    await closing;
    expect(report.ending.kind).toBe('stopped-answering');
    expect(report.outcome.exit).toBe(3);
  });

  it('A target that dies of its last request is noticed too', async () => {
    let isDead = false;
    const dies = (call: Call): boolean => (isDead ||= call.body['temperature'] === 2.000_000_1);
    const report = await runGateway(
      { modifiers: [hangUp(dies)] },
      { only: ['parameters/temperature-out-of-range[just-above]'] },
    );
    expect(report.ending).toEqual({
      kind: 'stopped-answering',
      suspects: ['parameters/temperature-out-of-range[just-above]'],
      lastAnswered: 'chat',
    });
    expect(report.outcome.exit).toBe(3);
  });

  it('A run with --concurrency 1 is known to have had one request in flight', async () => {
    const report = await runGateway(
      { modifiers: [hangUp(({ body }) => body['messages'] !== undefined)] },
      { concurrency: 1, only: ['chat/reply', 'models/list'] },
    );
    expect(report.ending).toMatchObject({ kind: 'stopped-answering', oneAtATime: true });
  });

  it('Edits that break the connection do not end a run whose control is still answered', async () => {
    const report = await runGateway({ fault: 'transport-refusal-hangs-up' }, { only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome.exit).toBe(1);
  });
});

describe('a key that no longer works in mid-run', () => {
  it.each([
    [401, 12],
    [402, 6],
    [402, 30],
  ])('is refused with %d from call %d on: nothing is judged from there on', async (status, calls) => {
    const report = await runGateway({ modifiers: [answerAfter(calls, errorAnswer(status))] }, { only: MANY });
    expect(report.ending).toEqual({ kind: 'key-ended', status });
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  });

  it('leads to a login page from some call on: nothing is judged from there on', async () => {
    const page = textReply(200, 'text/html', '<!doctype html><html><title>Sign in</title></html>');
    const report = await runGateway({ modifiers: [answerAfter(12, page)] }, { only: MANY });
    expect(report.ending).toEqual({ kind: 'key-ended', status: 200 });
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  });

  it.each([0, 2])('is asked on a fresh connection, so that a run with --retries %d goes on', async (retries) => {
    const report = await runGateway({ fault: 'auth-lost-after-error' }, { retries });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome.exit).toBe(1);
    if (retries > 0) expect(brokenClauses(report)).toEqual(['auth.bearer']);
  });

  it('is no excuse for a request that is refused with 402 while the control is answered', async () => {
    const refuses: Modifier = { title: 'x', only: ({ body }) => body['top_p'] === 0, before: () => errorAnswer(402) };
    const report = await runGateway({ modifiers: [refuses] }, { only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(brokenClauses(report)).toContain('limits.top-p-in-range');
  });
});

describe('budgets', () => {
  it('--max-requests is never exceeded, whatever the concurrency', async () => {
    const gateway = await gatewayFor();
    const report = await quickRun(
      gateway.baseUrl,
      { maxRequests: 23, concurrency: 8, only: MANY },
      { full: gateway.keys.full },
    );
    expect(report.ending).toEqual({ kind: 'budget', setting: 'max-requests' });
    expect([gateway.requests.count, report.cost.used.requests]).toEqual([23, 23]);
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  });

  it('--max-completions is never exceeded', async () => {
    const report = await runGateway({}, { maxCompletions: 5, concurrency: 8, only: MANY });
    expect(report.ending).toEqual({ kind: 'budget', setting: 'max-completions' });
    expect(report.cost.used.completions).toBe(5);
    expect(report.outcome.exit).toBe(3);
  });

  it.each([1, 2, 12])('With --max-completions %d, what must be refused is still sent', async (maxCompletions) => {
    const only = [...MANY, 'streaming/*'];
    const { cost, ending, outcome, cases } = await runGateway({}, { maxCompletions, only });
    expect(ending).toEqual({ kind: 'budget', setting: 'max-completions' });
    expect(cost.used.completions).toBeLessThanOrEqual(maxCompletions);
    expect(outcome.exit).toBe(3);
    const keys = cases.flatMap(({ id, expectations }) =>
      expectations.flatMap(({ clause, verdict }) => (clause === 'auth.required' ? [{ id, verdict }] : [])),
    );
    // Without a control, a refusal on chat proves nothing.
    const judged = keys.filter(({ id }) => maxCompletions > 1 || !id.includes('chat'));
    expect(judged.length).toBeGreaterThan(10);
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  });

  it.each([
    ['auth-any-bearer-accepted', 0],
    ['auth-any-bearer-accepted', 1],
    ['auth-any-bearer-accepted', 10],
    ['auth-chat-open', 1],
    ['auth-chat-open', 10],
  ] as const)('%s is found with --max-completions %d', async (fault, maxCompletions) => {
    const report = await runGateway({ fault }, { maxCompletions, only: MANY });
    expect(report.cost.used.completions).toBeLessThanOrEqual(maxCompletions);
    expect(report.outcome.exit).toBe(1);
    expect(brokenClauses(report)).toEqual(['auth.required']);
  });

  it('If even what must be refused uses up the completions, the free requests are still sent', async () => {
    const faults = ['auth-any-bearer-accepted', 'param-top-p-above-accepted'] as const;
    const report = await runGateway({ faults }, { maxCompletions: 3, only: MANY });
    expect(report.cost.used.completions).toBe(3);
    expect(brokenClauses(report)).toEqual(['auth.required', 'limits.top-p']);
    expect(expectationOf(report, 'auth/unknown-key[chat]', 'auth.required')).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'budget' } },
    });
  });

  it('A 403 to the list says nothing if no chat request may be sent', async () => {
    const refuses: Modifier = { title: 'x', before: () => errorAnswer(403) };
    const report = await runGateway({ modifiers: [refuses] }, { maxCompletions: 0, only: FEW });
    expect(report.ending).toMatchObject({ kind: 'key-refused', status: 403 });
    expect(expectationOf(report, 'models/list', 'endpoint.models-answers')?.verdict).toBe('inconclusive');
  });

  it('A target that dies at the limit is asked for its list', async () => {
    const gateway = await gatewayFor({ modifiers: [hangUp(() => gateway.requests.log.length > 20)] });
    const changes = { maxCompletions: 4, only: MANY };
    const report = await quickRun(gateway.baseUrl, changes, { full: gateway.keys.full });
    expect(report.ending.kind).toBe('stopped-answering');
    const last = report.exchanges.findLast(({ occasion }) => occasion === 'control-again');
    expect(last?.step).toBe('models');
  });

  it('A budget that is just large enough changes nothing', async () => {
    const { cost } = await runGateway({}, { only: FEW });
    const { requests: maxRequests, completions } = cost.used;
    // One is kept for what must be refused.
    const report = await runGateway({}, { maxRequests, maxCompletions: completions + 1, only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
  });

  it('--max-time ends a run on a slow target, and the report covers the requests so far', async () => {
    // All of them take at least five seconds, and the first few far less than two on any machine.
    const report = await runGateway({ latencyMs: 250 }, { only: MANY, timeouts: { run: 2_000 } });
    expect(report.ending).toEqual({ kind: 'budget', setting: 'max-time' });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(withVerdict(report, 'pass').length).toBeGreaterThan(0);
    expect(withVerdict(report, 'fail')).toEqual([]);
  });

  it('A 503 that the run had no time to retry does not count against the target', async () => {
    const modifier: Modifier = { title: 'x', only: (call) => call.endpoint === 'chat', before: () => errorAnswer(503) };
    const report = await runGateway(
      { modifiers: [modifier] },
      { only: FEW, retryPauses: [60_000], timeouts: { run: 2_500 } },
    );
    expect(report.ending).toEqual({ kind: 'budget', setting: 'max-time' });
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(report.exchanges.map(({ id }) => id)).toContain('chat~given-up');
    expect(report.outcome.exit).toBe(3);
  });
});

describe('an interrupt', () => {
  it.each([1, 3, 20])('after %d requests still gives a report, with 130', async (after) => {
    const controller = new AbortController();
    const onProgress = ({ requests }: { readonly requests: number }) => void (requests >= after && controller.abort());
    const report = await runGateway({}, { only: MANY }, { signal: controller.signal, onProgress });
    expect(report.ending).toEqual({ kind: 'interrupted' });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 130 });
    expect(report.exchanges.length).toBeGreaterThan(0);
  });

  it('during the preflight is an interrupt, not a wrong base URL', async () => {
    const controller = new AbortController();
    const modifier: Modifier = {
      title: 'x',
      before: (call) => {
        if (call.endpoint === 'chat') controller.abort();
        return errorAnswer(404);
      },
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: FEW }, { signal: controller.signal });
    expect(report.ending).toEqual({ kind: 'interrupted' });
    expect(report.outcome.exit).toBe(130);
  });

  it('before the first request sends nothing', async () => {
    const gateway = await gatewayFor();
    const report = await quickRun(
      gateway.baseUrl,
      { only: FEW },
      { full: gateway.keys.full },
      { signal: AbortSignal.abort() },
    );
    expect(report.outcome.exit).toBe(130);
    expect(gateway.requests.count).toBe(0);
  });

  it('A failure found before it is kept', async () => {
    const controller = new AbortController();
    const onProgress = ({ requests }: { readonly requests: number }) => void (requests >= 20 && controller.abort());
    const report = await runGateway(
      { fault: 'models-owned-by-null' },
      { only: MANY },
      { signal: controller.signal, onProgress },
    );
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 130 });
  });
});

it('Whoever wants to know is told after each stage what is known, and that more is to come', async () => {
  const told: Report[] = [];
  const report = await runGateway(
    { fault: 'error-code-integer' },
    { only: FEW },
    { onStage: (soFar) => told.push(soFar) },
  );
  expect(told.length).toBeGreaterThan(2);
  const numbers = told.map(({ exchanges }) => exchanges.length);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect(told.map(({ ending }) => ending.kind)).toEqual(told.map(() => 'interrupted'));
  expect(told.at(-1)?.counts.cases).toEqual(report.counts.cases);
});

describe('--bail', () => {
  it('ends after the wave in which a must failed', async () => {
    const report = await runGateway({ fault: 'models-owned-by-null' }, { bail: true, only: FEW });
    expect(report.ending).toEqual({ kind: 'bailed', after: 'control' });
    expect(report.outcome.exit).toBe(1);
    expect(report.exchanges.map(({ id }) => id)).toEqual(['models', 'chat']);
  });

  it('does not end a run in which nothing or only a should failed', async () => {
    expect((await runGateway({}, { bail: true, only: FEW })).outcome.name).toBe('conforms-in-part');
    const warned = await runGateway({ fault: 'models-labelled-text' }, { bail: true, only: FEW });
    expect([warned.ending.kind, ...brokenClauses(warned)]).toEqual(['complete', 'wire.json-labelled']);
  });

  it('A should counts with --strict', async () => {
    const report = await runGateway({ fault: 'models-labelled-text' }, { bail: true, strict: true, only: FEW });
    expect(report.ending.kind).toBe('bailed');
    expect(report.outcome.exit).toBe(1);
  });
});
