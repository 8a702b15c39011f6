/** Warm drivers: JSON lines in any order, and drivers that hang, crash, babble or do one call after another. */
import { describe, expect, it } from 'vitest';
import { check, resultsOf, script } from '../../../test/kit/clients.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { formatReason } from '../../verdict/reason.ts';
import type { Task } from './client-answer.ts';
import { createWarmDriver } from './warm-driver.ts';

const TASK: Task = {
  scenario: 'client/plain',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'k',
  model: 'm',
  mode: 'plain',
  prompt: 'p',
  timeoutMs: 1000,
};

const ONLY = ['client/plain', 'client/plain-u*', 'client/plain-401', 'client/plain-i*'];
const play = (body: string, scenarioTimeout = 3_000) =>
  check(script(body), { isDriver: true, only: ONLY, scenarioTimeout });

it('A driver that gives no first answer is started twice, and then given up', async () => {
  let starts = 0;
  const driver = createWarmDriver({
    command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
    variables: {},
    cwd: process.cwd(),
    startLimit: 300,
    warmUp: (ask) => {
      starts += 1;
      return ask(TASK);
    },
  });
  for (let times = 0; times < 4; times++) expect(await driver.ask(TASK, 300)).toMatchObject({ kind: 'timed-out' });
  expect(starts).toBe(2);
  await driver.close();
});

it.each([
  ['no answer, but other lines', `console.log('{oops'); setInterval(() => {}, 1000)`, 'timed-out', '{oops\n'],
  ['too many other lines', `setInterval(() => console.log(('x'.repeat(999) + '\\n').repeat(2000)), 1)`, 'flooded', 'x'],
])('A driver that gives %s is judged by them', async (_, body, kind, said) => {
  const driver = createWarmDriver({
    command: [process.execPath, '-e', body],
    variables: {},
    cwd: process.cwd(),
    startLimit: kind === 'flooded' ? 30_000 : 1_500,
    warmUp: (ask) => ask(TASK),
  });
  const answer = await driver.ask(TASK, 1_500);
  expect(answer.kind).toBe(kind);
  expect(answer.said.slice(0, said.length)).toBe(said);
  expect(answer.said.length).toBeLessThanOrEqual(4096);
  await driver.close();
});

/** Every scenario but one passes. */
function othersOf(results: Readonly<Record<string, string>>, except: string) {
  return [...new Set(Object.entries(results).flatMap(([id, result]) => (id === except ? [] : [result])))];
}

describe('a warm driver', { concurrent: true }, () => {
  it('may answer in any order, and print lines of its own', async () => {
    const report =
      await play(`console.log('ready'); console.log('{"hello": 1}'); console.log('{"scenario": "client/nobody", "ok": true, "text": ""}');
      await lines((one) => setTimeout(() => reply(one), Math.random() * 100));`);
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('may say that it does not make a call', async () => {
    const report = await check(
      script(
        `await lines((one) => (one.mode === 'plain' ? reply(one) : answer({ scenario: one.scenario, unsupported: true })));`,
      ),
      { isDriver: true, only: ['client/plain', 'client/stream', 'client/stream-401', 'client/models'] },
    );
    expect(resultsOf(report)).toEqual({
      plain: 'pass pass',
      stream: 'unsupported skipped',
      'stream-401': 'unsupported skipped',
      models: 'unsupported skipped',
    });
  });

  it('that hangs in one scenario is blamed for that one only', async () => {
    const report = await play(`await lines((one) => one.scenario === 'client/plain-usage-null' || reply(one));`);
    const results = resultsOf(report);
    expect(results['plain-usage-null']).toBe('hangs warn');
    expect(othersOf(results, 'plain-usage-null')).toEqual(['pass pass']);
  });

  it('that does one call after another and blocks in one is restarted for the rest', async () => {
    const report = await play(
      `for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) { const one = JSON.parse(line);
        if (one.scenario === 'client/plain-unknown-in-usage') for (;;); await reply(one); }`,
    );
    const results = resultsOf(report);
    expect(results['plain-unknown-in-usage']).toBe('hangs fail');
    expect(othersOf(results, 'plain-unknown-in-usage')).toEqual(['pass pass']);
  });

  it('that blocks in a scenario that was sent last does not make those before it hang', async () => {
    const report = await play(`const waiting = [];
      lines((one) => waiting.push(one));
      for (;;) {
        await new Promise((go) => setTimeout(go, 300));
        const one = waiting.pop();
        if (one?.scenario === 'client/plain-unknown-in-usage') for (;;);
        if (one) await reply(one);
      }`);
    const results = resultsOf(report);
    expect(results['plain-unknown-in-usage']).toBe('hangs fail');
    expect(othersOf(results, 'plain-unknown-in-usage')).toEqual(['pass pass']);
  });

  it('that answers everything twice is judged by its first answers', async () => {
    const report = await play(`const answered = [];
      lines(async (one) => {
        for (const scenario of answered) answer({ scenario, ok: false, error: 'second' });
        await reply(one);
        answered.push(one.scenario);
      });`);
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('that answers too late is not judged by that answer when it is asked again', async () => {
    // The answer to the first task comes when the same process is asked once more, which must not happen.
    const report = await play(`const late = new Set();
      lines((one) => {
        if (one.scenario !== 'client/plain-id-absent') return reply(one);
        if (late.has(one.scenario)) return answer({ scenario: one.scenario, ok: false, error: 'late' });
        late.add(one.scenario);
      });`);
    const results = resultsOf(report);
    expect(results['plain-id-absent']).toBe('hangs warn');
    expect(othersOf(results, 'plain-id-absent')).toEqual(['pass pass']);
  });

  it('that dies of one answer is restarted for the rest', async () => {
    const report = await play(
      `await lines((one) => (one.scenario === 'client/plain-id-absent' ? call(one).then(() => process.exit(9)) : reply(one)));`,
    );
    const results = resultsOf(report);
    expect(results['plain-id-absent']).toBe('breaks warn');
    expect(othersOf(results, 'plain-id-absent')).toEqual(['pass pass']);
    expect(report.cases.find(({ id }) => id === 'client/plain-id-absent')?.client?.exit).toBe(9);
  });

  it('that dies before it makes a call is not blamed for the scenario', async () => {
    const report = await play(
      `await lines((one) => (one.scenario === 'client/plain-id-absent' ? process.exit(9) : reply(one)));`,
    );
    const results = resultsOf(report);
    expect(results['plain-id-absent']).toBe('not-started inconclusive');
    expect(othersOf(results, 'plain-id-absent')).toEqual(['pass pass']);
    const [expectation] = report.cases.find(({ id }) => id === 'client/plain-id-absent')?.expectations ?? [];
    expect(expectation?.reason && formatReason(expectation.reason)).toBe(
      'the driver ended (exit 9) before it made a call',
    );
  });

  it('that dies in every fifth scenario is started again, and a notice says so', async () => {
    const report = await play(`let count = 0;
      await lines((one) => (++count === 5 ? process.exit(9) : reply(one)));`);
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
    const [notice] = report.notices;
    expect(notice && formatNotice(notice)).toMatch(/^The driver ended by itself \(exit 9\).* and was started again\.$/);
  });

  it('that ends after each answer is told from one that makes no call', async () => {
    const report = await play(`lines((one) => reply(one).then(() => process.exit(0)));`);
    expect(report.ending).toMatchObject({
      kind: 'client-failed-control',
      how: 'ended',
      calls: ['POST /chat/completions'],
    });
  });

  it.each([
    ['an endless line', `process.stdout.write('x'.repeat(3e6))`],
    ['an answer without a text', `answer({ scenario: one.scenario, ok: true })`],
  ])('that answers the control with %s is not judged', async (_, body) => {
    const report = await play(`setInterval(() => {}, 1000); await lines((one) => { ${body} });`, 1_500);
    expect(report.ending.kind).toBe('client-failed-control');
  });
});
