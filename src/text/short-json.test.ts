import { describe, expect, it } from 'vitest';
import { shortJson } from './quote.ts';

describe('shortJson', () => {
  it.each([null, true, 1.5, 'x"y', [], {}, [1, [2]], { a: 1, b: ['x'] }, { a: { b: null } }])(
    'writes a short value as JSON.stringify does: %j',
    (value) => {
      expect(shortJson(value)).toBe(JSON.stringify(value));
    },
  );

  it('is empty for an absent value', () => {
    expect(shortJson(undefined)).toBe('');
  });

  it.each([
    ['a long string', 'x'.repeat(1000)],
    ['a long array', Array.from({ length: 1000 }, (_, index) => index)],
    ['an object of many members', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))],
    ['a deep array', JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown],
    ['a long name', { ['n'.repeat(1000)]: 1 }],
  ])('truncates %s to the given length and marks it', (_, value) => {
    const short = shortJson(value, 40);
    expect(short).toHaveLength(40);
    expect(short.endsWith('…')).toBe(true);
    expect(JSON.stringify(value).startsWith(short.slice(0, -1))).toBe(true);
  });

  it('does not split a character', () => {
    for (let longest = 4; longest < 12; longest++) {
      expect(shortJson('😀😀😀😀😀😀😀😀', longest)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  });

  it('does not serialize a huge value only to truncate it', () => {
    const huge = Array.from({ length: 1000 }, () => 'x'.repeat(1_000_000));
    expect(shortJson(huge, 50)).toHaveLength(50);
  });
});
