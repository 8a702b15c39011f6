import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeForeign } from '../../run/judge-recording.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';
import { openHar } from './har-import.ts';
import { KEY, BASE, entry, LIST, SENT, COMPLETION, STREAM, CHAT, write, judgeEntries } from '../../../test/kit/har.ts';
import { formatNotice } from '../../exchange/notice.ts';

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

  it('counts and ignores exchanges with other paths or methods', async () => {
    const report = await judgeEntries([
      entry(),
      entry({ url: 'https://gateway.example/favicon.ico' }),
      entry({ url: `${BASE}/chat/completions`, method: 'OPTIONS' }),
      entry({ url: 'https://other.example/v1/models' }),
      entry(),
    ]);
    expect(report.notices.map(formatNotice)).toEqual([
      `a.har is a HAR file. Judged: 2 of its 5 entries, the exchanges with ${BASE}, each on its own.`,
      'Ignored: 2 entries with another path or method than GET …/models and POST …/chat/completions.',
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

  it('names neither settings nor a plan, since nothing was planned', async () => {
    const report = await judgeEntries([entry()]);
    const expectations = report.cases.flatMap((testCase) => testCase.expectations);
    expect(expectations.filter(({ reason }) => reason?.kind === 'needs')).toEqual([]);
    expect(report.cost).toMatchObject({ used: { requests: 1 }, least: { requests: 0 }, most: { requests: 0 } });
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
    expect((await openHar(write([...entries, entry()]), 'a.har')).notices()[0]).toMatchObject({
      kind: 'har',
      judged: 1,
      entries: 7,
    });
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

  it('is refused before its values fill the memory', async () => {
    const file = write([entry()]);
    writeFileSync(file, `{"log":{"entries":[${'[],'.repeat(4_000_001)}[]]}}`);
    await expect(openHar(file, 'a.har')).rejects.toThrow('a.har has too many values');
  });
});
