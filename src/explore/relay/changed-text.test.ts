import { expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import type { Symptom } from '../symptoms.ts';
import { changeOfText, replacementOf } from './changed-text.ts';

const changed = (sent: string, got: string) =>
  ({
    finding: {
      expected: { kind: 'client-text', text: quoteText(sent), from: 0 },
      actual: { kind: 'text', text: quoteText(got) },
    },
  }) as Pick<Symptom, 'finding'>;

it.each([
  ['a ', 'a', 'white space at the ends'],
  ['\u05D0\n', '\u05D0', 'white space at the ends'],
  ['a  b', 'a b', 'white space'],
  ['n\u0303', 'ñ', 'normal form'],
  ['Ａ', 'A', 'compatible form'],
  ['a ', 'b', undefined],
  ['a', 'A', undefined],
])('What was changed in %j, which arrived as %j: %s', (sent, got, change) => {
  expect(changeOfText(changed(sent, got))).toBe(change);
});

it.each([
  ['𐌾', '?', '?'],
  ['a𐌾b🏳🇷c', 'a?b???c', undefined],
  ['a𐌾b🏳🇷c', 'a?b??c', '?'],
  ['a𐌾b🏳🇷c', 'abc', ''],
  ['𐌾🏳', '\uFFFD\uFFFD\uFFFD\uFFFD', '\uFFFD\uFFFD'],
  ['𐌾🏳', '?🏳', undefined],
  ['🏳', '🏳🏳', undefined],
  ['𐌾 a', '? b', undefined],
  ['a', '?', undefined],
])('What came for characters beyond the basic plane in %j, which arrived as %j: %j', (sent, got, replacement) => {
  expect(replacementOf(changed(sent, got))).toBe(replacement);
});

it('What is no text was not changed so', () => {
  const finding = { expected: { kind: 'status', status: 200 }, actual: { kind: 'status', status: 400 } };
  expect(changeOfText({ finding } as unknown as Pick<Symptom, 'finding'>)).toBeUndefined();
});
