import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inert, inertJson } from './layout.ts';

describe('inert', () => {
  it('does not change plain text in any script', () => {
    for (const text of ['plain', 'Grüße, 世界 – приве́т', '{"a": 1}', '🙂', 'vendor::model', '::1'])
      expect(inert(text)).toBe(text);
  });

  it.each([
    ['an escape sequence', '\u001b[31m', String.raw`\u{1b}[31m`],
    ['an eight-bit control sequence', '\u009b31m', String.raw`\u{9b}31m`],
    ['line ends', 'a\r\nb', String.raw`a\r\nb`],
    ['a bidi override', 'a\u202eb', String.raw`a\u{202e}b`],
    ['a bidi isolate', '\u2066', String.raw`\u{2066}`],
    ['a zero-width space', '\u200b', String.raw`\u{200b}`],
    ['a byte order mark', '\ufeff', String.raw`\u{feff}`],
    ['a line separator', '\u2028', String.raw`\u{2028}`],
    ['a tag character', '\u{e0041}', String.raw`\u{e0041}`],
    ['a hangul filler', '\u3164', String.raw`\u{3164}`],
    ['a no-break space', '\u00a0', String.raw`\u{a0}`],
    ['a lone surrogate', '\ud800', String.raw`\u{d800}`],
    ['a private character', '\ue000', String.raw`\u{e000}`],
  ])('shows %s by its code point', (_what, text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  it('limits combining marks on one letter', () => {
    expect(inert(`a${'\u0301'.repeat(5)}`)).toBe(`a${'\u0301'.repeat(3)}${String.raw`\u{301}`.repeat(2)}`);
  });

  it('truncates a long text and gives its length', () => {
    expect(inert('x'.repeat(5000), 10)).toBe(`${'x'.repeat(10)}… (5,000 characters)`);
    expect(inert('x'.repeat(10), 10)).toBe('x'.repeat(10));
    expect(inert('🙂🙂🙂', 2)).toBe('🙂🙂… (6 characters)');
  });
});

describe('inertJson', () => {
  it('parses to the same value, with every character visible', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        const value: unknown = JSON.parse(text);
        const safe = inertJson(JSON.stringify(value, null, 2));
        expect(JSON.parse(safe)).toEqual(value);
        expect(safe.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
