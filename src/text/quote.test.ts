import { describe, expect, it } from 'vitest';
import { dropQuotes, formatQuote, formatValue, quoteBytes, quoteText, quoteValue } from './quote.ts';

describe('a quote', () => {
  it('keeps a short text unchanged', () => {
    expect(quoteText('Try again')).toEqual({ quote: 'Try again', length: 9 });
    expect(formatQuote(quoteText('Try again'))).toBe('Try again');
  });

  it('keeps the beginning of a long text and its full length', () => {
    expect(quoteText('x'.repeat(5000))).toEqual({ quote: 'x'.repeat(120), length: 5000, isCut: true });
    expect(formatQuote(quoteText('abcdef', 3))).toBe('abc… (6 characters)');
  });

  it('never ends in the middle of a character', () => {
    expect(quoteText(`${'x'.repeat(119)}👋🏽`)).toMatchObject({ quote: 'x'.repeat(119), length: 123 });
  });

  it('of a body counts bytes', () => {
    expect(quoteBytes(new TextEncoder().encode('é'))).toEqual({ quote: 'é', length: 2, unit: 'byte' });
    const long = quoteBytes(new TextEncoder().encode('é'.repeat(1000)));
    expect(long).toEqual({ quote: 'é'.repeat(120), length: 2000, unit: 'byte', isCut: true });
    expect(formatQuote(long)).toMatch(/… \(2,000 bytes\)$/);
  });

  it('without its text gives the length of the text', () => {
    expect(formatQuote(dropQuotes(quoteText('Try again')))).toBe('text of 9 characters');
  });
});

describe('a quoted value', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [true, 'true'],
    [5, '5'],
    ['a"b', String.raw`"a\"b"`],
    [[1, 2], '[1,2]'],
    [{ a: [] }, '{"a":[]}'],
    ['x'.repeat(200), `"${'x'.repeat(120)}…" (200 characters)`],
  ])('%j is written as JSON', (value, text) => {
    expect(formatValue(quoteValue(value))).toBe(text);
  });

  it('of a long list says how many items it has', () => {
    expect(formatValue(quoteValue(Array.from({ length: 500 }, () => 1)))).toMatch(/^\[1,1,.*… \(500 items\)$/);
  });

  it('that JSON cannot represent becomes the closest one that it can', () => {
    expect(quoteValue(Infinity)).toBe(Number.MAX_VALUE);
    expect(quoteValue(-Infinity)).toBe(-Number.MAX_VALUE);
  });

  it.each<[unknown, string]>([
    [null, 'null'],
    [5, '5'],
    ['abc', 'text of 3 characters'],
    [[1, 2], 'array of 2 items'],
    [{ a: 1 }, 'object of 1 field'],
  ])('%j without its strings keeps types, numbers and sizes', (value, text) => {
    expect(formatValue(dropQuotes(quoteValue(value)))).toBe(text);
  });
});

it('Quotes are dropped at any depth, and nothing else is', () => {
  expect(dropQuotes({ status: 503, message: quoteText('no'), list: [{ at: '/a', of: quoteText('') }] })).toEqual({
    status: 503,
    message: { quote: null, length: 2 },
    list: [{ at: '/a', of: { quote: null, length: 0 } }],
  });
});
