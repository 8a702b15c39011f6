import { expect, test } from 'vitest';
import type { Body } from '../exchange.ts';
import { BodyMemo, clearReadings } from './body-memo.ts';

const MiB = 1024 * 1024;

function bodyOf(size: number): Body {
  return { bytes: new Uint8Array(size), reads: [], end: { kind: 'complete' }, maxDepth: 200 };
}

test('old readings make room for new ones, and the newest is kept whatever its weight', () => {
  const memo = new BodyMemo<string>();
  const [first, second, third] = [bodyOf(1), bodyOf(1), bodyOf(1)];
  memo.set(first, 'first', 10 * MiB);
  memo.set(second, 'second', 6 * MiB);
  expect([memo.get(first), memo.get(second)]).toEqual(['first', 'second']);
  memo.set(third, 'third', 100 * MiB);
  expect([memo.get(first), memo.get(second), memo.get(third)]).toEqual([undefined, undefined, 'third']);
});

test('readings without weight are kept, however large their bodies and however many others there are', () => {
  const memo = new BodyMemo<string>();
  const bodies = Array.from({ length: 5 }, () => bodyOf(8 * MiB));
  for (const [place, body] of bodies.entries()) memo.set(body, String(place), 0);
  memo.set(bodyOf(1), 'heavy', 100 * MiB);
  expect(bodies.map((body) => memo.get(body))).toEqual(['0', '1', '2', '3', '4']);
  clearReadings();
  expect(bodies.map((body) => memo.get(body))).toEqual(Array.from(bodies, () => undefined));
});
