import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { formatReason } from '../../verdict/reason.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import { type Parts, entry, LIST, SENT, COMPLETION, STREAM, CHAT, judgeEntries } from '../../../test/kit/har.ts';

describe('a HAR file of another tool', () => {
  const BODILESS: readonly (readonly [string, Parts])[] = [
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
  ];

  it('does not treat a missing body as empty', async () => {
    const report = await judgeEntries([entry(), ...BODILESS.map(([, parts]) => entry(parts))]);
    expect(brokenClauses(report)).toEqual([]);
    const exchanges = [{ why: 'no-answer-body', count: BODILESS.length }];
    expect(report.notices).toContainEqual({ kind: 'har-unusable', exchanges });
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

  it('does not call a key that the file leaves out a missing one', async () => {
    const sent = { ...SENT, top_p: 1.5 };
    const bare = { requestHeaders: {} };
    const refused = { status: 401, json: { error: { message: 'm', type: 't', code: 401 } } };
    const left = await judgeEntries([entry(bare), entry({ ...CHAT, ...bare, sent }), entry({ ...bare, ...refused })]);
    const told = ({ exchanges }: Report) => exchanges.flatMap(({ key, repeat }) => (repeat ? [[key, repeat]] : []));
    expect(told(left)).toEqual([
      ['not-in-file', expect.stringContaining('-H "Authorization: Bearer $WIRECHECK_API_KEY"')],
      ['not-in-file', expect.stringContaining('Bearer sk-service-unknown')],
    ]);
    // Whether the key was accepted is not judged either.
    const prefix = left.cases.flatMap(({ expectations }) => expectations.filter(({ check }) => check === 'key-prefix'));
    expect(prefix.map(({ reason }) => reason && formatReason(reason))).toEqual([
      'the file has no key that was accepted',
    ]);
    expect(left.clauses.find(({ id }) => id === 'auth.bearer')?.verdict).toBe('skipped');
    const masked = await judgeEntries([entry(), entry({ ...CHAT, requestHeaders: { authorization: '***' }, sent })]);
    expect(told(masked)).toEqual([['not-in-file', expect.stringContaining('$WIRECHECK_API_KEY')]]);
    const without = await judgeEntries([entry(), entry({ ...CHAT, ...bare, sent })]);
    expect(told(without)).toEqual([['none', expect.not.stringMatching(/authorization/i)]]);
  });

  it('claims no time of its own between the calls of another client', async () => {
    const later = { ...entry(CHAT), startedDateTime: '2026-03-01T10:00:03.000Z' };
    const limited = { ...CHAT, status: 429, json: { error: { message: 'm', type: 't', code: 'c' } } };
    for (const entries of [
      [entry(), later],
      [entry(limited), later],
    ]) {
      const { time } = await judgeEntries(entries);
      expect(time).toMatchObject({ wall: 3012.5, target: 25, pauses: 0 });
      expect(time).not.toHaveProperty('checker');
    }
  });

  it('judges nothing about keys that were replaced', async () => {
    const keys = ['***', '[FILTERED]', 'sk-…', '{{api_key}}', '<your token>', 'REDACTED', 'sk-REDACTED'];
    const shown = [...keys, 'xxxxxxxxxx', 'abcd...wxyz'].map((key) =>
      entry({ requestHeaders: { Authorization: `Bearer ${key}` }, json: { ...LIST, note: key } }),
    );
    const report = await judgeEntries(shown);
    expect(report.clauses.find(({ id }) => id === 'auth.key-prefix')?.verdict).toBe('skipped');
    expect(brokenClauses(report)).toEqual([]);
  });

  const INVALID: readonly (readonly [string, object, string])[] = [
    ['max_tokens 0', { ...SENT, max_tokens: 0 }, 'limits.max-tokens'],
    ['temperature 5', { ...SENT, temperature: 5 }, 'limits.temperature'],
    ['top_p -1', { ...SENT, top_p: -1 }, 'limits.top-p'],
    ['no model', { messages: SENT.messages }, 'request.model-required'],
    ['no messages', { model: 'small' }, 'request.messages-required'],
    ['no role', { model: 'small', messages: [{ content: 'x' }] }, 'message.role-required'],
    ['no content', { model: 'small', messages: [{ role: 'user' }] }, 'message.content-required'],
    ['an array', [SENT], 'endpoint.chat-body-json'],
  ];

  it.each(INVALID)('fails if a request with %s got a completion', async (_what, sent, clause) => {
    const report = await judgeEntries([entry(), entry({ ...CHAT, sent, json: { ...COMPLETION, created: 'x' } })]);
    expect(brokenClauses(report)).toEqual([clause]);
    expect(report.outcome.exit).toBe(1);
  });

  it('fails for each of them that got a stream, and for none that was refused', async () => {
    const streamed = INVALID.map(([, sent]) =>
      entry({ ...CHAT, sent: Array.isArray(sent) ? sent : { ...sent, stream: true }, text: STREAM }),
    );
    const clauses = INVALID.map(([, , clause]) => clause);
    expect(brokenClauses(await judgeEntries(streamed)).toSorted()).toEqual(clauses.toSorted());
    const refusal = { status: 400, json: { error: { message: 'm', type: 't', code: 'c' } } };
    const refused = INVALID.map(([, sent]) => entry({ ...CHAT, sent, ...refusal }));
    expect(brokenClauses(await judgeEntries([entry(), ...refused]))).toEqual([]);
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
    expect(report.notices).toContainEqual({ kind: 'no-must' });
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
});
