/** Whole checks of clients, with real servers. Where no process is the point, the client is in this one. */
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../contract/file-schema.ts';
import { CAREFUL_PROCESS, check, resultsOf } from '../../../test/kit/clients.ts';
import { call } from '../../../test/kit/clients/careful-client.mjs';
import { type ClientBody, forEver } from '../../../test/kit/in-process-client.ts';

describe('a careful client', () => {
  it('passes every scenario as a driver, which is started once and makes several calls at a time', async () => {
    let starts = 0;
    let calls = 0;
    let most = 0;
    const driver: ClientBody = ({ lines, reply }) => {
      starts += 1;
      return lines(async (task) => {
        most = Math.max(most, ++calls);
        await reply(task);
        calls -= 1;
      });
    };
    const report = await check(driver, { isDriver: true, strict: true, scenarioTimeout: 12_000 });
    const others = report.cases.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    // It never sends a parameter that has limits.
    expect(others).toMatchObject([{ id: 'client/request-limits', verdict: 'skipped' }]);
    expect(report.outcome).toMatchObject({ name: 'conforms', exit: 0, mustIdle: 1 });
    expect(starts).toBe(1);
    // Three scenarios take seconds, as they stall.
    expect(most).toBeGreaterThanOrEqual(3);
    checkFile('report', { file: 'report.json', value: JSON.parse(JSON.stringify(report)) });
  });

  it('passes as a process, with the bytes and its output as evidence', async () => {
    const report = await check(CAREFUL_PROCESS, { only: ['client/stream-crlf', 'client/models', 'client/plain-401'] });
    expect(resultsOf(report)).toEqual({ 'stream-crlf': 'pass pass', models: 'pass pass', 'plain-401': 'pass pass' });
    const [stream] = report.cases;
    expect(stream?.client?.said.quote).toBe(stream?.client?.text);
    expect(stream?.client?.text).toMatch(/^The word is [a-z]{8}\.$/);
    expect(stream?.repeat).toMatch(
      /^npx --no-install wirecheck client --only client\/stream-crlf --scenario-timeout 20s --out none -- /,
    );
    const exchange = report.exchanges.find(({ id }) => id === stream?.exchange);
    expect(exchange?.attempts[0]?.answer?.body.text).toContain('"chat.completion.chunk"');
    expect(exchange?.attempts[0]?.answer?.body.text).toContain('\r\n\r\n');
    expect(exchange?.body).toContain('"stream":true');
  });
});

describe('what a client makes of a scenario', { concurrent: true }, () => {
  const FEW = ['client/plain', 'client/stream', 'client/stream-crlf', 'client/plain-401', 'client/stream-cut'];

  it('is silent where a failure is shown as success', async () => {
    const report = await check(async ({ task, print }) => print(await call(task).catch(() => 'Sorry.')), { only: FEW });
    expect(resultsOf(report)).toMatchObject({ 'plain-401': 'silent fail', 'stream-cut': 'silent warn' });
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
  });

  it('breaks where a legal answer is taken for a failure, and is wrong where the text differs', async () => {
    const shout: ClientBody = async ({ task, print }) => {
      const text = await call(task);
      print(task.mode === 'stream' ? text.toUpperCase() : text);
    };
    const report = await check(shout, { only: FEW });
    // The simplest stream is already wrong, so that other streams say nothing more.
    expect(resultsOf(report)).toMatchObject({
      stream: 'wrong-text warn',
      'stream-crlf': '- skipped',
      'stream-cut': '- skipped',
    });
    expect(report.cases[2]?.expectations[0]?.reason).toMatchObject({
      kind: 'see-clause',
      clause: 'client.streamed-reply',
    });
  });

  it('is unsupported where the client makes another call than it was asked for', async () => {
    const report = await check(async ({ task, print }) => print(await call({ ...task, mode: 'plain' })), {
      only: [...FEW, 'client/models'],
    });
    expect(resultsOf(report)).toMatchObject({
      plain: 'pass pass',
      stream: 'unsupported skipped',
      models: 'unsupported skipped',
    });
    expect(report.outcome.exit).toBe(0);
  });

  it('hangs where the client never ends, and is retrying where it calls again and again', async () => {
    const retrying: ClientBody = async ({ task, print }) => {
      const ask = (): Promise<string> => call(task).catch(() => new Promise((go) => setTimeout(go, 50)).then(ask));
      print(await ask());
    };
    const hanging: ClientBody = async ({ task, print }) => print(await call(task).catch(forEver));
    const settings = { only: ['client/plain-500', 'client/plain-401'], scenarioTimeout: 3_000 };
    const [again, never] = await Promise.all([check(retrying, settings), check(hanging, settings)]);
    expect(resultsOf(again)).toEqual({ 'plain-500': 'retrying observed', 'plain-401': 'retrying observed' });
    expect(resultsOf(never)).toEqual({ 'plain-500': 'hangs warn', 'plain-401': 'hangs fail' });
  });

  it('is asked for alone once more where it does not come in time beside others', async () => {
    let running = 0;
    let hung = 0;
    const unsociable: ClientBody = async ({ task, print, ended }) => {
      running += 1;
      void ended.then(() => (running -= 1));
      if (running > 1 && ++hung) await forEver();
      print(await call(task));
    };
    const report = await check(unsociable, {
      only: ['client/plain-unicode', 'client/plain-usage-null', 'client/plain-401'],
      concurrency: 3,
      scenarioTimeout: 3_000,
    });
    expect(hung).toBeGreaterThan(0);
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('passes a stall where the client makes the failure known after a retry', async () => {
    // It waits for the server, which holds the first call for three fifths of the limit. The rest is enough for another
    // call, even on a busy machine.
    const patient: ClientBody = async ({ task, print }) => {
      const ask = () => call({ ...task, timeoutMs: 60_000 });
      print(await ask().catch(ask));
    };
    const report = await check(patient, {
      only: ['client/plain-stall', 'client/stream-stall'],
      scenarioTimeout: 8_000,
    });
    expect(resultsOf(report)).toEqual({ 'plain-stall': 'pass pass', 'stream-stall': 'pass pass' });
  });

  it('is a bad request where what it sends breaks a clause, whatever it understands', async () => {
    const client: ClientBody = async ({ task, print }) => {
      const got = await fetch(`${task.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': task.apiKey },
        body: JSON.stringify({ model: 5, max_tokens: 0, messages: [{ role: 'user', content: 'Hi' }] }),
      });
      const { choices } = (await got.json()) as {
        readonly choices: [{ readonly message: { readonly content: string } }];
      };
      print(choices[0].message.content);
    };
    const report = await check(client, { only: ['client/plain', 'client/request-*'] });
    expect(resultsOf(report)).toMatchObject({
      plain: 'pass pass',
      'request-bearer': 'bad-request fail',
      'request-content-type': 'bad-request fail',
      'request-json-body': 'pass pass',
      'request-fields': 'bad-request fail',
      'request-limits': 'bad-request fail',
    });
  });

  it('a run that is interrupted after its first scenario has a report of what was done, and ends every process', async () => {
    const stop = new AbortController();
    const ends: Promise<unknown>[] = [];
    const report = await check(
      async ({ task, print, ended }) => {
        ends.push(ended);
        if (task.mode === 'plain') return print(await call(task));
        stop.abort();
        return forEver();
      },
      { scenarioTimeout: 50_000 },
      { signal: stop.signal },
    );
    expect(await Promise.all(ends)).toEqual([
      { kind: 'exited', exit: 0 },
      { kind: 'killed', signal: 'SIGKILL' },
      { kind: 'killed', signal: 'SIGKILL' },
    ]);
    expect(report.outcome.exit).toBe(130);
    expect(report.ending).toEqual({ kind: 'interrupted' });
    // What the client did when it was ended does not count.
    expect(report.cases.find(({ id }) => id === 'client/plain')?.verdict).toBe('pass');
    expect(report.cases.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  });
});
