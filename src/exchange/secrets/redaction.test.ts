import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import {
  RANDOM,
  KEY,
  redactor,
  redactBody,
  base64,
  stars,
  escapeAll,
  hex,
  percentAll,
} from '../../../test/kit/redaction.ts';
import { collectSecrets } from './secrets.ts';
import { seededRandom } from '../seeded.ts';

const gzipHeader = (name: string) => Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, ...Buffer.from(name), 0]);

describe('a secret in a body', () => {
  it('is blanked byte for byte, all but the prefix that every key has', () => {
    expect(redactBody(`{"key":"${KEY}"}`)).toEqual({
      text: `{"key":"sk-service-${stars(RANDOM.length)}"}`,
      seen: [{ role: 'full', form: 'raw', whole: true }],
    });
  });

  it('is blanked in part: any eight characters in a row, and no fewer', () => {
    for (let start = 0; start + 8 <= RANDOM.length; start++) {
      const run = RANDOM.slice(start, start + 8);
      expect(redactBody(`<${run}>`).text).toBe(`<${stars(8)}>`);
      expect(redactBody(`<${run.slice(1)}>`).text).toBe(`<${run.slice(1)}>`);
    }
  });

  it('is told apart from the ends that a masked key shows', () => {
    const isWhole = (text: string) => redactBody(text).seen.map(({ whole }) => whole);
    expect(isWhole(`no such key: ${RANDOM}`)).toEqual([true]);
    expect(isWhole(`no such key: ${RANDOM.slice(0, 10)}…${RANDOM.slice(-8)}`)).toEqual([false]);
  });

  it.each([
    ['url', percentAll(RANDOM)],
    ['url', percentAll(RANDOM, true)],
    ['url', `${RANDOM.slice(0, 5)}${percentAll(RANDOM.slice(5, 9))}${RANDOM.slice(9, 14)}`],
    ['json', escapeAll(RANDOM)],
    ['json', escapeAll('Zr2Xw9Lm', true)],
    ['json', `${RANDOM.slice(0, 4)}${escapeAll(RANDOM.slice(4, 5))}${RANDOM.slice(5, 9)}`],
    ['json', escapeAll(RANDOM).replaceAll('\\', '\\\\\\')],
    ['html', Array.from(RANDOM, (letter) => `&#${letter.charCodeAt(0)};`).join('')],
    ['html', Array.from(RANDOM, (letter) => `&#x${hex(letter.charCodeAt(0), 4, true)};`).join('')],
    ['html', Array.from(RANDOM, (letter) => `&#${letter.charCodeAt(0)}`).join('')],
    ['html', Array.from(RANDOM, (letter) => `&#x${hex(letter.charCodeAt(0), 2, false)}`).join('')],
    ['json', Array.from(RANDOM, (letter) => `\\x${hex(letter.charCodeAt(0), 2, false)}`).join('')],
    ['json', Array.from(RANDOM, (letter) => `\\u{${hex(letter.charCodeAt(0), 2, false)}}`).join('')],
    ['url', percentAll(RANDOM).replaceAll('%', '%25')],
    ['url', percentAll(RANDOM).replaceAll('%', '%2525')],
    ['url', `${RANDOM.slice(0, 5)}${percentAll(RANDOM.slice(5, 9)).replaceAll('%', '%25')}${RANDOM.slice(9, 14)}`],
    ['url', percentAll(RANDOM).replaceAll('%', '\\u0025')],
    ['url', percentAll(RANDOM).replaceAll('%', '&#37;')],
    ['url', percentAll(RANDOM).replaceAll('%', '&percnt;')],
    ['html', Array.from(RANDOM, (letter) => `&amp;#${letter.charCodeAt(0)};`).join('')],
    ['json', encodeURIComponent(escapeAll(RANDOM))],
    ['json', encodeURIComponent(encodeURIComponent(escapeAll(RANDOM)))],
    ['raw', RANDOM.toUpperCase()],
    ['raw', RANDOM.toLowerCase()],
    ['raw', Array.from(RANDOM, (letter, at) => (at % 3 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join('')],
    ['raw', Array.from(RANDOM).toReversed().join('')],
    ['hex', Buffer.from(RANDOM).toString('hex')],
    ['hex', Buffer.from(RANDOM).toString('hex').toUpperCase()],
    ['base64', base64(RANDOM).toLowerCase()],
  ])('is blanked in its %s form: %s', (form, text) => {
    expect(redactBody(`{"a":"${text}"}`)).toEqual({
      text: `{"a":"${stars(text.length)}"}`,
      seen: [{ role: 'full', form, whole: expect.any(Boolean) as boolean }],
    });
  });

  it.each([0, 1, 2, 3, 4, 5])('leaves no run of it in base64 when %i bytes stand before it', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${'?'.repeat(before)}${KEY}:???`).toString(encoding);
      const { text, seen } = redactBody(`Basic ${encoded}.`);
      expect(seen).toEqual([{ role: 'full', form: 'base64', whole: true }]);
      const left = Buffer.from(text.slice(6).replaceAll('*', 'A'), encoding).toString('latin1');
      for (let start = 0; start + 3 <= RANDOM.length; start++)
        expect(left).not.toContain(RANDOM.slice(start, start + 3));
    }
  });

  it.each<[string, string]>([
    ['base64 of base64', base64(base64(KEY))],
    ['base64 of base64 right behind other digits', `a/${base64(base64(KEY))}`],
    ['hex of base64', Buffer.from(base64(KEY)).toString('hex')],
    ['base64 of hex of base64', base64(Buffer.from(base64(KEY)).toString('hex'))],
    ['base64 of gzip', base64(gzipSync(`words and ${KEY}`))],
    ['base64 of JSON escapes', base64(escapeAll(RANDOM))],
  ])('is blanked as %s', (_packing, packed) => {
    const { text, seen } = redactBody(`{"a":"${packed}"}`);
    // Nothing is left but the padding, and what stood before.
    expect(text.replaceAll('=', '*')).toContain(`${stars(packed.length - 'a/'.length)}"}`);
    expect(seen).toContainEqual({ role: 'full', form: expect.any(String) as string, whole: true });
  });

  it.each<[string, Buffer | string]>([
    ['blanks between its letters', Array.from(RANDOM).join(' ')],
    ['line breaks between its letters', Array.from(RANDOM).join('\r\n')],
    ['blanks between groups of its letters', RANDOM.match(/.{4}/g)!.join(' ')],
    ['characters without width between its letters', Array.from(RANDOM).join('\u200b')],
    ['wide blanks between its letters', Array.from(RANDOM).join('\u2003')],
    ['combining characters that are not seen between its letters', Array.from(RANDOM).join('\u034f')],
    ['selectors of variations between its letters', Array.from(RANDOM).join('\ufe0f\u{e0100}')],
    ['soft hyphens between its letters', Array.from(RANDOM).join('\u00ad')],
    ['escaped characters without width between its letters', Array.from(RANDOM).join('\\u200b')],
    ['colons between its bytes in hex', Buffer.from(RANDOM).toString('hex').match(/../g)!.join(':')],
    ['dashes between its bytes in hex', Buffer.from(RANDOM).toString('hex').toUpperCase().match(/../g)!.join('-')],
    ['blanks between its bytes in hex', Buffer.from(RANDOM).toString('hex').match(/../g)!.join(' ')],
    ['a line break in its base64', base64(RANDOM).replaceAll(/.{7}/g, '$&\n')],
    ['two bytes for each letter', Buffer.from(RANDOM, 'utf16le')],
    ['two bytes for each letter, the other way round', Buffer.from(RANDOM, 'utf16le').swap16()],
  ])('is blanked with %s, and these stay', (_what, spelt) => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(spelt as string), Buffer.from('"}')]);
    const before = bytes.toString('latin1');
    const { seen } = redactor().body(bytes);
    expect(seen).toEqual([{ role: 'full', form: expect.any(String) as string, whole: true }]);
    const after = bytes.toString('latin1');
    expect(after.replaceAll(/[^\w*]|u200b/g, '').replaceAll('*', '')).toMatch(/^\w{1,5}$/);
    for (const kept of ['{"a":"', '"}']) expect(after).toContain(kept);
    for (const gap of [' ', '\r', '\n', '\0', '\u200b', ':', '-'])
      expect(after.split(gap)).toHaveLength(before.split(gap).length);
  });

  it.each<[string, Buffer]>([
    ['base64 of UTF-16', Buffer.from(base64(Buffer.from(KEY, 'utf16le')))],
    ['gzip', gzipSync(`words and ${KEY}`)],
    ['zlib', deflateSync(`words and ${KEY}`)],
    ['zlib, hardly packed', deflateSync(`words and ${KEY}`, { level: 0 })],
    ['gzip with the name of a file', Buffer.concat([gzipHeader('key.txt'), gzipSync(`words and ${KEY}`).subarray(10)])],
    [
      'base64 of gzip behind others in one run',
      Buffer.from(base64(Buffer.concat([Buffer.alloc(100, 7), gzipSync(KEY)]))),
    ],
    ['base64 of zlib', Buffer.from(base64(deflateSync(`words and ${KEY}`)))],
    ['base64 with escaped slashes of gzip', Buffer.from(base64(gzipSync(`???${KEY}`)).replaceAll('/', '\\/'))],
    ['gzip of gzip', gzipSync(gzipSync(`words and ${KEY}`))],
  ])('is blanked as %s in the middle of a body', (_packing, packed) => {
    const before = Buffer.from('{"before":"words","a":"');
    const after = Buffer.from('","after":"words"}');
    const bytes = Buffer.concat([before, packed, after]);
    const { seen } = redactor().body(bytes);
    expect(seen).toContainEqual({ role: 'full', form: expect.any(String) as string, whole: true });
    expect(bytes.subarray(0, before.length)).toEqual(before);
    const inside = bytes.subarray(before.length, -after.length).toString('latin1');
    expect(inside.replaceAll(/[*=]/g, '').length).toBeLessThanOrEqual(2);
    // What follows is not known to be no checksum.
    expect(bytes.subarray(-after.length + 8)).toEqual(after.subarray(8));
  });

  it.each([', ', ',', ' ', ',\n'])(
    'is blanked as a list of the numbers of its bytes with %j between them',
    (between) => {
      const list = [...Buffer.from(`the key ${RANDOM}`)].join(between);
      const { text, seen } = redactBody(`{"type":"Buffer","data":[${list}]}`);
      expect(seen).toEqual([{ role: 'full', form: 'raw', whole: true }]);
      const left = [...text.matchAll(/\d+/g)].slice('the key '.length).map(Number);
      expect(left.filter((number) => number !== 11 && number !== 111)).toEqual([]);
      if (between.includes(',')) expect(JSON.parse(text)).toMatchObject({ type: 'Buffer' });
    },
  );

  it.each([
    ['there is too much of it to look into', 2_000, ''],
    ['it is too large to look into', 3, 'x'.repeat(300 * 1024)],
  ])('is blanked in packed text where %s', (_why, times, more) => {
    const packed = gzipSync(`Bearer ${RANDOM}${more}`);
    const before = `{"a":"${[packed.toString('hex'), packed.toString('base64')].join('","b":"')}"}\n`.repeat(times);
    const { text } = redactBody(before);
    expect(text).toHaveLength(before.length);
    expect(text).not.toMatch(/1f8b08|H4sI/);
    for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('a');
  });

  it('leaves text alone in which much looks like the beginning of packed bytes', () => {
    const text = JSON.stringify({ content: 'so x^2 and x^3 are as before, '.repeat(5_000) });
    expect(redactBody(text).text).toBe(text);
  });

  it('is blanked in gzip that is cut', () => {
    const bytes = Buffer.concat([Buffer.from('words'), gzipSync(`words and ${KEY}`).subarray(0, -10)]);
    expect(redactor().body(bytes).seen).toEqual([{ role: 'full', form: 'raw', whole: true }]);
    expect(bytes.toString()).toBe(`words${stars(bytes.length - 5)}`);
  });

  it('takes no more time and memory for what is packed very tightly', () => {
    const bomb = base64(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    const { text } = redactBody(`{"a":"${bomb}","b":"${RANDOM}"}`);
    // Nobody has looked into it, so it goes as a whole.
    expect(text.replaceAll('=', '*')).toBe(`{"a":"${stars(bomb.length)}","b":"${stars(RANDOM.length)}"}`);
  });

  it('is found in base64 that uses either alphabet', () => {
    const key = 'sk-service-~~~???>>>~~~???>>>';
    for (const encoding of ['base64', 'base64url'] as const) {
      expect(redactBody(Buffer.from(key).toString(encoding), { full: key }).seen).toEqual([
        { role: 'full', form: 'base64', whole: true },
      ]);
    }
  });

  it('is told by whose it is', () => {
    const restricted = 'sk-service-hhhhGGGGffffEEEE';
    const changes = { headers: [{ name: 'X-Gate', value: 'Basic c2VjcmV0LXZhbHVl', secret: true }] };
    const { seen } = redactBody(`hhhhGGGG c2VjcmV0LXZhbHVl`, { full: KEY, restricted }, changes);
    expect(seen).toEqual([
      { role: 'restricted', form: 'raw', whole: false },
      { role: 'X-Gate', form: 'raw', whole: true },
    ]);
  });

  it('counts the keys that we make up as well', () => {
    const { secrets } = collectSecrets({ ...DEFAULT_SETTINGS, baseUrl: 'http://localhost/v1' }, { full: KEY });
    const unknown = secrets.find(({ role }) => role === 'unknown')!.text;
    expect(redactBody(`no such key: sk-service-unknown-${unknown}`)).toEqual({
      text: `no such key: sk-service-unknown-${stars(unknown.length)}`,
      seen: [{ role: 'unknown', form: 'raw', whole: true }],
    });
    expect(redactBody(`${KEY}x`).text).toBe(`sk-service-${stars(RANDOM.length + 1)}`);
  });

  it('leaves ordinary words alone', () => {
    const text =
      '{"max_tokens":16,"message":"Invalid sk-service- key, unknown-model","created":1712345678,"id":"chatcmpl-Qk7Zr2X"}';
    expect(redactBody(text)).toEqual({ text, seen: [] });
  });

  it('does not make JSON unreadable when it seems to start or end within an escape', () => {
    const keys = { full: 'sk-service-n0061bcdefgh' };
    for (const json of ['{"a":"\\n0061bcdefgh"}', '{"a":"x\\u0061bcdefgh\\n0061"}', '{"a":"\\\\n0061bcdefgh"}']) {
      const { text } = redactBody(json, keys);
      expect(text).toContain('*');
      expect(() => JSON.parse(text)).not.toThrow();
    }
  });

  it('does not make JSON unreadable when it stands within a number', () => {
    const { text } = redactBody('{"created":1712345678,"n":[12345678 ],"s":"12345678"}', {
      full: 'sk-service-12345678abcd',
    });
    expect(JSON.parse(text)).toEqual({ created: 1711111111, n: [11111111], s: stars(8) });
  });

  it('does not make text unreadable when it has characters beyond ASCII', () => {
    const key = 'sk-service-äöüäöüß';
    const { text } = redactBody(`{"a":"éäöüäöüßé"}`, { full: key });
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text))).not.toThrow();
    expect(text).not.toMatch(/[äöüß]/);
  });

  it('survives nowhere in random surroundings', () => {
    const random = seededRandom(4);
    const one = redactor();
    for (let round = 0; round < 500; round++) {
      const noise = () =>
        Array.from({ length: Math.floor(random() * 20) }, () => '\\%u"ab0Q'[Math.floor(random() * 8)]).join('');
      const bytes = Buffer.from(`${noise()}"${KEY}"${noise()}`);
      one.body(bytes);
      expect(bytes.toString()).not.toContain('Zr2Xw9Lm');
    }
  });

  it('is looked for in sixteen mebibytes within seconds, whatever they hold', () => {
    const one = redactor();
    const texts = [
      '\\',
      '\\u0041',
      '%',
      '%41',
      '%2525',
      '&',
      '&#65',
      '&amp;',
      '{"a":"b"}',
      'data:\n',
      'x data:',
      'x^',
      '\0',
    ];
    const packed = [
      [0x1f, 0x8b, 8, 0],
      [0x78, 0x9c, 0x4b],
      [0x78, 1, 0, 0xf0, 0xff, 0x0f, 0],
    ].map((bytes) => Buffer.from(bytes));
    const secrets = [`${RANDOM} `, Array.from(RANDOM).join(' '), `${base64(RANDOM)}!`, percentAll(percentAll(RANDOM))];
    for (const piece of [...texts, ...packed, ...secrets]) {
      const bytes = Buffer.alloc(16 * 1024 * 1024, piece);
      one.body(bytes);
      expect(bytes.includes(RANDOM.slice(0, 4))).toBe(false);
    }
  }, 120_000);

  it('leaves ordinary text alone, also where the key is made of the digits of hex', () => {
    const key = 'sk-service-9c1e7f3ab2d84056e7a1c0d93b5f2864';
    const text = JSON.stringify({
      id: 'chatcmpl-9f86d081884c7d659a2feaa0c55ad015',
      created: 1712345678,
      at: '2024-04-05T19:34:38Z',
      uuid: '01234567-89BA-4cde-8f01-23456789fedc',
      mac: '01:23:45:6b:89',
      content: 'A bad cab faced a deaf cadet; add 0.123, 45 and 67: 0x0123 456 or 8 9 a b.\n%20 &amp; &#39;x&#39;',
    });
    expect(redactBody(text, { full: key })).toEqual({ text, seen: [] });
  });
});
