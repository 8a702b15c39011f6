import { describe, expect, it } from 'vitest';
import {
  base64,
  escapeAll,
  hex,
  KEY,
  percentAll,
  RANDOM,
  redactBody,
  redactor,
  stars,
} from '../../../test/kit/redaction.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { collectSecrets } from './secrets.ts';
import { randomNumbers } from '../../random.ts';

describe('a secret in a body', () => {
  it('is redacted byte for byte, except for the public prefix', () => {
    expect(redactBody(`{"key":"${KEY}"}`)).toEqual({
      text: `{"key":"sk-service-${stars(RANDOM.length)}"}`,
      seen: [{ role: 'full', form: 'raw', whole: true }],
    });
  });

  it('is redacted in part: any eight characters in a row, and no fewer', () => {
    for (let start = 0; start + 8 <= RANDOM.length; start++) {
      const run = RANDOM.slice(start, start + 8);
      expect(redactBody(`<${run}>`).text).toBe(`<${stars(8)}>`);
      expect(redactBody(`<${run.slice(1)}>`).text).toBe(`<${run.slice(1)}>`);
    }
  });

  it('counts as whole only if nearly all of it is present, unlike the ends of a masked key', () => {
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
    ['raw', RANDOM.toUpperCase()],
    ['raw', RANDOM.toLowerCase()],
    ['raw', Array.from(RANDOM, (letter, at) => (at % 3 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join('')],
    ['hex', Buffer.from(RANDOM).toString('hex')],
    ['hex', Buffer.from(RANDOM).toString('hex').toUpperCase()],
    ['base64', base64(RANDOM).toLowerCase()],
  ])('is redacted in its %s form: %s', (form, text) => {
    expect(redactBody(`{"a":"${text}"}`)).toEqual({
      text: `{"a":"${stars(text.length)}"}`,
      seen: [{ role: 'full', form, whole: expect.any(Boolean) as boolean }],
    });
  });

  it.each([0, 1, 2, 3, 4, 5])('leaves no part of it in base64 after %i other bytes', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${'?'.repeat(before)}${KEY}:???`).toString(encoding);
      const { text, seen } = redactBody(`Basic ${encoded}.`);
      expect(seen).toEqual([{ role: 'full', form: 'base64', whole: true }]);
      const left = Buffer.from(text.slice(6).replaceAll('*', 'A'), encoding).toString('latin1');
      for (let start = 0; start + 3 <= RANDOM.length; start++)
        expect(left).not.toContain(RANDOM.slice(start, start + 3));
    }
  });

  it.each<[string, Buffer | string]>([
    ['line breaks in its base64', base64(RANDOM).replaceAll(/.{7}/g, '$&\r\n')],
    ['escaped line breaks in its base64', base64(RANDOM).replaceAll(/.{7}/g, '$&\\r\\n')],
    ['escaped slashes in its base64', base64(`???${RANDOM}`).replaceAll('/', '\\/')],
    ['a line break in the middle', `${RANDOM.slice(0, 12)}\n${RANDOM.slice(12)}`],
    ['two bytes per character', Buffer.from(RANDOM, 'utf16le')],
    ['two bytes per character in big-endian order', Buffer.from(RANDOM, 'utf16le').swap16()],
  ])('is redacted with %s, and everything in between stays', (_what, spelled) => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(spelled as string), Buffer.from('"}')]);
    const before = bytes.toString('latin1');
    const { seen } = redactor().body(bytes);
    expect(seen).toEqual([{ role: 'full', form: expect.any(String) as string, whole: true }]);
    const after = bytes.toString('latin1');
    expect(after.replaceAll(/\\[rn]|[^\w*]/g, '').replaceAll('*', '')).toMatch(/^\w{1,5}$/);
    for (const kept of ['{"a":"', '"}']) expect(after).toContain(kept);
    for (const between of ['\r', '\n', '\0', '\\r\\n'])
      expect(after.split(between)).toHaveLength(before.split(between).length);
  });

  it('is found in both alphabets of base64', () => {
    const key = 'sk-service-~~~???>>>~~~???>>>';
    for (const encoding of ['base64', 'base64url'] as const) {
      expect(redactBody(Buffer.from(key).toString(encoding), { full: key }).seen).toEqual([
        { role: 'full', form: 'base64', whole: true },
      ]);
    }
  });

  it('is reported with its role', () => {
    const restricted = 'sk-service-hhhhGGGGffffEEEE';
    const changes = { headers: [{ name: 'X-Gate', value: 'Basic c2VjcmV0LXZhbHVl', secret: true }] };
    const { seen } = redactBody(`hhhhGGGG c2VjcmV0LXZhbHVl`, { full: KEY, restricted }, changes);
    expect(seen).toEqual([
      { role: 'restricted', form: 'raw', whole: false },
      { role: 'X-Gate', form: 'raw', whole: true },
    ]);
  });

  it('may also be a made-up key', () => {
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

  it('does not make JSON unreadable inside a number', () => {
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

  it('does not survive in random surroundings', () => {
    const random = randomNumbers(4);
    const redacting = redactor();
    for (let round = 0; round < 500; round++) {
      const noise = () =>
        Array.from({ length: Math.floor(random() * 20) }, () => '\\%u"ab0Q'[Math.floor(random() * 8)]).join('');
      const bytes = Buffer.from(`${noise()}"${KEY}"${noise()}`);
      redacting.body(bytes);
      expect(bytes.toString()).not.toContain('Zr2Xw9Lm');
    }
  });

  it('is searched for in linear time, whatever the text contains', () => {
    // So many bytes would take minutes if the time grew with their square.
    const redacting = redactor();
    const texts = ['\\', '\\u0041', '%', '%41', '&', '&#65', '&amp;', '{"a":"b"}', 'data:\n', 'x data:', '\n', '\0'];
    const secrets = [`${RANDOM} `, `${RANDOM}\n`, `${base64(RANDOM)}!`, percentAll(RANDOM), escapeAll(RANDOM)];
    for (const piece of [...texts, ...secrets]) {
      const bytes = Buffer.alloc(256 * 1024, piece);
      redacting.body(bytes);
      expect(bytes.includes(RANDOM.slice(0, 4))).toBe(false);
    }
  });

  it('leaves ordinary text alone even if the key consists of hex digits', () => {
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
