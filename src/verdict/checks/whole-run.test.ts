import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import {
  type ExchangeParts,
  answeredAttempt,
  checkInput,
  failedAttempt,
  failure,
  plainExchange,
  streamExchange,
} from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatActual } from '../actual.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { BODY_CHECKS } from './bodies.ts';
import { KEY_CHECKS } from './keys.ts';

const { 'key-not-echoed': keyNotEchoed } = KEY_CHECKS;

const { 'json-labelled': jsonLabelled } = BODY_CHECKS;

const { 'headers-fit': headersFit, 'http-well-formed': httpWellFormed } = ANSWER_CHECKS;

describe('json-labelled', () => {
  const judge = (parts: ExchangeParts) => jsonLabelled.execute(checkInput(plainExchange(parts)));
  const labelled = (type: string) => ({ headers: { 'content-type': type } });

  it('holds for application/json with any parameter', () => {
    expect(judge(labelled('Application/JSON; charset=utf-8'))).toEqual({ kind: 'holds' });
  });

  it.each(['text/plain', 'application/problem+json', 'text/event-stream'])('is broken by %s', (type) => {
    expect(judge(labelled(type))).toMatchObject({
      findings: [{ mismatch: 'content-type', actual: { kind: 'header', name: 'Content-Type' } }],
    });
  });

  it('judges errors too, including retried ones', () => {
    const earlier = [answeredAttempt({ status: 503, json: {}, ...labelled('text/html') })];
    expect(judge({ earlier })).toMatchObject({ findings: [{ attempt: 0 }] });
  });

  it('ignores bodies that are not JSON, other endpoints, and streams', () => {
    expect(judge({ text: '<html>', ...labelled('text/html') }).kind).toBe('skipped');
    expect(judge({ ...labelled('text/html'), request: { endpoint: 'other' } }).kind).toBe('skipped');
    expect(jsonLabelled.execute(checkInput(streamExchange({ events: ['[DONE]'] }))).kind).toBe('skipped');
  });

  it('counts the same wrong label once', () => {
    const exchanges = ['a', 'b', 'c'].map((id) => plainExchange({ id, ...labelled('text/plain') }));
    expect(jsonLabelled.execute(checkInput(exchanges))).toMatchObject({ findings: [{ exchange: 'a', more: 2 }] });
  });
});

describe('http-well-formed', () => {
  it('holds for answers and for other failures', () => {
    expect(
      httpWellFormed.execute(checkInput([plainExchange(), plainExchange({ failure: failure('closed') })])),
    ).toEqual({
      kind: 'holds',
    });
  });

  it('is broken by a body that cannot be decompressed, plain or streamed', () => {
    const end = { kind: 'undecodable', detail: 'incorrect header check' } as const;
    for (const exchange of [plainExchange({ text: '', end }), streamExchange({ events: ['[DONE]'], end })])
      expect(httpWellFormed.execute(checkInput(exchange))).toMatchObject({
        findings: [{ mismatch: 'undecodable', actual: { kind: 'text', text: quoteText('incorrect header check') } }],
      });
  });

  it('is broken by any attempt that was not HTTP', () => {
    const why = failure('not-http', { code: 'HPE_INVALID_CONSTANT', detail: 'Expected HTTP/' });
    expect(httpWellFormed.execute(checkInput(plainExchange({ earlier: [failedAttempt(why)] })))).toMatchObject({
      findings: [
        {
          mismatch: 'not-http',
          attempt: 0,
          actual: { kind: 'failure', code: 'HPE_INVALID_CONSTANT', detail: quoteText('Expected HTTP/') },
        },
      ],
    });
  });
});

describe('headers-fit', () => {
  const judge = (bytes: number) =>
    headersFit.execute(checkInput(plainExchange({ headers: { x: 'a'.repeat(bytes - 1) } })));

  it('holds below 16 KiB of names and values', () => {
    expect(judge(16_000)).toEqual({ kind: 'holds' });
  });

  it('is broken from 16 KiB on', () => {
    expect(judge(16_384)).toMatchObject({
      findings: [{ mismatch: 'size', actual: { kind: 'header-bytes' }, expected: { kind: 'small-headers' } }],
    });
  });
});

describe('key-not-echoed', () => {
  it('holds if no secret was seen', () => {
    expect(keyNotEchoed.execute(checkInput(plainExchange()))).toEqual({ kind: 'holds' });
  });

  it('ignores a masked key', () => {
    const masked = { role: 'full', form: 'raw', whole: false, place: 'body' } as const;
    expect(keyNotEchoed.execute(checkInput(plainExchange({ secretsSeen: [masked] })))).toEqual({ kind: 'holds' });
  });

  it('says where the key is, without the key', () => {
    const seen = (role: string, place: 'body' | 'header') => ({ role, form: 'raw', whole: true, place }) as const;
    const stars = '*'.repeat(20);
    const where = (exchange: Exchange) => {
      const result = keyNotEchoed.execute(checkInput(exchange));
      return result.kind === 'broken' ? result.findings.map(({ actual }) => formatActual(actual)) : [];
    };
    const error = { message: `No such key: sk-service-${stars}`, type: '********' };
    expect(where(plainExchange({ json: { error }, secretsSeen: [seen('unknown', 'body')] }))).toEqual([
      'the unknown key in the body at /error/message',
    ]);
    const headers = { server: '********', 'x-debug': stars };
    expect(where(plainExchange({ headers, secretsSeen: [seen('X-Gate', 'header')] }))).toEqual([
      'the value of the header X-Gate in the header x-debug',
    ]);
    const chunk = { choices: [{ index: 0, delta: { content: stars } }] };
    expect(where(streamExchange({ events: [{ choices: [] }, chunk], secretsSeen: [seen('full', 'body')] }))).toEqual([
      'the full key in the body at /1/choices/0/delta/content',
    ]);
    expect(where(plainExchange({ text: stars, secretsSeen: [seen('full', 'body')] }))).toEqual([
      'the full key in the body',
    ]);
  });

  it('is broken by each place and form, counted', () => {
    const seen = (place: 'body' | 'header', form: 'raw' | 'hex') => ({ role: 'full', form, whole: true, place });
    const exchanges = [
      plainExchange({ id: 'a', secretsSeen: [seen('body', 'raw'), seen('header', 'raw')] }),
      plainExchange({ id: 'b', secretsSeen: [seen('body', 'raw')] }),
    ];
    expect(keyNotEchoed.execute(checkInput(exchanges))).toMatchObject({
      kind: 'broken',
      findings: [
        { exchange: 'a', actualType: 'raw-in-body', more: 1 },
        { exchange: 'a', actualType: 'raw-in-header', more: 0 },
      ],
    });
  });
});
