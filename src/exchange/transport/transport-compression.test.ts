import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerOf, counted, receivePieces, textOf } from '../../../test/kit/raw-target.ts';
import { LIGHT_ENCODINGS } from './decompression.ts';

const MiB = 1024 * 1024;

/** Mebibytes of zeros as gzip. They need not all be compressed: a block after a full flush can be repeated. */
function bombOf(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MiB), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([gzipSync('').subarray(0, 10), ...Array.from({ length: mebibytes }, () => block)]);
}

describe('a compressed body', () => {
  const text = JSON.stringify({ text: 'ä€😀'.repeat(5000) });
  const encode = (bytes: Uint8Array, encoding: string) => [counted(bytes, [`Content-Encoding: ${encoding}`])];

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip\r\nContent-Encoding: br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('is decoded: %s', async (encoding, bytes) => {
    const sent = await receivePieces(encode(bytes, encoding));
    expect([textOf(sent), answerOf(sent).body.end]).toEqual([text, { kind: 'complete' }]);
  });

  it('is decoded when it arrives byte by byte', async () => {
    const bytes = gzipSync('hello');
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    expect(textOf(await receivePieces([head, ...Array.from(bytes, (byte) => Uint8Array.of(byte))]))).toBe('hello');
  });

  it.each([
    ['is not what it says', Buffer.from('{"object":"list"}')],
    ['breaks off', gzipSync(text).subarray(0, 30)],
    ['is damaged at its end', Buffer.concat([gzipSync('hello').subarray(0, -8), Buffer.alloc(8)])],
    ['is followed by something else', Buffer.concat([gzipSync('hello'), Buffer.from('garbage')])],
  ])('is undecodable when it %s', async (_name, bytes) => {
    expect(answerOf(await receivePieces(encode(bytes, 'gzip'))).body.end.kind).toBe('undecodable');
  });

  it('keeps everything decoded before the error', async () => {
    const long = randomBytes(100_000).toString('hex');
    const packed = gzipSync(long);
    const cut = packed.subarray(0, packed.length >> 1);
    const damaged = Buffer.concat([cut, Buffer.alloc(1_000, 0xff)]);
    for (const bytes of [cut, damaged]) {
      const sent = await receivePieces(encode(bytes, 'gzip'));
      expect(answerOf(sent).body.end.kind).toBe('undecodable');
      expect(textOf(sent).length).toBeGreaterThan(50_000);
      expect(long.startsWith(textOf(sent).slice(0, 50_000))).toBe(true);
    }
    expect(textOf(await receivePieces(encode(Buffer.from('{"object":"list"}'), 'gzip')))).toBe('');
  });

  it('is not decoded in an encoding that we know and did not ask for', async () => {
    const light = { encodings: LIGHT_ENCODINGS };
    const asked = await receivePieces(encode(gzipSync(text), 'gzip'), 'open', light);
    expect(textOf(asked)).toBe(text);
    const unasked = await receivePieces(encode(brotliCompressSync(text), 'br'), 'open', light);
    expect([textOf(unasked), answerOf(unasked).body.end]).toEqual(['', { kind: 'limit', limit: 'max-total' }]);
  });

  it('is not encoded if its encoding is none', async () => {
    expect(answerOf(await receivePieces(encode(Buffer.from(text), 'none'))).body.end.kind).toBe('complete');
  });

  it('is undecodable in an encoding that was not requested, and kept as received', async () => {
    const sent = await receivePieces(encode(Buffer.from('????'), 'zstd'));
    expect(answerOf(sent).body.end).toEqual({
      kind: 'undecodable',
      detail: expect.stringContaining('zstd'),
      raw: true,
    });
    expect(textOf(sent)).toBe('????');
  });

  it('is cut, not undecodable, when the connection broke', async () => {
    const bytes = gzipSync(Buffer.concat([Buffer.from('hello'), Buffer.alloc(100_000)])).subarray(0, 60);
    const sent = await receivePieces(
      [`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n`, bytes],
      'end',
    );
    expect(answerOf(sent).body.end.kind).toBe('cut');
    expect(textOf(sent).startsWith('hello')).toBe(true);
  });

  it('is complete when it is empty', async () => {
    const sent = await receivePieces(encode(new Uint8Array(), 'gzip'));
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['', { kind: 'complete' }]);
  });

  it('ends at the limit when it would expand to 600 megabytes, and never uses that much memory', async () => {
    const bomb = bombOf(600);
    const before = process.memoryUsage.rss();
    let peak = 0;
    const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
    const sent = await receivePieces(encode(bomb, 'gzip'));
    clearInterval(sampler);
    expect(answerOf(sent).body.end).toEqual({ kind: 'limit', limit: 'max-body' });
    expect(answerOf(sent).body.bytes).toHaveLength(4 * MiB);
    expect((Math.max(peak, process.memoryUsage.rss()) - before) / MiB).toBeLessThan(80);
  });

  it('ends at the limit even with nested compression', async () => {
    const bomb = gzipSync(bombOf(50));
    expect(answerOf(await receivePieces(encode(bomb, 'gzip, gzip'))).body.end).toEqual({
      kind: 'limit',
      limit: 'max-body',
    });
  });
});
