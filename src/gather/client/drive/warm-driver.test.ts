/** Warm drivers: JSON lines in any order, and drivers that hang, crash, babble or do one call after another. */
import { describe, expect, it } from 'vitest';
import { check, resultsOf, script } from '../../../../test/kit/clients.ts';
import { call } from '../../../../test/kit/clients/careful-client.mjs';
import { type ClientBody, forEver, startBody } from '../../../../test/kit/in-process-client.ts';
import { formatNotice } from '../../../exchange/notice.ts';
import type { Report } from '../../../report/report.ts';
import { formatReason } from '../../../verdict/reason.ts';
import { DEFAULT_CLIENT_SETTINGS } from '../client-setup.ts';
import { createWarmDriver, type Task } from './drivers.ts';

const CALL = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', model: 'm', mode: 'plain', prompt: 'p' } as const;
const TASK: Task = { ...CALL, scenario: 'client/plain', timeoutMs: 1000 };

const ONLY = ['plain', 'plain-unknown-in-usage', 'plain-usage-null', 'plain-id-absent', 'plain-unicode', 'plain-401'];
const play = (client: ClientBody | readonly string[], scenarioTimeout = 20_000) =>
  check(client, { isDriver: true, only: ONLY.map((id) => `client/${id}`), scenarioTimeout });
/** Scenarios under way after the control. */
const SIDE_BY_SIDE = DEFAULT_CLIENT_SETTINGS.concurrency;
const isControl = ({ scenario }: Task) => scenario === 'client/warm-up' || scenario === 'client/plain';
/** Milliseconds, for drivers that hang: enough for the calls that they make in this process. */
const SHORT = 3_000;

const driverOf = (body: ClientBody, startLimit: number) =>
  createWarmDriver({
    command: ['in-process'],
    variables: {},
    cwd: process.cwd(),
    start: startBody(body),
    startLimit,
    warmUp: (ask) => ask(TASK),
  });

it('A driver that gives no first answer is started twice, and then given up', async () => {
  let starts = 0;
  const driver = driverOf(() => {
    starts += 1;
    return forEver();
  }, 50);
  for (let times = 0; times < 4; times++) expect(await driver.ask(TASK, 50)).toMatchObject({ kind: 'timed-out' });
  expect(starts).toBe(2);
  await driver.close();
});

const babble: ClientBody = ({ write }) => {
  for (let times = 0; times < 12; times++) write(`${'x'.repeat(999)}\n`.repeat(2000));
  return forEver();
};

it.each<[string, ClientBody, string, string]>([
  ['no answer, but other lines', ({ print }) => (print('{oops'), forEver()), 'timed-out', '{oops\n'],
  ['too many other lines', babble, 'flooded', 'x'],
])('A driver that gives %s is judged by them', async (_, body, kind, said) => {
  const driver = driverOf(body, kind === 'flooded' ? 30_000 : 100);
  const answer = await driver.ask(TASK, 100);
  expect(answer.kind).toBe(kind);
  expect(answer.said.slice(0, said.length)).toBe(said);
  expect(answer.said.length).toBeLessThanOrEqual(4096);
  await driver.close();
});

/** Every scenario passes, but for this one. */
function expectAllBut(id: string, result: unknown, report: Report): void {
  const { [id]: own, ...others } = resultsOf(report);
  expect(own).toEqual(result);
  expect([...new Set(Object.values(others))]).toEqual(['pass pass']);
}

describe('a warm driver', { concurrent: true }, () => {
  it('is a process that is ended where it blocks, and started again where it blocks, crashes or floods', async () => {
    const report = await play(
      script(`const odd = {
          'client/plain-unknown-in-usage': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
          'client/plain-id-absent': (one) => call(one).then(() => process.exit(9)),
          'client/plain-usage-null': (one) => call(one).then(() => process.stdout.write('x'.repeat(3e6))),
        };
        await lines((one) => (odd[one.scenario] ?? reply)(one));`),
      8_000,
    );
    expect(resultsOf(report)).toEqual({
      plain: 'pass pass',
      'plain-unknown-in-usage': 'hangs fail',
      'plain-usage-null': 'wrong-text warn',
      'plain-id-absent': 'breaks warn',
      'plain-unicode': 'pass pass',
      'plain-401': 'pass pass',
    });
  });

  it('may answer in any order, and print lines of its own', async () => {
    const report = await play(({ print, answer, lines, reply }) => {
      print('ready');
      print('{"hello": 1}');
      answer({ scenario: 'client/nobody', ok: true, text: '' });
      const held: Task[] = [];
      return lines(async (task) => {
        if (isControl(task) || held.length === SIDE_BY_SIDE) return reply(task);
        held.push(task);
        if (held.length === SIDE_BY_SIDE) for (const last of held.toReversed()) await reply(last);
      });
    });
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('may say that it does not make a call', async () => {
    const report = await check(
      ({ lines, reply, answer }) =>
        lines((task) => (task.mode === 'plain' ? reply(task) : answer({ scenario: task.scenario, unsupported: true }))),
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
    const report = await play(
      ({ lines, reply }) => lines((task) => task.scenario === 'client/plain-usage-null' || reply(task)),
      SHORT,
    );
    expectAllBut('plain-usage-null', 'hangs warn', report);
  });

  it('that does one call after another and blocks in one is restarted for the rest', async () => {
    const report = await play(({ lines, reply }) => {
      let done: Promise<void> = Promise.resolve();
      return lines((task) => {
        done = done.then(() => (task.scenario === 'client/plain-unknown-in-usage' ? forEver() : reply(task)));
      });
    }, SHORT);
    expectAllBut('plain-unknown-in-usage', 'hangs fail', report);
  });

  it('that blocks in a scenario that was sent last does not make those before it hang', async () => {
    const asked: string[] = [];
    const report = await play(({ lines, reply }) => {
      const isFirst = asked.length === 0;
      return lines((task) => {
        if (isControl(task)) return reply(task);
        // The first process has begun with nothing when the last comes, and begins with the last.
        if (isFirst) return asked.push(task.scenario);
        return task.scenario === asked.at(-1) || reply(task);
      });
    }, SHORT);
    expect(asked).toHaveLength(SIDE_BY_SIDE);
    const last = asked.at(-1)?.replace('client/', '') ?? '';
    expectAllBut(last, expect.stringMatching(/^hangs (?:warn|fail)$/), report);
  });

  it('that answers everything twice is judged by its first answers', async () => {
    const report = await play(({ lines, reply, answer }) => {
      const answered: string[] = [];
      return lines(async (task) => {
        for (const scenario of answered) answer({ scenario, ok: false, error: 'second' });
        await reply(task);
        answered.push(task.scenario);
      });
    });
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('that answers too late is not judged by that answer when it is asked again', async () => {
    // The answer to the first task comes when the same process is asked once more, which must not happen.
    const report = await play(({ lines, reply, answer }) => {
      const late = new Set<string>();
      return lines((task) => {
        if (task.scenario !== 'client/plain-id-absent') return reply(task);
        if (late.has(task.scenario)) return answer({ scenario: task.scenario, ok: false, error: 'late' });
        return late.add(task.scenario);
      });
    }, SHORT);
    expectAllBut('plain-id-absent', 'hangs warn', report);
  });

  it('that dies of one answer is restarted for the rest', async () => {
    const report = await play(({ lines, reply, exit }) =>
      lines((task) => (task.scenario === 'client/plain-id-absent' ? call(task).then(() => exit(9)) : reply(task))),
    );
    expectAllBut('plain-id-absent', 'breaks warn', report);
    expect(report.cases.find(({ id }) => id === 'client/plain-id-absent')?.client?.exit).toBe(9);
  });

  it('that dies before it makes a call is not blamed for the scenario', async () => {
    const report = await play(({ lines, reply, exit }) =>
      lines((task) => (task.scenario === 'client/plain-id-absent' ? exit(9) : reply(task))),
    );
    expectAllBut('plain-id-absent', 'not-started inconclusive', report);
    const [expectation] = report.cases.find(({ id }) => id === 'client/plain-id-absent')?.expectations ?? [];
    expect(expectation?.reason && formatReason(expectation.reason)).toBe(
      'the driver ended (exit 9) before it made a call',
    );
  });

  it('that dies in every fifth scenario is started again, and a notice says so', async () => {
    const report = await play(({ lines, reply, exit }) => {
      let count = 0;
      return lines((task) => (++count === 5 ? exit(9) : reply(task)));
    });
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
    const [notice] = report.notices;
    expect(notice && formatNotice(notice)).toMatch(/^The driver ended by itself \(exit 9\).* and was started again\.$/);
  });

  it('that ends after each answer is told from one that makes no call', async () => {
    // It takes a process a while to end: the next task has been sent by then.
    const report = await play(({ lines, reply, exit }) => {
      let hasAnswered = false;
      return lines((task) => (hasAnswered ? exit(0) : reply(task).then(() => (hasAnswered = true))));
    });
    expect(report.ending).toMatchObject({
      kind: 'client-failed-control',
      how: 'ended',
      calls: ['POST /chat/completions'],
    });
  });

  it.each<[string, ClientBody]>([
    ['an endless line', ({ lines, write }) => lines(() => write('x'.repeat(3e6)))],
    ['an answer without a text', ({ lines, answer }) => lines(({ scenario }) => answer({ scenario, ok: true }))],
  ])('that answers the control with %s is not judged', async (_, body) => {
    expect((await play(body)).ending.kind).toBe('client-failed-control');
  });
});
