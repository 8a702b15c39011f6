import { describe, expect, it } from 'vitest';
import type { Body } from '../exchange.ts';
import { endOfJson, readJson } from './json-text.ts';

function bodyOf(content: string | Uint8Array, maxDepth = 200): Body {
  const bytes = Buffer.from(content as Uint8Array);
  return { bytes, reads: [{ at: 0, bytes: bytes.length }], end: { kind: 'complete' }, maxDepth };
}

const read = (content: string | Uint8Array, maxDepth = 200) => readJson(bodyOf(content, maxDepth));

it.each([
  ['undecodable', '{"a":1}', 'complete'],
  ['undecodable', '{"a":', 'undecodable'],
  ['undecodable', '', 'undecodable'],
  ['cut', '{"a":1}', 'cut'],
] as const)('A body that is %s and has %j is %s', (kind, text, expected) => {
  expect(endOfJson({ ...bodyOf(text), end: { kind, detail: '' } }).kind).toBe(expected);
});

describe('a body read as JSON', () => {
  it.each([
    ['an object', '{"a":[1,2.5,-3e2,true,null,"x"]}'],
    ['a bare string', '"text"'],
    ['a number with white space around it', ' \r\n\t7 \n'],
  ])('is parsed if it is %s', (_name, text) => {
    expect(read(text)).toEqual({ kind: 'json', value: JSON.parse(text), notes: [] });
  });

  it.each(['', ' ', '\r\n\t ', '\uFEFF', '\uFEFF\n'])('is empty if it contains only whitespace: %j', (text) => {
    expect(read(text)).toEqual({ kind: 'empty' });
  });

  it.each([
    '{',
    '{"a":1}{"b":2}',
    '{"a":1} trailing',
    "{'a':1}",
    'NaN',
    '{"a":1,}',
    '\u00a0{}',
    'data: {}\n\n',
    '"\n"',
  ])('is not JSON unless it is exactly one JSON text: %j', (text) => {
    expect(read(text)).toMatchObject({ kind: 'not-json', detail: expect.not.stringMatching(/[\n\r]/) });
  });

  it('is not JSON by its beginning, wherever a character ends', () => {
    for (const letters of [253, 254, 255, 256]) {
      expect(read(`x${'y'.repeat(letters - 1)}é🌊`)).toMatchObject({ kind: 'not-json' });
    }
  });

  it.each([
    ['a stray byte', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a character that breaks off', Uint8Array.of(0x22, 0xe2, 0x82)],
    ['a surrogate written in bytes', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
  ])('is not UTF-8 if it has %s', (_name, bytes) => {
    expect(read(bytes)).toEqual({ kind: 'not-utf8' });
  });

  it('may start with a byte order mark, which is reported', () => {
    expect(read('\uFEFF{"a":1}')).toEqual({ kind: 'json', value: { a: 1 }, notes: ['byte-order-mark'] });
  });

  it('is parsed up to the allowed depth', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(read(nested(5), 5).kind).toBe('json');
    expect(read(nested(6), 5)).toEqual({ kind: 'too-deep' });
    expect(read('{"a":'.repeat(6) + '1' + '}'.repeat(6), 5)).toEqual({ kind: 'too-deep' });
  });

  it('is measured without recursion, so a million brackets do no harm', () => {
    expect(read('['.repeat(1_000_000), 200)).toEqual({ kind: 'too-deep' });
  });

  it('does not count brackets in strings', () => {
    expect(read('{"a":"[[[[[[[[[[\\"[[[[[["}', 2).kind).toBe('json');
  });

  it.each([
    ['{"a":1,"b":2,"a":3}', 'conflicting-member'],
    ['[{"x":{"a":1,"\\u0061":2}}]', 'conflicting-member'],
    ['{"a":[1,{"b":"x,"}],"c":{}, "a" : [1, {"b":"x,"}] }', 'duplicate-member'],
    ['{"a":1.0,"a":1}', 'duplicate-member'],
    ['{"a":{"b":1},"a":{"b":2}}', 'conflicting-member'],
    ['{"n":9007199254740993}', 'unsafe-number'],
    ['{"n":-123456789012345678901}', 'unsafe-number'],
    ['[1e400]', 'unsafe-number'],
    [`[${'9'.repeat(100_000)}]`, 'unsafe-number'],
    ['{"s":"\\ud83d"}', 'lone-surrogate'],
    ['["\\ude00\\ud83d"]', 'lone-surrogate'],
    ['{"\\ud83d":1}', 'lone-surrogate'],
    ['{"a":{"__proto__":{"admin":true}}}', 'proto-member'],
  ])('has its oddities reported: %s', (text, note) => {
    expect(read(text)).toMatchObject({ kind: 'json', notes: [note] });
  });

  it.each([
    '{"a":{"x":1},"b":{"x":1}}',
    '[{"x":1},{"x":1}]',
    '{"a":"a","b":["a","a"]}',
    '{"n":9007199254740991,"m":-9007199254740991,"k":9007199254740992}',
    '{"n":0.1,"m":1e21,"k":123456789.123456789123456789}',
    '{"s":"\\ud83d\\ude00 \\\\ud83d"}',
    '{"proto":"__proto__"}',
    '{"a\\"b":1,"a":2}',
  ])('has nothing reported that is not odd: %s', (text) => {
    expect(read(text)).toMatchObject({ kind: 'json', notes: [] });
  });

  it('keeps a __proto__ member as a plain member', () => {
    const reading = read('{"__proto__":{"admin":true}}');
    if (reading.kind !== 'json') throw new Error(reading.kind);
    expect((reading.value as { admin?: boolean }).admin).toBeUndefined();
    expect(Object.keys(reading.value as object)).toEqual(['__proto__']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('is parsed once even if it is large, as long as no other large one is read', () => {
    const [first, other] = [bodyOf(`["${'x'.repeat(300_000)}"]`), bodyOf(`["${'y'.repeat(300_000)}"]`)];
    const reading = readJson(first);
    expect(readJson(first)).toBe(reading);
    expect(readJson(other)).not.toBe(reading);
    expect(readJson(first)).toEqual(reading);
  });

  it('is parsed once per depth', () => {
    const text = `["${'x'.repeat(100_000)}",[1]]`;
    expect(readJson(bodyOf(text, 5))).toBe(readJson(bodyOf(text, 5)));
    expect(readJson(bodyOf(text, 1))).toEqual({ kind: 'too-deep' });
    expect(readJson(bodyOf(text, 5)).kind).toBe('json');
  });
});
