/** Redacts bodies with a fixed key, and spells that key in the ways that a target may. */
import { expect } from 'vitest';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../src/settings.ts';
import { createRedactor } from '../../src/exchange/secrets/redaction.ts';
import { collectSecrets } from '../../src/exchange/secrets/secrets.ts';

export const RANDOM = 'Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';
export const KEY = `sk-service-${RANDOM}`;

export function redactor(keys: Keys = { full: KEY }, changes: Partial<Settings> = {}) {
  return createRedactor(
    collectSecrets({ ...DEFAULT_SETTINGS, baseUrl: 'http://localhost/v1', ...changes }, keys).secrets,
  );
}

export function redactBody(content: string, keys?: Keys, changes?: Partial<Settings>) {
  const bytes = Buffer.from(content);
  const { seen } = redactor(keys, changes).body(bytes);
  expect(bytes).toHaveLength(Buffer.byteLength(content));
  return { text: bytes.toString(), seen };
}

export const base64 = (content: Uint8Array | string) => Buffer.from(content as Uint8Array).toString('base64');
export const stars = (count: number) => '*'.repeat(count);
export const escapeAll = (text: string, upper = false) =>
  Array.from(text, (letter) => `\\u${hex(letter.charCodeAt(0), 4, upper)}`).join('');
export const hex = (code: number, width: number, upper: boolean) => {
  const digits = code.toString(16).padStart(width, '0');
  return upper ? digits.toUpperCase() : digits;
};
export const percentAll = (text: string, upper = false) =>
  Array.from(text, (letter) => `%${hex(letter.charCodeAt(0), 2, upper)}`).join('');
