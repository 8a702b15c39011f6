import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf } from './digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it.each<[unknown, string]>([
  [{ b: 1, a: [true, null, 'é\n'] }, '{"a":[true,null,"é\\n"],"b":1}'],
  // Engines sort names that look like numbers by value; the canonical form sorts them as texts.
  [{ 9: 'nine', 10: 'ten', a: {} }, '{"10":"ten","9":"nine","a":{}}'],
  [{ a: undefined, b: [undefined], c: -0 }, '{"b":[null],"c":0}'],
  [{ '😀': 1, '\uFB33': 2 }, '{"😀":1,"\uFB33":2}'],
  [1e21, '1e+21'],
])('The digest of %j is that of its canonical JSON (RFC 8785)', (value, canonical) => {
  expect(digestOf(value)).toBe(sha256(canonical));
});

it('A long value is hashed in pieces', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => `item ${index} 潮`);
  expect(digestOf(items)).toBe(sha256(JSON.stringify(items)));
});
