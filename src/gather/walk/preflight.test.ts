import { describe, expect, it } from 'vitest';
import { jsonReply } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import { isModels } from '../../gateway/call-tests.ts';
import type { Modifier } from '../../gateway/index.ts';
import {
  brokenClauses,
  expectationOf,
  gatewayFor,
  quickRun,
  runGateway,
  serverFor,
  withVerdict,
} from '../../../test/kit/real-run.ts';
import { nearbyAddresses } from './preflight.ts';

/** Something of the list, of keys and of chat: what else a run would ask shows no more here. */
const FEW = ['models/list', 'auth/*', 'chat/reply', 'streaming/reply'];

/** What a person waits for at most before a wrong address or key is told. */
const QUICK = 30_000;

async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await work, performance.now() - began];
}

describe('an absent target', () => {
  it('A closed port is reported as unreachable at once, and nothing is judged', async () => {
    const gateway = await gatewayFor();
    await gateway.close();
    const [report, time] = await timed(quickRun(gateway.baseUrl, { only: FEW }));
    expect(report.ending).toMatchObject({ kind: 'unreachable', failure: { kind: 'refused', code: 'ECONNREFUSED' } });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3, mustJudged: 0 });
    expect(report.counts.expectations).toMatchObject({ pass: 0, fail: 0, warn: 0, observed: 0 });
    expect(time).toBeLessThan(QUICK);
  });
});

describe('a key that is refused', () => {
  it('A wrong key is reported quickly; the auth cases still run, and nothing is charged', async () => {
    const gateway = await gatewayFor();
    const [report, time] = await timed(quickRun(gateway.baseUrl, { only: FEW }));
    expect(report.ending).toMatchObject({ kind: 'key-refused', status: 401 });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(report.cost.used.completions).toBe(0);
    expect(report.exchanges.map(({ id }) => id)).toContain('auth/missing-key[chat-stream]');
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(time).toBeLessThan(QUICK);
  });

  it('A wrong key on a gateway that accepts requests without one is still a failure', async () => {
    const gateway = await gatewayFor({ fault: 'auth-no-key-accepted' });
    const report = await quickRun(gateway.baseUrl, { only: FEW });
    expect(report.outcome).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(brokenClauses(report)).toEqual(['auth.required']);
  });

  it('A key that is accepted only without its scheme is a failure of the deployment', async () => {
    const report = await runGateway({ fault: 'auth-raw-key-no-scheme' }, { only: FEW });
    expect(report.outcome.exit).toBe(1);
    expect(expectationOf(report, 'auth/bearer-accepted', 'auth.bearer')?.verdict).toBe('fail');
  });

  const forbid = (only: Modifier['only'] = () => true): Modifier => ({
    title: 'x',
    only,
    before: () => jsonReply(403, { error: { message: 'Incorrect API key provided.', type: 't', code: 'c' } }),
  });
  const withBearer = ({ bearer }: Call): boolean => bearer !== undefined;

  it.each([
    ['with a model', { model: 'sea-large' }],
    ['without a model to call', {}],
  ])('A wrong key that the list and chat refuse with 403 is reported as such: %s', async (_, settings) => {
    const report = await runGateway({ modifiers: [forbid(withBearer)] }, { ...settings, only: FEW });
    expect(report.ending).toMatchObject({ kind: 'key-refused', status: 403, answer: { status: 403 } });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(report.exchanges.map(({ id }) => id)).toContain('bare-key');
    expect(report.cost.used).toMatchObject({ completions: 0 });
  });

  it('If every key gets 403, requests without a valid key are still sent, and one that is answered is a failure', async () => {
    const opened: Modifier = {
      title: 'x',
      authorize: (caller, { bearer }) => (bearer === undefined ? 'full' : caller),
    };
    const settings = { model: 'sea-large', only: FEW };
    const closed = await runGateway({ modifiers: [forbid()] }, settings);
    const isSent = (id: string) => closed.exchanges.some((exchange) => exchange.id === id);
    expect(['auth/missing-key[chat]', 'auth/unknown-key[models]'].map(isSent)).toEqual([true, true]);
    // A refusal proves nothing while the key is refused too.
    expect(expectationOf(closed, 'auth/missing-key[chat]', 'auth.required')?.verdict).toBe('inconclusive');
    expect([closed.outcome.exit, withVerdict(closed, 'fail')]).toEqual([3, []]);
    const open = await runGateway({ modifiers: [opened, forbid(withBearer)] }, settings);
    expect(open.ending.kind).toBe('key-refused');
    expect(expectationOf(open, 'auth/missing-key[chat]', 'auth.required')?.verdict).toBe('fail');
    expect(open.outcome.exit).toBe(1);
  });

  it('A key that is accepted only without its scheme, and otherwise refused with 403, breaks the contract', async () => {
    const accepts: Modifier = {
      title: 'x',
      authorize: (_caller, call, keys) => (call.headers.authorization === keys.full ? 'full' : undefined),
    };
    const report = await runGateway({ modifiers: [accepts, forbid(withBearer)] }, { model: 'sea-large', only: FEW });
    expect(expectationOf(report, 'auth/bearer-accepted', 'auth.bearer')?.verdict).toBe('fail');
    expect(report.outcome.exit).toBe(1);
  });

  it('A list that is forbidden to a key which chat accepts is a finding, and everything else is judged', async () => {
    const report = await runGateway({ modifiers: [forbid(isModels)] }, { model: 'sea-large', only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(brokenClauses(report)).toContain('endpoint.models-answers');
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('pass');
  });

  it('A list that refuses a key which chat accepts is a finding, and everything else is judged', async () => {
    const modifier: Modifier = {
      title: 'x',
      only: isModels,
      before: () => jsonReply(401, { error: { message: 'm', type: 't', code: 'c' } }),
    };
    const report = await runGateway({ modifiers: [modifier] }, { model: 'sea-large', only: FEW });
    expect(report.ending.kind).toBe('complete');
    expect(report.outcome.exit).toBe(1);
    expect(brokenClauses(report)).toContain('endpoint.models-answers');
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('pass');
  });

  it('A 401 to the list means a refused key even if chat checks the body before the key', async () => {
    const before: Modifier['before'] = (call) =>
      call.endpoint === 'chat' && call.body['model'] === undefined
        ? jsonReply(400, { error: { message: 'm', type: 't', code: 'c' } })
        : undefined;
    const gateway = await gatewayFor({ modifiers: [{ title: 'x', before }] });
    expect((await quickRun(gateway.baseUrl, { only: FEW })).ending).toMatchObject({ kind: 'key-refused', status: 401 });
  });

  it('With an open list, the control shows that the key is refused', async () => {
    const gateway = await gatewayFor({ fault: 'auth-models-open' });
    const report = await quickRun(gateway.baseUrl, { only: FEW });
    expect(report.ending).toMatchObject({ kind: 'key-refused', status: 401 });
    expect(brokenClauses(report)).toEqual(['auth.required']);
    expect(report.outcome.exit).toBe(1);
  });

  it('Chat that refuses a key which the list requires and accepts is a finding', async () => {
    const modifier: Modifier = {
      title: 'x',
      only: (call) => call.endpoint === 'chat',
      before: () => jsonReply(401, { error: { message: 'm', type: 't', code: 'c' } }),
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: ['chat/reply', 'models/list'] });
    expect(report.ending.kind).toBe('complete');
    expect(brokenClauses(report)).toEqual(['endpoint.chat-answers']);
  });
});

describe('a wrong base URL', () => {
  it.each<[string, (base: string) => string]>([
    ['/v1 twice', (base) => `${base}/v1`],
    ['no /v1', (base) => base.replace('/v1', '')],
    ['another version', (base) => base.replace('/v1', '/v2')],
    ['the address of an endpoint', (base) => `${base}/chat/completions`],
    ['the address of the list', (base) => `${base}/models`],
  ])('%s: the right one is suggested quickly, and nothing is judged', async (_, wrong) => {
    const { baseUrl, keys } = await gatewayFor();
    const [report, time] = await timed(quickRun(wrong(baseUrl), { only: FEW }, { full: keys.full }));
    expect(report.ending).toMatchObject({ kind: 'not-this-api', status: 404, nearby: baseUrl });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(report.counts.expectations).toMatchObject({ pass: 0, fail: 0, warn: 0 });
    expect(time).toBeLessThan(QUICK);
  });

  it('Requests to other base URLs count as sent', async () => {
    const gateway = await gatewayFor();
    const report = await quickRun(`${gateway.baseUrl}/v1`, { only: FEW }, { full: gateway.keys.full });
    expect(report.cost.used.requests).toBe(gateway.requests.count);
    const bounded = await quickRun(
      `${gateway.baseUrl}/chat/completions`,
      { maxRequests: 3, only: FEW },
      { full: gateway.keys.full },
    );
    expect(bounded.cost.used.requests).toBe(3);
  });

  it.each<[string, number, string]>([
    ['HTML with 200', 200, '<html>Welcome</html>'],
    ['HTML with 404', 404, '<html>Not found</html>'],
    ['JSON of something else', 200, '{"hello":"world"}'],
    ['an empty list', 200, '[]'],
  ])('A web site that answers everything with %s is not this API, and breaks nothing', async (_, status, body) => {
    const origin = await serverFor(
      (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(body),
    );
    const report = await quickRun(`${origin}/v1`, { model: 'x', only: FEW });
    expect(report.ending).toMatchObject({
      kind: 'not-this-api',
      answer: { status, ...(body === '[]' && { emptyJson: body }) },
    });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3, mustJudged: 0 });
  });

  it('A site that redirects everything is not followed and is not this API', async () => {
    const hosts: string[] = [];
    const origin = await serverFor((request, response) => {
      hosts.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const report = await quickRun(`${origin}/v1`, { only: FEW });
    expect(report.ending).toMatchObject({ kind: 'not-this-api', status: 302 });
    expect(hosts).not.toContain('/elsewhere');
  });

  it('Nearby base URLs are at most five, each once, those with a version first', () => {
    expect(nearbyAddresses('http://h/v1/v1')).toEqual(['http://h/v1/v1/v1', 'http://h/v1', 'http://h']);
    expect(nearbyAddresses('http://h')).toEqual(['http://h/v1']);
    expect(nearbyAddresses('http://h/a/b/c/d/e')).toHaveLength(5);
    expect(nearbyAddresses('http://h/v1/chat/completions')).toContain('http://h/v1');
  });
});
