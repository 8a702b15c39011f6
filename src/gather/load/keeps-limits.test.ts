import { expect, it } from 'vitest';
import type { LoadKind } from '../../report/load-report.ts';
import { isStillAsked } from './load-judge.ts';

const RULES = { limits: { temperature: { minimum: 0, maximum: 2 }, max_tokens: { minimum: 1 } } };

it.each<[LoadKind, string | undefined, boolean]>([
  ['plain', '{"temperature":1,"max_tokens":8}', true],
  ['plain', '{"temperature":2.5}', false],
  ['stream', '{"max_tokens":0}', false],
  ['refusal', '{"temperature":2.5}', true],
  ['refusal', '{"temperature":1.5}', false],
  ['unknown-key', '{"temperature":2.5}', true],
  ['list', undefined, true],
  ['plain', 'no JSON', true],
])('A recorded %s call with the body %s still counts under these limits: %j', (kind, body, expected) => {
  expect(isStillAsked(kind, body, RULES)).toBe(expected);
});
