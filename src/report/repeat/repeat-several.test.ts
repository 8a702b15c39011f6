/** Findings that take several answers to see: pasted, their commands show them again. */
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../../test/kit/command.ts';
import { gatewayFor, quickRun, respondJson, serverFor } from '../../../test/kit/real-run.ts';
import { CHAT_EXCHANGE, hasCurl, inShell } from '../../../test/kit/repeat-command.ts';
import type { FaultId } from '../../gateway/index.ts';
import { formatFinding } from '../../render/finding-text.ts';
import { foldFindings } from '../../render/fold.ts';
import { curlSequence } from './repeat-command.ts';
import type { Report } from '../report.ts';

async function runOn(fault: FaultId, ...only: readonly string[]) {
  const gateway = await gatewayFor({ faults: [fault] });
  return { gateway, report: await quickRun(gateway.baseUrl, { only }, gateway.keys) };
}

function repeatOf(report: Report, isShown: (text: string) => boolean): string {
  const texts = foldFindings(report).map((entry) => formatFinding(report, entry));
  return texts.find(({ actual = '' }) => isShown(actual))?.repeat ?? '';
}

async function paste(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await inShell('/bin/sh', ['-c', command], { env: { PATH: process.env['PATH'], ...env } });
  return stdout;
}

describe.skipIf(!hasCurl)('pasted into a shell (needs curl)', () => {
  it('the command for a sequence sends all of it on one connection', async () => {
    const [bodies, sockets]: [string[], Set<unknown>] = [[], new Set()];
    const origin = await serverFor((request, response) => {
      sockets.add(request.socket);
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => respondJson(response, bodies.length === 1 ? 400 : 200, {}));
    });
    const sent = ['{"a":"it\'s"}', '{"b":"ש\u200D%\n"}', '{"c":1}'];
    const exchanges = sent.map((body) => ({ ...CHAT_EXCHANGE, body }));
    const command = curlSequence(exchanges, { baseUrl: `${origin}/v1`, settings: {}, seed: 7 }) ?? '';
    const output = await paste(command, { WIRECHECK_API_KEY: 'sk-service-paste0me0again' });
    expect(output.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    expect([bodies, sockets.size]).toEqual([sent, 1]);
  });

  it('the command for a repeated id gets two completions with this id', async () => {
    const { gateway, report } = await runOn('chat-id-constant', 'chat/*');
    const repeat = repeatOf(report, (actual) => actual.includes('the same as in the answer to chat'));
    const output = await paste(repeat, { WIRECHECK_API_KEY: gateway.keys.full });
    expect(output.match(/"id":"chatcmpl-0"/g)).toHaveLength(2);
  });

  it('the command for the body of a 429 calls until it comes', async () => {
    const { report } = await runOn('error-type-missing-429', 'auth/limited-key', 'errors/*');
    const repeat = repeatOf(report, () => true);
    // The gateway allows another call each second: on a busy machine, four calls take longer.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const again = await gatewayFor({ faults: ['error-type-missing-429'] });
    const output = await paste(repeat.replaceAll(report.target.baseUrl, again.baseUrl), {
      WIRECHECK_LIMITED_KEY: again.keys.limited,
    });
    expect(output).toContain('429 Too Many Requests');
  });

  it('the command for a key that is accepted only without its scheme shows both answers', async () => {
    const origin = await serverFor((request, response) => {
      const isBare = !request.headers.authorization?.includes(' ');
      if (isBare) respondJson(response, 200, { object: 'list', data: [{ id: 'm' }] });
      else respondJson(response, 401, { error: { message: 'No.', type: 'a', code: 'b' } });
    });
    const key = 'sk-service-paste0me0again';
    const report = await quickRun(`${origin}/v1`, { only: ['auth/*'] }, { full: key });
    const repeat = repeatOf(report, (actual) => actual.startsWith('401, but 200'));
    const output = await paste(repeat, { WIRECHECK_API_KEY: key });
    expect(output.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

it('a sequence that is too long, or that no argument can hold, has no curl command', () => {
  const commandFor = (body: string): string | undefined =>
    curlSequence([{ ...CHAT_EXCHANGE, body }], { baseUrl: 'http://127.0.0.1/v1', settings: {}, seed: 7 });
  expect(commandFor('{}')).toMatch(/^curl -sS -i /);
  expect([commandFor('x'.repeat(4_000)), commandFor('{}\n'), commandFor('a\0b')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('the command for the body of an error sends only the case that got it', async () => {
  const { gateway, report } = await runOn('error-large-body-html', 'parameters/large-body', 'errors/*');
  const repeat = repeatOf(report, (actual) => actual.includes('413'));
  expect(repeat).toMatch(/ run \S+ --only parameters\/large-body .*--out none$/);
  const words = repeat.slice(repeat.indexOf('run ')).replaceAll("'", '').split(' ');
  const { exit, stdout } = await runCommand(words, tmpdir(), { WIRECHECK_API_KEY: gateway.keys.full });
  expect(exit).toBe(1);
  expect(stdout).toContain('413');
  expect(Number(/(\d+) requests/.exec(stdout)?.[1])).toBeLessThan(10);
});

it('the command for a mixed-up reply sends many requests at once, and keeps the report of the run', async () => {
  const { gateway, report } = await runOn('reply-of-another-call', 'chat/*');
  const repeat = repeatOf(report, (actual) => actual.includes('random word'));
  expect(repeat).toMatch(/ run \S+ --only 'chat\/parallel\*' .*--parallel 24 .*--out none$/);
  const words = repeat.slice(repeat.indexOf('run ')).replaceAll("'", '').split(' ');
  const { exit, stdout } = await runCommand(words, tmpdir(), { WIRECHECK_API_KEY: gateway.keys.full });
  expect(exit).toBe(1);
  expect(stdout).toContain('✗ chat/parallel');
});
