/** Whole checks of clients, with real processes and servers. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../contract/file-schema.ts';
import { adviseOnEnding } from '../exchange/ending.ts';
import { CAREFUL_DRIVER, CAREFUL_PROCESS, check, resultsOf, script } from '../../test/kit/clients.ts';
import { IS_POSIX } from '../../test/kit/platform.ts';
import { temporaryFolder } from '../../test/kit/recording.ts';

describe('a careful client', () => {
  it('passes every scenario as a driver, in little time', async () => {
    const report = await check(CAREFUL_DRIVER, { isDriver: true, strict: true });
    expect(report.cases.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'conforms', exit: 0 });
    const time = Date.parse(report.provenance.endedAt) - Date.parse(report.provenance.startedAt);
    expect(time).toBeLessThan(25_000);
    checkFile('report', { file: 'report.json', value: JSON.parse(JSON.stringify(report)) });
  });

  it('passes as a process, with the bytes and its output as evidence', async () => {
    const report = await check(CAREFUL_PROCESS, { only: ['client/stream-crlf', 'client/models', 'client/plain-401'] });
    expect(resultsOf(report)).toEqual({ 'stream-crlf': 'pass pass', models: 'pass pass', 'plain-401': 'pass pass' });
    const [stream] = report.cases;
    expect(stream?.client?.said.quote).toBe(stream?.client?.text);
    expect(stream?.client?.text).toMatch(/^The word is [a-z]{8}\.$/);
    expect(stream?.repeat).toMatch(
      /^npx --no-install wirecheck client --only client\/stream-crlf --scenario-timeout 5s --out none -- /,
    );
    const exchange = report.exchanges.find(({ id }) => id === stream?.exchange);
    expect(exchange?.attempts[0]?.answer?.body.text).toContain('"chat.completion.chunk"');
    expect(exchange?.attempts[0]?.answer?.body.text).toContain('\r\n\r\n');
    expect(exchange?.body).toContain('"stream":true');
  });
});

describe('a client that fails the plain control', { concurrent: true }, () => {
  it.each([
    ['prints nothing', `await call(task)`, 'no-text'],
    ['makes no call', `console.log('The word is xxxxxxxx.')`, 'no-request'],
    ['fails', `await call(task); throw new Error('no')`, 'failed'],
    ['prints another text', `console.log('> ' + await call(task))`, 'wrong-text'],
    ['calls another endpoint', `await fetch(task.baseUrl + '/responses', { method: 'POST' })`, 'no-request'],
    ['floods its output', `await call(task); process.stdout.write('x'.repeat(3e6))`, 'flooded'],
    ['hangs', `await call(task); setInterval(() => {}, 1000)`, 'no-result'],
  ])('is not judged: it %s', async (_, body, how) => {
    const report = await check(script(body), {
      only: ['client/plain*'],
      scenarioTimeout: how === 'no-result' ? 4_000 : 20_000,
    });
    expect(report.ending).toMatchObject({ kind: 'client-failed-control', how });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(new Set(report.cases.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  it.each([
    [
      'the text that it printed and that of the reply, with white space that differs',
      `console.log(await call(task) + '\\n')`,
      /It printed "(The word is \w+\.)\\n"\. The reply is "\1"\. It called POST \/chat\/completions\./,
    ],
    ['the exit code', `process.exit(7)`, /It exited with 7\. It sent no request at all\./],
    [
      'that it asked for a stream',
      `console.log(await call({ ...task, mode: 'stream' }))`,
      /It called POST \/chat\/completions \(streamed\)\./,
    ],
  ])('is told %s', async (_, body, sentence) => {
    const report = await check(script(body), { only: ['client/plain'] });
    expect(adviseOnEnding(report)).toMatch(sentence);
  });

  it.each([
    ['a driver that found no line on stdin', `console.error('ready'); await lines(reply)`, true],
    ['a client that printed a text', `console.log('no')`, false],
    ['a client that called something', `await fetch(task.baseUrl + '/responses', { method: 'POST' })`, false],
    ['a client that failed', `process.exit(7)`, false],
  ])('is told of --driver if it may be one: %s', async (_, body, isTold) => {
    const report = await check(script(body), { only: ['client/plain'] });
    expect(/If it is a driver, add --driver/.test(adviseOnEnding(report) ?? '')).toBe(isTold);
  });

  it('is not told of --driver if it is one', async () => {
    const body = `await lines((one) => answer({ scenario: one.scenario, ok: true, text: '' }))`;
    const report = await check(script(body), { only: ['client/plain'], isDriver: true });
    expect(report.ending).toMatchObject({ kind: 'client-failed-control', how: 'no-request', calls: [] });
    expect(adviseOnEnding(report)).not.toContain('--driver');
  });

  it.runIf(IS_POSIX)('is told the signal', async () => {
    const report = await check(script(`process.kill(process.pid, 'SIGSEGV')`), { only: ['client/plain'] });
    expect(adviseOnEnding(report)).toMatch(/It was terminated by SIGSEGV\. It sent no request at all\./);
  });

  it('is not judged: it cannot be started', async () => {
    const report = await check(['./no-such-client']);
    expect(report.ending).toEqual({ kind: 'client-not-started', command: './no-such-client', code: 'ENOENT' });
    expect(report.outcome.exit).toBe(3);
  });
});

describe('what a client makes of a scenario', { concurrent: true }, () => {
  const FEW = ['client/plain', 'client/stream', 'client/stream-crlf', 'client/plain-401', 'client/stream-cut'];

  it('is silent where a failure is shown as success', async () => {
    const report = await check(script(`console.log(await call(task).catch(() => 'Sorry.'))`), { only: FEW });
    expect(resultsOf(report)).toMatchObject({ 'plain-401': 'silent fail', 'stream-cut': 'silent warn' });
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
  });

  it('breaks where a legal answer is taken for a failure, and is wrong where the text differs', async () => {
    const client = `const text = await call(task); console.log(task.mode === 'stream' ? text.toUpperCase() : text);`;
    const report = await check(script(client), { only: FEW });
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
    const report = await check(script(`console.log(await call({ ...task, mode: 'plain' }))`), {
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
    const retrying = `for (;;) { try { console.log(await call(task)); break; } catch { await new Promise((go) => setTimeout(go, 200)); } }`;
    const hanging = `call(task).then((text) => console.log(text), () => setInterval(() => {}, 1000))`;
    const settings = { only: ['client/plain-500', 'client/plain-401'], scenarioTimeout: 4_000 };
    const [again, never] = await Promise.all([check(script(retrying), settings), check(script(hanging), settings)]);
    expect(resultsOf(again)).toEqual({ 'plain-500': 'retrying observed', 'plain-401': 'retrying observed' });
    expect(resultsOf(never)).toEqual({ 'plain-500': 'hangs warn', 'plain-401': 'hangs fail' });
  });

  it('is asked for alone once more where it does not come in time beside others', async () => {
    const lock = join(temporaryFolder(), 'lock');
    // It works only if nobody else does.
    const client = `const { openSync, rmSync } = await import('node:fs');
      try { openSync('${lock}', 'wx'); } catch { setInterval(() => {}, 1000); await new Promise(() => {}); }
      try { console.log(await call(task)); await new Promise((go) => setTimeout(go, 300)); } finally { rmSync('${lock}'); }`;
    // A call has half of the time: enough of it on a busy machine, too.
    const settings = { only: ['client/plain-u*', 'client/plain-401'], concurrency: 2, scenarioTimeout: 12_000 };
    const report = await check(script(client), settings);
    expect([...new Set(Object.values(resultsOf(report)))]).toEqual(['pass pass']);
  });

  it('passes a stall where the client makes the failure known after a retry', async () => {
    // It waits for the server, which holds the first call for three fifths of the limit. The rest is enough for another
    // call, even on a busy machine.
    const client = `const ask = () => call({ ...task, timeoutMs: 60_000 }); console.log(await ask().catch(ask));`;
    const report = await check(script(client), {
      only: ['client/plain-stall', 'client/stream-stall'],
      scenarioTimeout: 12_000,
    });
    expect(resultsOf(report)).toEqual({ 'plain-stall': 'pass pass', 'stream-stall': 'pass pass' });
  });

  it('is a bad request where what it sends breaks a clause, whatever it understands', async () => {
    const client = `const got = await fetch(task.baseUrl + '/chat/completions', { method: 'POST', headers: { 'x-api-key': task.apiKey },
      body: JSON.stringify({ model: 5, max_tokens: 0, messages: [{ role: 'user', content: 'Hi' }] }) });
      console.log((await got.json()).choices[0].message.content);`;
    const report = await check(script(client), { only: ['client/plain', 'client/request-*'] });
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
    const report = await check(
      script(`if (task.mode === 'stream') setInterval(() => {}, 1000); else console.log(await call(task))`),
      { scenarioTimeout: 20_000 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(report.outcome.exit).toBe(130);
    expect(report.ending).toEqual({ kind: 'interrupted' });
    // What the client did when it was ended does not count.
    expect(report.cases.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  });
});
