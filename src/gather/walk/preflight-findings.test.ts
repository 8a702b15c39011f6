import { describe, expect, it } from 'vitest';
import { jsonReply, textReply } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import { letPass } from '../../gateway/change-answer.ts';
import { isModels } from '../../gateway/call-tests.ts';
import type { Modifier } from '../../gateway/index.ts';
import {
  brokenClauses,
  expectationOf,
  gatewayFor,
  KEY,
  quickRun,
  respondJson,
  runGateway,
  serverFor,
  withVerdict,
} from '../../../test/kit/real-run.ts';

/** Something of the list, of keys and of chat: what else a run would ask shows no more here. */
const FEW = ['models/*', 'auth/missing-key*', 'chat/reply', 'parameters/temperature-out-of-range[just-above]'];

describe('an API that answers wrongly', () => {
  const pages: readonly [string, Modifier['before'], readonly string[]][] = [
    [
      'is not there',
      () => jsonReply(404, { error: { message: 'm', type: 't', code: 'c' } }),
      ['endpoint.models-answers'],
    ],
    [
      'redirects',
      () => ({ ...textReply(301, '', ''), headers: { location: '/v1/models/' } }),
      ['endpoint.models-answers'],
    ],
    ['is a page', () => textReply(200, 'text/html', '<html>'), ['endpoint.models-json']],
    ['has no data', () => jsonReply(200, { object: 'list', models: [] }), ['list.data']],
    ['has data of another type', () => jsonReply(200, { object: 'list', data: { a: 1 } }), ['list.data']],
  ];

  const withKey = (answer: Modifier['before']): Modifier => ({
    title: 'x',
    only: (call: Call) => isModels(call) && call.bearer !== undefined && !call.bearer.includes('unknown'),
    ...(answer && { before: answer }),
  });

  it.each(pages)('A list that %s is a finding, and everything else is judged', async (_, answer, clauses) => {
    const report = await runGateway({ modifiers: [withKey(answer)] }, { model: 'sea-large', only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(brokenClauses(report)).toEqual(expect.arrayContaining([...clauses]));
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('pass');
    expect(
      expectationOf(report, 'parameters/temperature-out-of-range[just-above]', 'limits.temperature')?.verdict,
    ).toBe('pass');
  });

  it('An unreadable list leaves no model to call, unless one is given', async () => {
    const report = await runGateway({ modifiers: [withKey(() => jsonReply(200, { object: 'list' }))] }, { only: FEW });
    expect(report.ending).toMatchObject({ kind: 'no-model', reason: 'no-list' });
    expect(report.outcome.exit).toBe(1);
    expect(report.cost.used.completions).toBe(0);
    expect(expectationOf(report, 'auth/missing-key[chat]', 'auth.required')?.verdict).not.toBe('fail');
  });

  it('A completion for the empty object of the first contact breaks both required fields', async () => {
    const bare: Modifier = { title: 'x', refusal: letPass('model-missing', 'messages-missing') };
    const list = withKey(() => jsonReply(200, { object: 'list' }));
    const report = await runGateway({ modifiers: [list, bare] }, { only: ['errors/empty-object'] });
    expect(report.ending.kind).toBe('no-model');
    expect(brokenClauses(report)).toEqual(
      expect.arrayContaining(['request.model-required', 'request.messages-required']),
    );
  });

  it('An empty list leaves no model to call, and breaks nothing', async () => {
    const report = await runGateway({ modifiers: [{ title: 'x', models: () => [] }] }, { only: FEW });
    expect(report.ending).toMatchObject({ kind: 'no-model', reason: 'empty-list' });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(withVerdict(report, 'fail')).toEqual([]);
  });

  it('A base URL without v1 at which the API answers is a finding', async () => {
    const report = await runGateway({ fault: 'service-base-not-v1' }, { only: [...FEW, 'versioning/base-address'] });
    expect(brokenClauses(report)).toEqual(['service.base-address']);
    expect(report.outcome.exit).toBe(1);
  });

  it('An API without a list that never checks keys is distinguished from a web site', async () => {
    const origin = await serverFor((request, response) => {
      if (request.url === '/v1/chat/completions')
        respondJson(response, 422, { error: { message: 'm', type: 't', code: 'c' } });
      else respondJson(response, 404, { detail: 'Not Found' });
    });
    const report = await quickRun(`${origin}/v1`, { model: 'x', only: FEW }, { full: KEY });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome.exit).toBe(1);
  });

  it.each<[string, number, string]>([
    ['breaks down', 500, 'oops'],
    ['streams', 200, 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'],
  ])(
    'An API without a list whose chat %s for an empty body is distinguished from a web site',
    async (_, status, text) => {
      const origin = await serverFor((request, response) => {
        response.writeHead(request.url === '/v1/chat/completions' ? status : 404, { 'content-type': 'text/plain' });
        response.end(text);
      });
      const report = await quickRun(`${origin}/v1`, { model: 'x', only: ['models/list'] }, { full: KEY });
      expect(report.ending.kind).toBe('complete');
      expect(report.outcome.exit).toBe(1);
    },
  );
});

describe('keys that are all refused', () => {
  it('A wrong key on a gateway that reports a malformed body first is still a failure', async () => {
    const gateway = await gatewayFor({ fault: 'auth-body-before-key' });
    const report = await quickRun(gateway.baseUrl, { only: ['auth/*'] });
    expect(report.ending).toMatchObject({ kind: 'key-refused', status: 401 });
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(brokenClauses(report)).toEqual(['auth.required']);
    expect(expectationOf(report, 'auth/missing-key[chat-malformed]', 'auth.required')?.verdict).toBe('fail');
  });

  it('If every request gets the same 400, with and without a key, nothing is known of keys', async () => {
    const report = await runGateway({ fault: 'auth-all-refused-400' }, { model: 'sea-large', only: ['auth/*'] });
    expect(expectationOf(report, 'auth/bearer-accepted', 'auth.bearer')?.verdict).toBe('inconclusive');
    expect(expectationOf(report, 'auth/missing-key[models]', 'auth.required')?.verdict).toBe('inconclusive');
  });
});
