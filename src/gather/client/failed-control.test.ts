/** Clients that are not judged, and what they are told. */
import { describe, expect, it } from 'vitest';
import { check, script } from '../../../test/kit/clients.ts';
import { call } from '../../../test/kit/clients/careful-client.mjs';
import { type ClientBody, forEver } from '../../../test/kit/in-process-client.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';

const callOther: ClientBody = ({ task }) => fetch(`${task.baseUrl}/responses`, { method: 'POST' });

describe('a client that fails the plain control', { concurrent: true }, () => {
  it.each<[string, ClientBody, string]>([
    ['prints nothing', ({ task }) => call(task), 'no-text'],
    ['makes no call', ({ print }) => print('The word is xxxxxxxx.'), 'no-request'],
    ['fails', ({ task }) => call(task).then(() => Promise.reject(new Error('no'))), 'failed'],
    ['prints another text', async ({ task, print }) => print(`> ${await call(task)}`), 'wrong-text'],
    ['calls another endpoint', callOther, 'no-request'],
    ['floods its output', ({ task, write }) => call(task).then(() => write('x'.repeat(3e6))), 'flooded'],
    ['hangs', forEver, 'no-result'],
  ])('is not judged: it %s', async (_, body, how) => {
    const limit = how === 'no-result' ? { scenarioTimeout: 500 } : {};
    const report = await check(body, { only: ['client/plain*'], ...limit });
    expect(report.ending).toMatchObject({ kind: 'client-failed-control', how });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(new Set(report.cases.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  it.each<[string, ClientBody, RegExp]>([
    [
      'the text that it printed and that of the reply, with white space that differs',
      async ({ task, print }) => print(`${await call(task)}\n`),
      /It printed "(The word is \w+\.)\\n"\. The reply is "\1"\. It called POST \/chat\/completions\./,
    ],
    ['the exit code', ({ exit }) => exit(7), /It exited with 7\. It sent no request at all\./],
    ['the signal', ({ exit }) => exit('SIGSEGV'), /It was terminated by SIGSEGV\. It sent no request at all\./],
    [
      'that it asked for a stream',
      async ({ task, print }) => print(await call({ ...task, mode: 'stream' })),
      /It called POST \/chat\/completions \(streamed\)\./,
    ],
  ])('is told %s', async (_, body, sentence) => {
    const report = await check(body, { only: ['client/plain'] });
    expect(adviseOnEnding(report)).toMatch(sentence);
  });

  it.each<[string, ClientBody | readonly string[], boolean]>([
    // A process: its stdin has to be empty.
    ['a driver that found no line on stdin', script(`console.error('ready'); await lines(reply)`), true],
    ['a client that printed a text', ({ print }) => print('no'), false],
    ['a client that called something', callOther, false],
    ['a client that failed', ({ exit }) => exit(7), false],
  ])('is told of --driver if it may be one: %s', async (_, body, isTold) => {
    const report = await check(body, { only: ['client/plain'] });
    expect(/If it is a driver, add --driver/.test(adviseOnEnding(report) ?? '')).toBe(isTold);
  });

  it('is not told of --driver if it is one', async () => {
    const report = await check(
      ({ lines, answer }) => lines(({ scenario }) => answer({ scenario, ok: true, text: '' })),
      { only: ['client/plain'], isDriver: true },
    );
    expect(report.ending).toMatchObject({ kind: 'client-failed-control', how: 'no-request', calls: [] });
    expect(adviseOnEnding(report)).not.toContain('--driver');
  });

  it('is not judged: it cannot be started', async () => {
    const report = await check(['./no-such-client']);
    expect(report.ending).toEqual({ kind: 'client-not-started', command: './no-such-client', code: 'ENOENT' });
    expect(report.outcome.exit).toBe(3);
  });
});
