import { describe, expect, it } from 'vitest';
import { leaksOf } from './leaks.ts';

const KEY = 'sk-service-q7Zt3mKx9LwB';

describe('the search for secrets', () => {
  it('finds eight characters of a key in a row, in any case and form', () => {
    for (const text of ['7ZT3MKX9', 'a7zt3mkx9', '%37Zt3mKx9', Buffer.from('__7Zt3mKx9__').toString('base64')]) {
      expect(leaksOf(`x ${text} x`, [KEY])).toContain('7zt3mkx9');
    }
    expect(leaksOf('7Zt3mKx', [KEY])).toEqual([]);
  });

  it('takes neither the prefix of keys nor the scheme for a secret', () => {
    const said = 'Authorization: x Bearer sk-service-… and sk-service-unknown-';
    expect(leaksOf(said, [KEY, `x Bearer ${KEY}`, `Token ${KEY}`, 'Bearer sk-service-unknown-a1b2c3d4e5'])).toEqual([]);
  });

  it('takes any other word before a key for a secret', () => {
    expect(leaksOf('the word is Tr0ub4dor&3', [`Tr0ub4dor&3 ${KEY}`])).not.toEqual([]);
    expect(leaksOf('7Zt3mKx9', [`x Bearer ${KEY}`])).not.toEqual([]);
  });
});
