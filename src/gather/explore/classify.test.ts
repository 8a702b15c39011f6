import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import type { Json } from '../../json.ts';
import { classify, mendRequest } from './classify.ts';
import { plainly } from './change-request.ts';

const contract = loadContract();
const MESSAGE = { role: 'user', content: 'Say hello.' };
const kindOf = (more: Readonly<Record<string, Json>>) =>
  classify(plainly({ model: '${model}', messages: [MESSAGE], ...more }), contract);

describe('A request', () => {
  it.each([
    [{}, 'valid'],
    [{ temperature: 2, top_p: 0, max_tokens: 4096, stream: true }, 'valid'],
    [{ messages: [{ ...MESSAGE, content: 'a\nb' }] }, 'valid'],
    [{ x_wirecheck_a: null }, 'tolerant'],
    [{ messages: [{ ...MESSAGE, x_wirecheck_a: 1 }] }, 'tolerant'],
    [{ temperature: 2.00001 }, 'invalid'],
    [{ messages: [MESSAGE, { role: 'user' }] }, 'invalid'],
    [{ temperature: null }, 'open'],
    [{ messages: [] }, 'open'],
    [{ max_tokens: 4097 }, 'open'],
    [{ messages: [{ ...MESSAGE, content: ' ' }] }, 'open'],
    [{ messages: [{ ...MESSAGE, content: '\u200B\uFE0F' }] }, 'open'],
    [{ messages: [{ ...MESSAGE, content: 'a\tb' }] }, 'open'],
    [{ messages: [{ ...MESSAGE, content: 'a\r\nb' }] }, 'open'],
    [{ messages: [{ ...MESSAGE, content: '\uD800' }] }, 'open'],
    [{ messages: Array.from({ length: 51 }, () => MESSAGE) }, 'open'],
    [{ messages: [{ ...MESSAGE, content: 'x'.repeat(2048) }] }, 'open'],
    [{ max_tokens: 2 ** 63 }, 'open'],
    [{ messages: [MESSAGE, null] }, 'invalid'],
    [{ messages: ['Say hello.'] }, 'invalid'],
    [{ messages: [null, { role: 'user' }] }, 'unclear'],
    [{ temperature: null, messages: [{ role: 'user' }] }, 'unclear'],
    // A wrong type is a should, and two violations are not one.
    [{ temperature: '1' }, 'unclear'],
    [{ temperature: 3, top_p: 2 }, 'unclear'],
  ] as const)('%j is %s', (more, kind) => {
    expect(kindOf(more).kind).toBe(kind);
  });

  it('with a message that is no object is mended without it', () => {
    const { mended, edit } = mendRequest(plainly({ model: '${model}', messages: [MESSAGE, null] }), contract);
    expect(mended.body['messages']).toEqual([MESSAGE]);
    expect(edit).toEqual({ set: { '/messages': [MESSAGE, null] } });
  });

  it('names the clause that it breaks', () => {
    expect(kindOf({ max_tokens: 0 })).toEqual({ kind: 'invalid', clause: 'limits.max-tokens' });
  });
});
