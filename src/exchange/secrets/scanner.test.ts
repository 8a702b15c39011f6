import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { createScanner } from './scanner.ts';

const RANDOM = 'Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';
const KEY = `sk-service-${RANDOM}`;

const scannerOf = (keys: Keys, changes: Partial<Settings> = {}) =>
  createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://localhost/v1', ...changes }, keys);
const scanner = scannerOf({ full: KEY });
const isFound = (content: Uint8Array | string, by = scanner) => by.scan(content).pieces.size > 0;
const base64 = (content: Uint8Array | string) => Buffer.from(content as Uint8Array).toString('base64');

describe('the scan of what was written', () => {
  it.each<[string, Uint8Array | string]>([
    ['as it is', `{"text":"no such key: ${KEY}"}`],
    ['in part', `ends in ${RANDOM.slice(-8)}`],
    ['as base64', `{"basic":"${base64(`user:${KEY}`)}"}`],
    ['as hex', Buffer.from(KEY).toString('hex')],
    ['with JSON escapes', JSON.stringify(Array.from(RANDOM, (letter) => `\\u00${hex(letter)}`).join(''))],
    ['with percent signs', Array.from(RANDOM, (letter) => `%${hex(letter)}`).join('')],
    ['with references', Array.from(RANDOM, (letter) => `&#x${hex(letter)};`).join('')],
    ['in gzip', gzipSync(`many words and ${KEY}`)],
    ['in gzip behind other bytes', Buffer.concat([Buffer.from('{"a":"'), gzipSync(`many words and ${KEY}`)])],
    ['in UTF-16', Buffer.from(`{"text":"${KEY}"}`, 'utf16le')],
    ['in another case', `{"text":"${KEY.toUpperCase()}"}`],
    ['with percent signs twice', Array.from(RANDOM, (letter) => `%25${hex(letter)}`).join('')],
    ['in base64 of gzip', `{"body":"${base64(gzipSync(`${'words '.repeat(50)}${KEY}`))}"}`],
    ['in base64 of base64', base64(`{"inner":"${base64(`xx${KEY}`)}"}`)],
    ['in gzip of JSON with base64 of gzip', gzipSync(JSON.stringify({ a: base64(gzipSync(KEY.repeat(3))) }))],
    [
      'over two events',
      `data: {"choices":[{"delta":{"content":"${RANDOM.slice(0, 7)}"}}]}\n\n`.concat(
        `data: {"choices":[{"delta":{"content":"${RANDOM.slice(7, 14)}"}}]}\n\n`,
      ),
    ],
  ])('finds a key %s', (_form, content) => {
    expect(isFound(content)).toBe(true);
  });

  it('finds nothing where there is no more than the prefix, or seven characters in a row', () => {
    expect(isFound(`sk-service-, ${RANDOM.slice(3, 10)}, ${'*'.repeat(40)}`)).toBe(false);
    expect(isFound(gzipSync('nothing'))).toBe(false);
    expect(isFound('')).toBe(false);
  });

  it('reads a key through the escapes that Markdown, XML and HTML put into it', () => {
    const odd = scannerOf({ full: 'sk-service-a_b*c<d>e&f"g-h' });
    expect(isFound('a\\_b\\*c\\<d\\>e\\&f', odd)).toBe(true);
    expect(isFound('a_b*c&lt;d&gt;e&amp;f&quot;g', odd)).toBe(true);
    // Wherever in a long text it stands.
    for (let before = 1024 * 1024 - 24; before <= 1024 * 1024; before += 1)
      expect(isFound(`${' '.repeat(before)}a_b*c&lt;d&gt;e&amp;f`, odd)).toBe(true);
  });

  it('knows every credential of a run: extra keys, near misses, made ones, secret headers', () => {
    const headers = [{ name: 'X-Tenant', value: 'Basic hunter2-hunter2', secret: true }];
    const all = scannerOf({ full: KEY, exhausted: 'sk-service-Ex4ustedEx4usted' }, { headers });
    expect(isFound('Ex4usted', all)).toBe(true);
    expect(isFound('hunter2-hunter2', all)).toBe(true);
    expect(isFound('hunter2-', all)).toBe(false);
  });

  it('tells a whole secret from a part of one', () => {
    expect(scanner.scan(KEY).whole).toBe(true);
    expect(scanner.scan(RANDOM.slice(0, 9)).whole).toBe(false);
  });

  it('goes on where what looks packed is not', () => {
    expect(isFound(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]))).toBe(false);
  });

  it('blanks in a text what it would find', () => {
    expect(scanner.clean(`Error: ${KEY} at x.js:1`)).toBe(`Error: sk-service-${'*'.repeat(RANDOM.length)} at x.js:1`);
  });
});

function hex(letter: string): string {
  return letter.charCodeAt(0).toString(16);
}
