import { describe, expect, it } from 'vitest';
import {
  COMPLETION,
  checkInput,
  plainExchange,
  streamExchange,
  type ExchangeParts,
} from '../../../test/kit/exchanges.ts';
import { jsonBody, BODY_CHECKS } from './bodies.ts';

const {
  'json-labelled': jsonLabelled,
  'json-label-case': jsonLabelCase,
  'json-byte-order-mark': jsonByteOrderMark,
  'json-members-once': jsonMembersOnce,
  'not-event-stream': notEventStream,
} = BODY_CHECKS;

const judge = (parts: ExchangeParts) => jsonBody.execute(checkInput(plainExchange(parts)));

describe('json-body', () => {
  it('holds for one JSON text, whatever it is labelled as', () => {
    expect(judge({ json: COMPLETION })).toEqual({ kind: 'holds' });
    expect(judge({ text: ' [1]\n', headers: { 'content-type': 'text/html' } })).toEqual({ kind: 'holds' });
  });

  it.each<[string, ExchangeParts, string]>([
    ['HTML', { text: '<html></html>' }, 'not-json'],
    ['two texts in a row', { text: '{}\n{}' }, 'not-json'],
    ['nothing', { text: '' }, 'empty'],
    ['bytes that are not UTF-8', { bytes: new Uint8Array([0x22, 0xff, 0x22]) }, 'not-utf8'],
    ['a body that was cut', { json: {}, end: { kind: 'cut', detail: 'reset' } }, 'cut'],
    ['bytes that do not decompress', { text: '', end: { kind: 'undecodable', detail: 'gzip' } }, 'undecodable'],
  ])('is broken by %s', (_, parts, mismatch) => {
    expect(judge(parts)).toMatchObject({ kind: 'broken', findings: [{ mismatch }] });
  });

  it('shows the beginning of a long body and its size', () => {
    expect(judge({ text: `<html>${'x'.repeat(10_000)}` })).toMatchObject({
      findings: [
        {
          actual: {
            kind: 'body',
            form: 'not-json',
            body: { quote: `<html>${'x'.repeat(114)}`, length: 10_006, unit: 'byte', isCut: true },
          },
        },
      ],
    });
  });

  it('is inconclusive beyond a limit, naming the setting', () => {
    const stopped = judge({ json: {}, end: { kind: 'limit', limit: 'max-body' } });
    expect(stopped).toMatchObject({ kind: 'inconclusive', reason: { kind: 'over-limit', limit: 'max-body' } });
    const deep = judge({ text: '['.repeat(201) + ']'.repeat(201) });
    expect(deep).toMatchObject({ kind: 'inconclusive', reason: { kind: 'over-limit', limit: 'max-depth' } });
  });

  it('is inconclusive for another status', () => {
    expect(judge({ status: 500 }).kind).toBe('inconclusive');
  });
});

describe('json-labelled and json-label-case', () => {
  const kinds = (contentType: string, parts: ExchangeParts = {}) => {
    const input = checkInput(plainExchange({ json: COMPLETION, ...parts, headers: { 'content-type': contentType } }));
    return [jsonLabelled, jsonLabelCase].map((check) => check.execute(input).kind);
  };

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;Charset=UTF-8',
    ' application/json ',
  ])('hold for %j', (contentType) => {
    expect(kinds(contentType)).toEqual(['holds', 'holds']);
  });

  it.each(['Application/JSON', 'application/Json; charset=utf-8', 'APPLICATION/JSON'])(
    'leave %j to the clause about capitals',
    (contentType) => {
      expect(kinds(contentType)).toEqual(['holds', 'broken']);
      expect(kinds(contentType, { status: 400, json: { error: {} } })).toEqual(['holds', 'broken']);
    },
  );

  it.each(['text/plain', 'Text/JSON', 'application/problem+json'])('report %j as another type only', (contentType) => {
    expect(kinds(contentType)).toEqual(['broken', 'skipped']);
  });

  it('do not look at bodies that are not JSON', () => {
    expect(kinds('Application/JSON', { text: 'Hello there' })).toEqual(['skipped', 'skipped']);
  });
});

describe('not-event-stream', () => {
  const judgeStream = (parts: ExchangeParts) => notEventStream.execute(checkInput(plainExchange(parts)));

  it.each([
    ['JSON', JSON.stringify(COMPLETION)],
    ['text that is neither', 'Hello there'],
    ['nothing', ''],
  ])('holds for %s', (_, text) => {
    expect(judgeStream({ text })).toEqual({ kind: 'holds' });
  });

  it.each([
    ['chunks', 'data: {"choices":[]}\n\n'],
    ['an end marker alone', 'data: [DONE]\n\n'],
  ])('is broken by an event stream of %s, whatever it is labelled as', (_, text) => {
    expect(judgeStream({ text })).toMatchObject({ kind: 'broken', findings: [{ mismatch: 'event-stream' }] });
  });

  it('is inconclusive for another status', () => {
    expect(judgeStream({ status: 500, text: 'data: [DONE]\n\n' }).kind).toBe('inconclusive');
  });
});

describe('json-byte-order-mark', () => {
  const kind = (parts: ExchangeParts) => jsonByteOrderMark.execute(checkInput(plainExchange(parts))).kind;

  it('is broken by a mark before a completion or an error', () => {
    expect(kind({ text: `\uFEFF${JSON.stringify(COMPLETION)}` })).toBe('broken');
    expect(kind({ status: 400, text: '\uFEFF{"error":{}}' })).toBe('broken');
  });

  it('holds for JSON without it, even if a text has one', () => {
    expect(kind({ json: COMPLETION })).toBe('holds');
    expect(kind({ text: ' {"id":"\uFEFF"}' })).toBe('holds');
  });

  it('does not look at bodies that are not JSON', () => {
    expect(kind({ text: '\uFEFFHello there' })).toBe('skipped');
  });
});

describe('json-members-once', () => {
  const judgeMembers = (text: string) => jsonMembersOnce.execute(checkInput(plainExchange({ text }))).kind;

  it('is broken by a member with two values, and holds for two equal ones', () => {
    expect(judgeMembers('{"model":"a","model":"b"}')).toBe('broken');
    expect(judgeMembers('{"model":"a","model":"a"}')).toBe('holds');
    expect(judgeMembers('{"model":"a","choices":[{"model":"b"}]}')).toBe('holds');
  });

  it.each([
    ['a delta with two texts', ['{"delta":{"content":"Hel","content":""}}'], 'broken'],
    ['two values after chunks without', ['{"text":"a"}', '{"text":"b"}', '{"text":"b","text":""}'], 'broken'],
    ['equal values', ['{"text":"a","text":"a"}', '{"text":"b","text":"b"}'], 'holds'],
    ['names in several objects', ['{"text":"a","choices":[{"text":"b"}]}'], 'holds'],
    ['two values after [DONE]', ['{"text":"a"}', '[DONE]', '{"text":"a","text":"b"}'], 'holds'],
    ['no chunk', ['[DONE]'], 'skipped'],
  ])('judges the chunks of a stream: %s', (_, events, expected) => {
    expect(jsonMembersOnce.execute(checkInput(streamExchange({ events }))).kind).toBe(expected);
  });
});

describe('not-event-stream', () => {
  it('does not judge a refusal where the contract allows one', () => {
    const refused = plainExchange({ status: 406, json: {} });
    expect(notEventStream.execute(checkInput(refused, { options: { mayBeRefused: true } })).kind).toBe('skipped');
    expect(notEventStream.execute(checkInput(refused)).kind).toBe('inconclusive');
  });
});
