import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { createScanner } from './scanner.ts';

const RANDOM = 'Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';
const KEY = `sk-service-${RANDOM}`;

const scannerOf = (keys: Keys, changes: Partial<Settings> = {}) =>
  createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://localhost/v1', ...changes }, keys);
const scanner = scannerOf({ full: KEY });
const base64 = (content: Uint8Array | string) => Buffer.from(content as Uint8Array).toString('base64');
const hex = (letter: string) => letter.charCodeAt(0).toString(16);

describe('the scan of written files', () => {
  it.each<[string, string]>([
    ['as it is', `{"text":"no such key: ${KEY}"}`],
    ['without its prefix', `{"text":"no such key: ${RANDOM}"}`],
    ['cut by a preview', `ends in …${RANDOM.slice(-20)}`],
    ['in another case', `{"text":"${KEY.toUpperCase()}"}`],
    ['as base64', `{"basic":"${base64(`user:${KEY}`)}"}`],
    ['as wrapped base64', base64(`user:${KEY}`).replaceAll(/.{16}/g, '$&\n')],
    ['as hex', Buffer.from(KEY).toString('hex')],
    ['with JSON escapes', JSON.stringify(Array.from(RANDOM, (letter) => `\\u00${hex(letter)}`).join(''))],
    ['with percent signs', Array.from(RANDOM, (letter) => `%${hex(letter)}`).join('')],
    ['with HTML references', Array.from(RANDOM, (letter) => `&#x${hex(letter)};`).join('')],
    ['in UTF-16', Buffer.from(`{"text":"${KEY}"}`, 'utf16le').toString()],
    [
      'over two events',
      `data: {"choices":[{"delta":{"content":"${RANDOM.slice(0, 12)}"}}]}\n\n`.concat(
        `data: {"choices":[{"delta":{"content":"${RANDOM.slice(12)}"}}]}\n\n`,
      ),
    ],
  ])('finds a key %s', (_form, content) => {
    expect(scanner.findsIn(content)).toBe(true);
  });

  it('finds nothing in the prefix, in redacted keys, or in nineteen characters, which could be our own words', () => {
    expect(scanner.findsIn(`sk-service-, ${RANDOM.slice(3, 22)}, ${'*'.repeat(40)}`)).toBe(false);
    expect(scanner.findsIn('')).toBe(false);
  });

  it('matches a short key as a whole, with its prefix', () => {
    const short = scannerOf({ full: 'sk-service-test-gateway' });
    expect(short.findsIn('a report on the test-gateway')).toBe(false);
    expect(short.findsIn('no such key: sk-service-test-gateway')).toBe(true);
  });

  it('reads a key through the escapes that Markdown, XML and HTML put into it', () => {
    const odd = scannerOf({ full: 'sk-service-a_b*c<d>e&f"g-h_i*j<k>' });
    expect(odd.findsIn('a\\_b\\*c\\<d\\>e\\&f\\"g-h\\_i\\*j\\<k\\>')).toBe(true);
    expect(odd.findsIn('a_b*c&lt;d&gt;e&amp;f&quot;g-h_i*j&lt;k&gt;')).toBe(true);
  });

  it.each([1, 7, 100])('finds a key in parts of %i bytes', async (size) => {
    const content = Buffer.from(
      `words ${Array.from(KEY, (letter) => `&#0000${letter.charCodeAt(0)};`).join('')} words`,
    );
    async function* parts() {
      for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
    }
    expect(await scanner.findsInParts(parts())).toBe(true);
    expect(await scannerOf({ full: `sk-service-${'z9'.repeat(20)}` }).findsInParts(parts())).toBe(false);
  });

  it('covers every credential of a run: extra keys, near misses, made-up keys and secret headers', () => {
    const headers = [{ name: 'X-Tenant', value: 'Basic hunter2-hunter2-hunter2', secret: true }];
    const all = scannerOf({ full: KEY, exhausted: `sk-service-${'Ex4usted'.repeat(3)}` }, { headers });
    expect(all.findsIn('Ex4usted'.repeat(3))).toBe(true);
    expect(all.findsIn('hunter2-hunter2-hunter2')).toBe(true);
    expect(all.findsIn('hunter2-')).toBe(false);
  });

  it('redacts any eight characters of a key in a text', () => {
    expect(scanner.clean(`Error: ${KEY} at x.js:1`)).toBe(`Error: sk-service-${'*'.repeat(RANDOM.length)} at x.js:1`);
    expect(scanner.clean(`Error: ${RANDOM.slice(4, 12)}`)).toBe(`Error: ${'*'.repeat(8)}`);
  });

  const BASE_URL = 'http://gateway.example.internal:8443/v1';
  it.each([
    ['is the base URL', BASE_URL],
    ['is the origin', 'http://gateway.example.internal:8443'],
    ['is the host and the port', 'gateway.example.internal:8443'],
    ['is the host in another case', 'GATEWAY.example.internal'],
    ['is the address of the chat endpoint', `${BASE_URL}/chat/completions`],
    ['has the base URL in it', `origin=${BASE_URL};token=hunter2-hunter2-hunter2`],
  ])('leaves the address of the target alone if a secret header %s', (_what, value) => {
    const open = scannerOf({ full: KEY }, { baseUrl: BASE_URL, headers: [{ name: 'X-Origin', value, secret: true }] });
    expect(open.findsIn(`POST ${BASE_URL}/chat/completions, GET ${BASE_URL}/models`)).toBe(false);
    expect(open.findsIn('token=hunter2-hunter2-hunter2')).toBe(value.includes('hunter2'));
    expect(open.findsIn(`${BASE_URL}?key=${KEY}`)).toBe(true);
  });
});
