import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeForeign } from '../../run/judge-recording.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';
import { exportHar } from './har-export.ts';
import { openHar } from './har-import.ts';
import { openRecording } from '../read-recording.ts';
import { recordGateway, temporaryFolder } from '../../../test/kit/recording.ts';

const KEY = 'sk-service-Vb5Nn8Mq2Ww7Ee1Rr6Tt3';
const BASE = 'https://gateway.example/v1';

interface Parts {
  readonly url?: string;
  readonly method?: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly text?: string;
  readonly json?: unknown;
  readonly content?: object;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An entry as browsers write it. */
function entry({ url = `${BASE}/models`, method = 'GET', sent, status = 200, ...parts }: Parts = {}): object {
  const text = parts.text ?? JSON.stringify(parts.json ?? LIST);
  return {
    startedDateTime: '2026-03-01T10:00:00.000Z',
    time: 12.5,
    request: {
      method,
      url,
      httpVersion: 'h2',
      headers: pairs(parts.requestHeaders ?? { Authorization: `Bearer ${KEY}`, ':path': '/v1/models' }),
      ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      httpVersion: 'h2',
      headers: pairs(parts.headers ?? { 'Content-Type': 'application/json' }),
      content: parts.content ?? { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
    timings: { blocked: 1, dns: -1, connect: -1, send: 0.5, wait: 8, receive: 3 },
  };
}

const LIST = { object: 'list', data: [{ id: 'small', object: 'model', owned_by: 'x' }] };
const SENT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };
const COMPLETION = {
  id: 'c1',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};
const CHUNK = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c2', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const STREAM = `${CHUNK({ role: 'assistant', content: '' }, null)}${CHUNK({ content: 'Hi' }, null)}${CHUNK({}, 'stop')}data: [DONE]\n\n`;
const CHAT = { url: `${BASE}/chat/completions`, method: 'POST', sent: SENT, json: COMPLETION };

function write(entries: readonly object[], more: object = {}): string {
  const file = join(temporaryFolder(), 'a.har');
  writeFileSync(
    file,
    JSON.stringify(
      { log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [{ id: 'entries' }], ...more, entries } },
      null,
      2,
    ),
  );
  return file;
}

async function judgeEntries(entries: readonly object[]): Promise<Report> {
  return judgeForeign(await openHar(write(entries), 'a.har'));
}

describe('a HAR file of another tool', () => {
  it('is judged exchange by exchange', async () => {
    const streamed = {
      ...CHAT,
      sent: { ...SENT, stream: true },
      text: STREAM,
      headers: { 'Content-Type': 'text/event-stream' },
    };
    const report = await judgeEntries([entry(), entry(CHAT), entry(streamed)]);
    expect(brokenClauses(report)).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    const judged = report.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(judged).toEqual(
      expect.arrayContaining([
        'list.data',
        'service.reply',
        'stream.event-stream',
        'stream.completes',
        'service.base-address',
        'auth.key-prefix',
      ]),
    );
    expect(report.target.baseUrl).toBe(BASE);
  });

  it('reports violations', async () => {
    const { usage: _usage, ...bare } = COMPLETION;
    const streamed = { ...CHAT, sent: { ...SENT, stream: true }, json: COMPLETION };
    const report = await judgeEntries([
      entry({ json: { object: 'liste', data: [] } }),
      entry({ ...CHAT, json: { ...bare, created: 'today' } }),
      entry(streamed),
      entry({ ...CHAT, status: 429, json: { error: 'slow down' } }),
    ]);
    expect(brokenClauses(report)).toEqual(
      expect.arrayContaining([
        'list.object',
        'completion.created-type',
        'completion.usage-present',
        'stream.event-stream',
        'errors.object',
      ]),
    );
    expect(report.outcome.exit).toBe(1);
  });

  it('repeats the refusal of a key with a key that is refused too', async () => {
    const json = { error: { message: 'no', type: 'authentication_error', code: 401 } };
    const report = await judgeEntries([entry(), entry({ status: 401, json })]);
    const refused = report.exchanges.find(({ attempts }) => attempts[0]?.answer?.status === 401);
    expect(refused?.repeat).toContain('Bearer sk-service-unknown');
  });

  it('counts and ignores exchanges with other APIs', async () => {
    const report = await judgeEntries([
      entry(),
      entry({ url: 'https://gateway.example/favicon.ico' }),
      entry({ url: `${BASE}/chat/completions`, method: 'OPTIONS' }),
      entry({ url: 'https://other.example/v1/models' }),
      entry(),
    ]);
    expect(report.notices).toEqual([
      `a.har is a HAR file. Judged: 2 of its 5 entries, the exchanges with ${BASE}, each on its own.`,
      'Ignored: 2 entries of other APIs.',
      'Ignored: 1 exchange with https://other.example/v1.',
    ]);
  });

  it('hides each key everywhere, even in an earlier answer', async () => {
    const file = write([
      entry({ json: { ...LIST, hint: KEY } }),
      entry({
        requestHeaders: { authorization: 'Basic dXNlcjpwYXNzd29yZC1vZi1taW5l', cookie: 'session=abcdefgh12345678' },
        json: { ...LIST, who: 'password-of-mine' },
      }),
      entry({
        ...CHAT,
        url: `${CHAT.url}?api_key=another-secret-key-1`,
        json: { ...COMPLETION, note: 'abcdefgh12345678' },
      }),
    ]);
    const report = JSON.stringify(await judgeForeign(await openHar(file, 'a.har')));
    for (const secret of [
      KEY.slice(11),
      'dXNlcjpwYXNz',
      'password-of-mine',
      'abcdefgh12345678',
      'another-secret-key-1',
    ]) {
      expect(report).not.toContain(secret);
    }
    expect(brokenClauses(JSON.parse(report) as Report)).toContain('auth.key-echo');
  });

  it('also hides credentials of other APIs and cookies, but reports only the key that was sent as an echo', async () => {
    const foreign = { url: 'https://x.example/', requestHeaders: { authorization: 'Bearer secret-of-another-api' } };
    const baked = { 'Content-Type': 'application/json', 'Set-Cookie': 'id=baked-cookie-1234; Path=/' };
    const said = { ...LIST, note: 'secret-of-another-api baked-cookie-1234' };
    const report = await judgeEntries([entry({ json: said, headers: baked }), entry(foreign)]);
    expect(JSON.stringify(report)).not.toMatch(/secret-of-another|baked-cookie/);
    expect(brokenClauses(report)).toEqual([]);
  });

  it('leaves nothing inconclusive that was not sent', async () => {
    const report = await judgeEntries([entry(CHAT)]);
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    const list = report.cases
      .flatMap(({ expectations }) => expectations)
      .filter(({ clause }) => clause === 'list.data');
    expect(list.map(({ verdict, reason }) => [verdict, reason])).toEqual([['skipped', { kind: 'not-recorded' }]]);
  });

  it('accepts bodies in base64, and does not judge an incomplete one', async () => {
    const packed = {
      size: 3,
      mimeType: 'application/json',
      text: Buffer.from(JSON.stringify(LIST)).toString('base64'),
      encoding: 'base64',
    };
    const cut = { size: 5_000, mimeType: 'application/json', text: '{"object":"li' };
    expect(brokenClauses(await judgeEntries([entry({ content: packed })]))).toEqual([]);
    expect(brokenClauses(await judgeEntries([entry(), entry({ content: cut })]))).toEqual([]);
  });

  it.each<[string, Parts]>([
    ['a length but no text', { content: { size: 0 }, headers: { 'Content-Length': '120' } }],
    ['a length but an empty text', { content: { size: 0, text: '' }, headers: { 'Content-Length': '120' } }],
    ['a size but an empty text', { content: { size: 120, text: '' } }],
    ['no text', { content: { size: 0, mimeType: 'application/json' } }],
    ['a text that is none', { content: { size: 9, text: { object: 'list' } } }],
    [
      'an event stream without text',
      { content: { size: 0, text: '' }, headers: { 'Content-Type': 'text/event-stream' } },
    ],
    [
      'a stream that was asked for, without text',
      { ...CHAT, sent: { ...SENT, stream: true }, content: { size: 0, text: '' } },
    ],
  ])('does not treat a missing body as empty: %s', async (_what, parts) => {
    const report = await judgeEntries([entry(), entry(parts)]);
    expect(brokenClauses(report)).toEqual([]);
    expect(report.notices).toContain('Exchanges not judged: 1 without an answer body.');
  });

  it.each<[string, Parts]>([
    ['an empty text', { content: { size: 0, text: '' } }],
    ['a length of 0', { content: { size: 0 }, headers: { 'Content-Length': '0' } }],
  ])('recognizes an empty body by %s', async (_what, parts) => {
    expect(brokenClauses(await judgeEntries([entry(parts)]))).toContain('endpoint.models-json');
  });

  it('judges nothing about a key that is not in the file', async () => {
    const report = await judgeEntries([entry({ requestHeaders: {} })]);
    expect(report.clauses.find(({ id }) => id === 'auth.key-prefix')?.verdict).toBe('skipped');
  });

  it.each([
    '***',
    '[FILTERED]',
    'sk-…',
    '{{api_key}}',
    '<your token>',
    'REDACTED',
    'sk-REDACTED',
    'xxxxxxxxxx',
    'abcd...wxyz',
  ])('judges nothing about a key that was replaced (%s)', async (key) => {
    const shown = { requestHeaders: { Authorization: `Bearer ${key}` } };
    const report = await judgeEntries([entry({ ...shown, json: { ...LIST, note: key } })]);
    expect(report.clauses.find(({ id }) => id === 'auth.key-prefix')?.verdict).toBe('skipped');
    expect(brokenClauses(report)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['max_tokens 0', { ...SENT, max_tokens: 0 }, 'limits.max-tokens'],
    ['temperature 5', { ...SENT, temperature: 5 }, 'limits.temperature'],
    ['top_p -1', { ...SENT, top_p: -1 }, 'limits.top-p'],
    ['no model', { messages: SENT.messages }, 'request.model-required'],
    ['no messages', { model: 'small' }, 'request.messages-required'],
    ['no role', { model: 'small', messages: [{ content: 'x' }] }, 'message.role-required'],
    ['no content', { model: 'small', messages: [{ role: 'user' }] }, 'message.content-required'],
    ['an array', [SENT], 'endpoint.chat-body-json'],
  ])('fails if a request with %s got a completion', async (_what, sent, clause) => {
    const report = await judgeEntries([entry(), entry({ ...CHAT, sent, json: { ...COMPLETION, created: 'x' } })]);
    expect(brokenClauses(report)).toEqual([clause]);
    expect(report.outcome.exit).toBe(1);
    const streamed = { ...CHAT, sent: Array.isArray(sent) ? sent : { ...sent, stream: true }, text: STREAM };
    expect(brokenClauses(await judgeEntries([entry(streamed)]))).toEqual([clause]);
    const refused = { ...CHAT, sent, status: 400, json: { error: { message: 'm', type: 't', code: 'c' } } };
    expect(brokenClauses(await judgeEntries([entry(), entry(refused)]))).toEqual([]);
  });

  it('fails if a body that is not JSON got a completion, unless the file has only a part of it', async () => {
    const sentAs = (postData: object, more: object = {}) => {
      const made = entry(CHAT) as { readonly request: object };
      return { ...made, request: { ...made.request, postData, ...more } };
    };
    const broken = { mimeType: 'application/json', text: '{"model": "small", "mess' };
    expect(brokenClauses(await judgeEntries([sentAs(broken)]))).toEqual(['endpoint.chat-body-json']);
    expect(brokenClauses(await judgeEntries([sentAs(broken, { bodySize: 900 })]))).toEqual([]);
    expect(brokenClauses(await judgeEntries([sentAs({ ...broken, text: '' })]))).toEqual([
      'endpoint.chat-body-required',
    ]);
  });

  it('warns of a completion for a wrong type, and judges the completion too', async () => {
    const sent = { ...SENT, temperature: '1', messages: [{ role: 'wizard', content: ['x'] }] };
    const report = await judgeEntries([entry({ ...CHAT, sent, json: { ...COMPLETION, created: 'x' } })]);
    expect(brokenClauses(report).toSorted()).toEqual([
      'completion.created-type',
      'message.content-type',
      'message.unknown-role',
      'request.temperature-type',
    ]);
    const asNull = { ...SENT, temperature: null, top_p: null, max_tokens: null, stream: null };
    expect(brokenClauses(await judgeEntries([entry({ ...CHAT, sent: asNull })]))).toEqual([]);
  });

  it('fails if a valid request got a success other than 200', async () => {
    expect(brokenClauses(await judgeEntries([entry({ status: 201 })]))).toEqual(['endpoint.models-answers']);
    expect(brokenClauses(await judgeEntries([entry({ status: 204, text: '' })]))).toEqual(['endpoint.models-answers']);
    expect(brokenClauses(await judgeEntries([entry({ ...CHAT, status: 202 })]))).toEqual(['endpoint.chat-answers']);
  });

  it('is not judged if nothing in it concerns a must', async () => {
    const moved = entry({ ...CHAT, url: 'https://gateway.example/v1/chat/completions', status: 307, text: '' });
    const report = await judgeEntries([moved]);
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3, mustJudged: 0 });
    expect(report.notices).toContain('Nothing in this file says anything about a must clause.');
  });

  it('names neither settings nor a plan, since nothing was planned', async () => {
    const report = await judgeEntries([entry()]);
    const expectations = report.cases.flatMap((testCase) => testCase.expectations);
    expect(expectations.filter(({ reason }) => reason?.kind === 'needs')).toEqual([]);
    expect(report.cost).toMatchObject({ used: { requests: 1 }, least: { requests: 0 }, most: { requests: 0 } });
  });

  it('points to the exchange whose key lacks the prefix', async () => {
    const hidden = { Authorization: 'Bearer ***' };
    const other = { Authorization: 'Bearer another-key-of-mine-77' };
    const report = await judgeEntries([
      entry(),
      entry({ requestHeaders: hidden }),
      entry({ ...CHAT, requestHeaders: other }),
    ]);
    const findings = report.cases
      .flatMap(({ expectations }) => expectations)
      .filter(({ clause }) => clause === 'auth.key-prefix')
      .flatMap((expectation) => expectation.findings);
    expect(findings.map(({ exchange }) => exchange)).toEqual(['chat']);
  });

  it.each<[string, readonly object[], string]>([
    [
      'without bodies',
      [entry({ content: { size: 99, mimeType: 'application/json' } })],
      `a.har has nothing to judge: of its exchanges with ${BASE}, 1 without an answer body. Export it with bodies.`,
    ],
    [
      'of another API',
      [entry({ url: 'https://x.example/' })],
      'a.har has no exchange with this API: none of its 1 entries is a GET …/models or a POST …/chat/completions. Pass another file.',
    ],
    [
      'with nothing in it',
      [],
      'a.har has no exchange with this API: none of its 0 entries is a GET …/models or a POST …/chat/completions. Pass another file.',
    ],
  ])('%s is refused with one sentence', async (_what, entries, message) => {
    await expect(openHar(write(entries), 'a.har')).rejects.toThrow(message);
  });

  it('counts values that are not entries', async () => {
    const entries = [null, 3, 'x', [{}], {}, true] as unknown as readonly object[];
    await expect(openHar(write(entries), 'a.har')).rejects.toThrow('none of its 6 entries is');
    expect((await openHar(write([...entries, entry()]), 'a.har')).notices()[0]).toMatch('Judged: 1 of its 7 entries');
  });

  it('of another version of the format is refused', async () => {
    for (const version of ['1.1', '1.2', '1.3', '']) await openHar(write([entry()], { version }), 'a.har');
    const newer = write([entry()], { version: '2.0' });
    await expect(openHar(newer, 'a.har')).rejects.toThrow(
      'a.har has version "2.0" of the HAR format. Export it as version 1.2.',
    );
  });

  it('that is truncated is refused', async () => {
    const file = write([entry(), entry()]);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30));
    await expect(openHar(file, 'a.har')).rejects.toThrow('a.har is not a complete HAR file');
  });
});

describe('a recording as HAR', () => {
  it('has every field that HAR 1.2 requires, and entries in order', async () => {
    const { file, gathered } = await recordGateway('a.ndjson');
    const { log } = await exportHar(await openRecording(file, file));
    expect(log.version).toBe('1.2');
    expect(log.entries.length).toBeGreaterThanOrEqual(gathered.traffic.exchanges.length);
    const starts = log.entries.map(({ startedDateTime }) => startedDateTime);
    expect(starts).toEqual(starts.toSorted());
    for (const entry of log.entries) {
      expect(Object.keys(entry).toSorted()).toEqual([
        'cache',
        'comment',
        'request',
        'response',
        'startedDateTime',
        'time',
        'timings',
      ]);
      expect(new URL(entry.request.url).pathname).toMatch(/^\/v1\//);
      expect(entry.time).toBeCloseTo(entry.timings.send + entry.timings.wait + entry.timings.receive);
      for (const part of ['cookies', 'headers', 'headersSize', 'bodySize', 'httpVersion']) {
        expect(entry.request).toHaveProperty(part);
        expect(entry.response).toHaveProperty(part);
      }
      expect(entry.response.content.size).toBe(
        Buffer.from(entry.response.content.text, entry.response.content.encoding ?? 'utf8').length,
      );
    }
  });

  it('contains no key, and can be judged again', async () => {
    const { file, key } = await recordGateway('a.ndjson');
    const har = join(temporaryFolder(), 'a.har');
    writeFileSync(har, JSON.stringify(await exportHar(await openRecording(file, file))));
    expect(readFileSync(har, 'utf8')).not.toContain(key.slice(-12));
    const report = await judgeForeign(await openHar(har, 'a.har'));
    expect(brokenClauses(report)).toEqual([]);
    expect(report.outcome.exit).toBe(0);
  });
});
