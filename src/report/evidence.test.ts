import { describe, expect, it } from 'vitest';
import { COMPLETION, failure, plainExchange, streamExchange } from '../../test/kit/exchanges.ts';
import { countVerdicts, groupBy, worstVerdict } from './counts.ts';
import { evidenceOf } from './evidence.ts';

const KiB = 1024;

describe('bodies', () => {
  const bodyOf = (text: string) => evidenceOf(plainExchange({ text })).attempts[0]?.answer?.body;

  it('A short body is kept whole', () => {
    expect(bodyOf('{"a":"ö"}')).toEqual({ text: '{"a":"ö"}', bytes: 10, shown: 10, end: { kind: 'complete' } });
  });

  it('A long body is truncated, with its original length', () => {
    const body = bodyOf('x'.repeat(20 * KiB));
    expect(body).toMatchObject({ bytes: 20 * KiB, shown: 16 * KiB });
    expect(body?.text).toHaveLength(16 * KiB);
  });

  it('A character split by the truncation is dropped, not replaced', () => {
    expect(bodyOf(`x${'ö'.repeat(10 * KiB)}`)?.text).not.toContain('\uFFFD');
    expect(bodyOf(`x${'ö'.repeat(10)}`)?.text).toBe(`x${'ö'.repeat(10)}`);
  });

  it('A byte order mark and invalid UTF-8 are visible', () => {
    expect(bodyOf('\uFEFF{}')?.text).toBe('\uFEFF{}');
    const { attempts } = evidenceOf(plainExchange({ bytes: new Uint8Array([0x61, 0xff]) }));
    expect(attempts[0]?.answer?.body.text).toBe('a\uFFFD');
  });

  it('A request body is truncated as well', () => {
    const exchange = plainExchange({ request: { body: 'x'.repeat(80 * KiB) } });
    expect(evidenceOf(exchange).body).toHaveLength(64 * KiB);
    expect(evidenceOf({ ...exchange, side: 'upstream' }).body).toHaveLength(16 * KiB);
    expect(evidenceOf(plainExchange())).not.toHaveProperty('body');
  });
});

describe('attempts', () => {
  it('All attempts are kept, including those without an answer', () => {
    const exchange = plainExchange({ earlier: plainExchange({ failure: failure('closed') }).attempts });
    const [first, second] = evidenceOf(exchange).attempts;
    expect(first?.failure?.kind).toBe('closed');
    expect(first).not.toHaveProperty('answer');
    expect(second?.answer?.status).toBe(200);
  });

  it('Times are rounded to hundredths', () => {
    const [attempt] = plainExchange().attempts;
    if (!attempt) throw new Error('no attempt');
    expect(
      evidenceOf({ ...plainExchange(), attempts: [{ ...attempt, sentAt: 1.23456, pause: 0.999 }] }).attempts[0],
    ).toMatchObject({ sentAt: 1.23, pause: 1 });
  });

  it('Later information about the control is kept', () => {
    expect(evidenceOf(plainExchange({ controlAfter: 'answered' })).controlAfter).toBe('answered');
  });
});

describe('streams', () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };

  it('Events and reads are kept, with how the stream ended', () => {
    const stream = evidenceOf(streamExchange({ events: [chunk, '[DONE]'] })).attempts[0]?.answer?.stream;
    expect(stream).toMatchObject({
      end: 'done',
      eventCount: 2,
      comments: 0,
      events: [{ data: JSON.stringify(chunk), hasText: true }, { data: '[DONE]' }],
    });
    expect(stream?.reads).toHaveLength(2);
  });

  it('Only the first of many events are kept, but all are counted', () => {
    const stream = evidenceOf(streamExchange({ events: Array.from({ length: 700 }, () => chunk) })).attempts[0]?.answer
      ?.stream;
    expect([stream?.events.length, stream?.eventCount, stream?.reads.length]).toEqual([200, 700, 500]);
    const long = evidenceOf(streamExchange({ events: ['x'.repeat(9_000)] })).attempts[0]?.answer?.stream;
    expect(long?.events[0]?.data).toHaveLength(KiB);
  });

  it('A refused stream and a plain completion have no stream evidence', () => {
    expect(evidenceOf(streamExchange({ status: 400, text: '{}' })).attempts[0]?.answer).not.toHaveProperty('stream');
    expect(evidenceOf(plainExchange({ json: COMPLETION })).attempts[0]?.answer).not.toHaveProperty('stream');
  });
});

describe('counts', () => {
  it('Verdicts from worst to best are fail, inconclusive, warn, pass, observed, skipped', () => {
    const order = ['fail', 'inconclusive', 'warn', 'pass', 'observed', 'skipped'] as const;
    for (const [place, name] of order.entries()) expect(worstVerdict(order.slice(place).toReversed())).toBe(name);
    expect(worstVerdict([])).toBeUndefined();
  });

  it('Every verdict has a count, even if it is zero', () => {
    expect(countVerdicts(['pass', 'pass', 'fail'])).toEqual({
      fail: 1,
      inconclusive: 0,
      warn: 0,
      pass: 2,
      observed: 0,
      skipped: 0,
    });
  });

  it('Groups are in order of first appearance', () => {
    expect([...groupBy(['b1', 'a1', 'b2'], (item) => item.charAt(0))]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ]);
  });
});
