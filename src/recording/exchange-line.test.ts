import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { fromLine, toLine } from './exchange-line.ts';

function exchange(bytes: Uint8Array, mode: 'plain' | 'stream' = 'plain'): Exchange {
  return {
    id: 'chat#2',
    step: 'chat',
    seeks: 'answer',
    request: { endpoint: 'chat', mode, method: 'POST', path: '/chat/completions', headers: [['a', 'b']], key: 'full' },
    attempts: [
      {
        sentAt: 1.25,
        pause: 0,
        outcome: { kind: 'none', failure: { kind: 'closed', code: 'ECONNRESET', detail: 'reset' } },
        secretsSeen: [],
      },
      {
        sentAt: 2.000_000_1,
        pause: 3,
        outcome: {
          kind: 'answer',
          answer: {
            status: 200,
            httpVersion: '1.1',
            headers: [['content-type', 'text/event-stream']],
            interim: 0,
            headersAt: 0.1 + 0.2,
            endAt: 9.9,
            lateness: 0,
            body: { bytes, reads: [{ at: 1, bytes: bytes.length }], end: { kind: 'complete' }, maxDepth: 200 },
          },
        },
        secretsSeen: [{ role: 'full', form: 'raw', whole: true, place: 'body' }],
      },
    ],
    controlAfter: 'answered',
  };
}

function throughText(exchange: Exchange): Exchange {
  return fromLine(JSON.parse(JSON.stringify(toLine(exchange, { control: 'models' }))), 200);
}

const BODIES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['no bytes', []],
  ['text', [...Buffer.from('{"a":"grüß 👋🏽"}')]],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
  ['a lone byte of a character', [0x7b, 0xe2, 0x82]],
  ['control characters', [0, 1, 0x0a, 0x0d, 0x22, 0x5c, 0x7f]],
  ['bytes that are no text', [0xff, 0xfe, 0x00, 0x80]],
];

describe('an exchange as a line', () => {
  it.each(BODIES)('round-trips byte for byte: %s', (_name, bytes) => {
    const before = exchange(Buffer.from(bytes));
    const after = throughText(before);
    expect(after).toEqual(before);
    const outcome = after.attempts[1]?.outcome;
    expect(outcome?.kind === 'answer' && [...outcome.answer.body.bytes]).toEqual(bytes);
  });

  it('has the time and the size of each event of a stream', () => {
    const line = toLine(exchange(Buffer.from('event: ping\ndata: {"a":1}\n\ndata: grün\n\n'), 'stream'));
    expect(line.attempts[1]).toMatchObject({
      answer: {
        events: [
          { at: 1, event: 'ping', bytes: 7 },
          { at: 1, bytes: 5 },
        ],
      },
    });
  });

  it('says which events of a stream have text', () => {
    const events = [
      '{"choices":[{"index":0,"delta":{"role":"assistant"}}]}',
      '{"choices":[{"index":0,"delta":{"content":"a"}}]}',
    ];
    const line = toLine(exchange(Buffer.from(events.map((data) => `data: ${data}\n\n`).join('')), 'stream'));
    expect(line.attempts[1]).toMatchObject({ answer: { events: [{ bytes: 54 }, { bytes: 49, hasText: true }] } });
    expect(JSON.stringify(line).match(/hasText/g)).toHaveLength(1);
  });

  it('names its control', () => {
    expect(toLine(exchange(Buffer.from('')), { control: 'models' }).control).toBe('models');
  });
});
