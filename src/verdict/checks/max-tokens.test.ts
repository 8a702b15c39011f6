import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { checkInput, type InputParts, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { COMPLETION_CHECKS } from './completions.ts';

const { 'within-max-tokens': withinMaxTokens } = COMPLETION_CHECKS;

const MAXIMUM = {};
const REASONING = { reasoning: true };
const judge = (options: InputParts['options'] & object, exchange: Exchange) =>
  withinMaxTokens.execute(checkInput(exchange, { options })).kind;

function reply(maxTokens: Json, usage: Json, choices = 1): Exchange {
  return plainExchange({
    sent: { max_tokens: maxTokens },
    json: { choices: Array.from({ length: choices }, () => ({ message: {} })), usage },
  });
}

function stream(maxTokens: number, text: string, usage: Json = null): Exchange {
  const chunks = text.split(/(?<= )/).map((content) => ({ choices: [{ index: 0, delta: { content } }], usage: null }));
  return streamExchange({ sent: { max_tokens: maxTokens }, events: [...chunks, { choices: [], usage }, '[DONE]'] });
}

describe('within-max-tokens', () => {
  it.each([
    ['the maximum', reply(16, { completion_tokens: 16 })],
    ['one more, which tokenizers differ by', reply(16, { completion_tokens: 17 })],
    ['the maximum in each of three choices', reply(16, { completion_tokens: 48 }, 3)],
  ])('holds for %s', (_, exchange) => {
    expect(judge(MAXIMUM, exchange)).toBe('holds');
    expect(judge(REASONING, exchange)).toBe('holds');
  });

  it.each([
    ['that counts as one token', { completion_tokens: 1 }],
    ['that counts as none', { completion_tokens: 0 }],
    ['without a count', null],
  ])('is broken by a long text for one token %s', (_, usage) => {
    const say = (content: string): Exchange =>
      plainExchange({ sent: { max_tokens: 1 }, json: { choices: [{ message: { content } }], usage } });
    expect(judge(MAXIMUM, say('sea '.repeat(21)))).toBe('broken');
    expect(judge(MAXIMUM, say('x'.repeat(101)))).toBe('broken');
    expect(judge(MAXIMUM, say('sea '.repeat(20)))).toBe('holds');
    expect(judge(REASONING, say('sea '.repeat(21)))).not.toBe('broken');
    expect(judge(MAXIMUM, stream(1, 'sea '.repeat(21), usage))).toBe('broken');
  });

  it('is broken by two tokens too many', () => {
    expect(judge(MAXIMUM, reply(16, { completion_tokens: 18 }))).toBe('broken');
    expect(judge(REASONING, reply(16, { completion_tokens: 18 }))).toBe('holds');
  });

  it('is broken by a count that no double can represent', () => {
    const text = '{"choices":[{"message":{}}],"usage":{"completion_tokens":1e400}}';
    expect(judge(MAXIMUM, plainExchange({ sent: { max_tokens: 16 }, text }))).toBe('broken');
  });

  it.each([
    ['in the details', { completion_tokens: 90, completion_tokens_details: { reasoning_tokens: 80 } }],
    ['beside the counts', { completion_tokens: 90, reasoning_tokens: 80 }],
  ])('reports under the other clause if reasoning tokens %s explain the excess', (_, usage) => {
    expect(judge(MAXIMUM, reply(16, usage))).toBe('holds');
    expect(judge(REASONING, reply(16, usage))).toBe('broken');
  });

  it('is broken if reasoning tokens explain only part of the excess', () => {
    expect(judge(MAXIMUM, reply(16, { completion_tokens: 90, reasoning_tokens: 10 }))).toBe('broken');
  });

  it.each([
    [
      'more reasoning tokens than tokens',
      { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 61 } },
    ],
    ['one reasoning token too many', { completion_tokens: 9, reasoning_tokens: 10 }],
  ])('is broken by %s, since they are not part of the count', (_, usage) => {
    expect(judge(MAXIMUM, reply(1, usage))).toBe('broken');
    expect(judge(REASONING, reply(1, usage))).toBe('holds');
  });

  it('reports under the other clause if every token is for reasoning', () => {
    const usage = { completion_tokens: 9, reasoning_tokens: 9 };
    expect(judge(MAXIMUM, reply(1, usage))).toBe('holds');
    expect(judge(REASONING, reply(1, usage))).toBe('broken');
  });

  it('skips without a token count, and without max_tokens', () => {
    expect(judge(MAXIMUM, reply(16, null))).toBe('skipped');
    expect(judge(MAXIMUM, plainExchange({ sent: {}, json: { usage: { completion_tokens: 900 } } }))).toBe('skipped');
    expect(judge(MAXIMUM, reply(0, { completion_tokens: 900 }))).toBe('skipped');
    expect(judge(MAXIMUM, plainExchange({ request: { body: 'Say hello.' } }))).toBe('skipped');
  });

  it('does not take a zero beside text for a count', () => {
    const zero = { completion_tokens: 0 };
    const said = { choices: [{ message: { content: 'sea '.repeat(100) } }], usage: zero };
    expect(judge(MAXIMUM, plainExchange({ sent: { max_tokens: 16 }, json: said }))).toBe('skipped');
    expect(judge(MAXIMUM, stream(16, 'sea '.repeat(100), zero))).toBe('skipped');
    expect(judge(MAXIMUM, reply(16, zero))).toBe('holds');
  });

  it('takes usage from any chunk of a stream', () => {
    expect(judge(MAXIMUM, stream(64, 'one two', { completion_tokens: 64 }))).toBe('holds');
    expect(judge(MAXIMUM, stream(64, 'one two', { completion_tokens: 99 }))).toBe('broken');
  });

  it('counts text only in a stream of one token without usage', () => {
    expect(judge(MAXIMUM, stream(1, 'word '.repeat(21)))).toBe('broken');
    expect(judge(MAXIMUM, stream(1, '海'.repeat(101)))).toBe('broken');
    expect(judge(MAXIMUM, stream(1, 'word '.repeat(20)))).toBe('holds');
    expect(judge(MAXIMUM, stream(2, 'word '.repeat(99)))).toBe('skipped');
  });

  it('is inconclusive for another status', () => {
    expect(judge(MAXIMUM, plainExchange({ status: 500, sent: { max_tokens: 1 } }))).toBe('inconclusive');
  });
});
