/** One call at a time, with two upstreams behind the gateway (rule 42). */
import { describe, expect, it } from 'vitest';
import { COMPLETION, failure, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { completion, ERROR, judging } from '../../../test/kit/load-calls.ts';
import { ROLE } from '../../../test/kit/streams.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { replyPieces } from './calls.ts';

describe('With two upstreams', () => {
  const textOf = (name: 'primary' | 'fallback', word: string): string => replyPieces(word, 'short', name).join('');
  const judged = (called: readonly ('primary' | 'fallback')[], exchangeOf: (word: string) => Exchange) => {
    const { judge, broken, known } = judging();
    known.behind.called = called;
    const { outcome } = judge(exchangeOf(known.word), { hasUpstream: true, isFailingOver: true });
    return [outcome, broken()];
  };
  const reply = (content: (word: string) => string) => (word: string) =>
    plainExchange({ json: completion(content(word)) });

  it('a reply is right as that of either one that was called', () => {
    expect(
      judged(
        ['primary', 'fallback'],
        reply((word) => textOf('fallback', word)),
      ),
    ).toEqual(['answered', []]);
    expect(
      judged(
        ['fallback', 'primary'],
        reply((word) => textOf('primary', word)),
      ),
    ).toEqual(['answered', []]);
    expect(
      judged(
        ['primary'],
        reply((word) => textOf('fallback', word)),
      ),
    ).toEqual(['broken', ['text']]);
  });

  it('text of one after text of the other is joined, and text that none sent is altered', () => {
    const half = (text: string): string => text.slice(0, text.length >> 1);
    const join = reply((word) => half(textOf('primary', word)) + textOf('fallback', word));
    expect(judged(['primary', 'fallback'], join)).toEqual(['broken', ['fallback-joined']]);
    const cut = reply((word) => half(textOf('fallback', word)));
    expect(judged(['primary', 'fallback'], cut)).toEqual(['broken', ['text']]);
  });

  it.each([
    ['502', plainExchange({ status: 502, json: ERROR }), ['fallback-answered']],
    ['a closed connection', plainExchange({ failure: failure('closed') }), ['fallback-answered']],
    ['an error in a stream', streamExchange({ events: [ROLE, ERROR] }), ['fallback-answered']],
    ['503, which may be overload', plainExchange({ status: 503, json: ERROR }), []],
  ])('a call is to be answered while one fails: %s', (_title, exchange, broken) => {
    expect(judged(['primary', 'fallback'], () => exchange)[1]).toEqual(broken);
  });

  it('one call leads to ten upstream calls at most', () => {
    const many = (length: number) => Array.from({ length }, () => 'primary' as const);
    const right = reply((word) => textOf('primary', word));
    expect([judged(many(10), right), judged(many(11), right)]).toEqual([
      ['answered', []],
      ['answered', ['fallback-calls']],
    ]);
  });

  it('the second may have a model of its own', () => {
    const { judge, broken, known } = judging(['small', 'large=inner']);
    const sent = { model: 'large', messages: [{ role: 'user', content: 'Say ab.' }], max_tokens: 16 };
    const { model: _model, ...others } = sent;
    known.behind.arrived = [JSON.stringify({ upstream: 'fallback', ...others })];
    judge(plainExchange({ json: COMPLETION, sent }));
    expect(broken()).toEqual([]);
  });
});
