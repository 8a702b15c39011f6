import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { COMPLETION, failedAttempt, failure, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Json } from '../../json.ts';
import type { Exchange } from '../exchange.ts';
import { Ledger } from './ledger.ts';

function ledger(changes: Partial<Settings> = {}): Ledger {
  return new Ledger({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes });
}

function used(exchange: Exchange): Ledger['used'] {
  const book = ledger();
  for (const attempt of exchange.attempts) book.add(exchange.request, attempt);
  return book.used;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('Refused connections are requests that are counted apart, and closed ones are not', () => {
  const book = ledger();
  const { request } = plainExchange();
  for (const kind of ['closed', 'refused', 'refused'] as const) book.add(request, failedAttempt(failure(kind)));
  expect(book.refused).toBe(2);
  expect(book.used.requests).toBe(3);
});

describe('the charge', () => {
  it('A completion is charged with the tokens it reports', () => {
    expect(used(plainExchange({ json: { ...COMPLETION, usage: { completion_tokens: 9 } } }))).toEqual({
      requests: 1,
      completions: 1,
      tokens: 9,
    });
  });

  it.each([undefined, {}, { completion_tokens: -1 }, { completion_tokens: '9' }, null])(
    'If usage is %j, the maximum that the request allowed is charged',
    (usage) => {
      const text = JSON.stringify({ ...COMPLETION, usage });
      expect(used(plainExchange({ sent: { max_tokens: 16 }, text })).tokens).toBe(16);
    },
  );

  it('A plain reply with neither usage nor a maximum is estimated from its text', () => {
    const tokensOf = (message: Json): number =>
      used(plainExchange({ sent: {}, json: { choices: [{ index: 0, message }] } })).tokens;
    expect(tokensOf({ role: 'assistant', content: 'x'.repeat(40) })).toBe(10);
    const thought = { content: 'x'.repeat(40), reasoning: 'y'.repeat(20), reasoning_content: 'y'.repeat(20) };
    expect(tokensOf(thought)).toBe(15);
    expect(tokensOf({ content: null })).toBe(0);
    expect(tokensOf('none')).toBe(0);
  });

  it('A stream is charged by its last usage', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
    const usage = (completion_tokens: number) => ({ choices: [], usage: { completion_tokens } });
    expect(used(streamExchange({ events: [chunk, usage(1), usage(5), '[DONE]'] }))).toEqual({
      requests: 1,
      completions: 1,
      tokens: 5,
    });
  });

  it('A stream without usage is estimated from its text, and never beyond its limit', () => {
    const tokens = (...texts: readonly string[]): number => {
      const chunks = texts.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
      return used(streamExchange({ sent: { max_tokens: 16 }, events: [...chunks, '[DONE]'] })).tokens;
    };
    expect(tokens('a', 'b', 'c')).toBe(3);
    expect(tokens('x'.repeat(40))).toBe(10);
    expect(tokens('x'.repeat(400))).toBe(16);
  });

  it('A stream that was ended at its first text is charged for what came', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
    const end = { kind: 'aborted', why: 'text' } as const;
    expect(used(streamExchange({ sent: { max_tokens: null }, events: [chunk, chunk], end })).tokens).toBe(2);
  });

  it('A stream that stalled is charged for what came, and for nothing if nothing came', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
    const end = { kind: 'limit', limit: 'idle-timeout' } as const;
    const sent = { max_tokens: 64 };
    expect(used(streamExchange({ sent, events: [chunk, chunk], end }))).toMatchObject({ completions: 1, tokens: 2 });
    expect(used(streamExchange({ sent, text: ': wait\n\n', end }))).toMatchObject({ completions: 0, tokens: 0 });
    expect(used(streamExchange({ sent, text: '', end }))).toMatchObject({ completions: 0, tokens: 0 });
    expect(used(plainExchange({ sent, text: '', end }))).toMatchObject({ completions: 0, tokens: 0 });
  });

  it('A stream with nothing but an error costs nothing', () => {
    expect(used(streamExchange({ events: [{ error: { message: 'no' } }] })).completions).toBe(0);
  });

  it('A stream in answer to a plain request and a truncated reply are charged', () => {
    expect(used(plainExchange({ text: 'data: {"choices":[]}\n\n' })).completions).toBe(1);
    expect(used(plainExchange({ text: '{"choices":' })).completions).toBe(1);
  });

  it('A web page, an empty object and an empty list cost nothing', () => {
    const page = { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Log in</title>' };
    expect(used(plainExchange(page)).completions).toBe(0);
    expect(used(streamExchange(page)).completions).toBe(0);
    expect(used(plainExchange({ json: {} })).completions).toBe(0);
    expect(used(plainExchange({ text: '[]' })).completions).toBe(0);
    expect(used(streamExchange({ text: ' [ ]\n' })).completions).toBe(0);
    expect(used(plainExchange({ text: '[{}]' })).completions).toBe(1);
    const mislabelled = { headers: { 'content-type': 'text/html' }, text: JSON.stringify(COMPLETION) };
    expect(used(plainExchange(mislabelled)).completions).toBe(1);
  });

  it('A refusal, a list or a 200 with an error costs nothing, but each attempt counts as a request', () => {
    expect(used(plainExchange({ status: 400 })).completions).toBe(0);
    expect(used(plainExchange({ json: { error: { message: 'x' } } })).completions).toBe(0);
    expect(used(plainExchange({ request: { endpoint: 'models' } }))).toEqual({
      requests: 1,
      completions: 0,
      tokens: 0,
    });
    const twice = plainExchange({ json: COMPLETION, earlier: plainExchange({ status: 503 }).attempts });
    expect(used(twice)).toMatchObject({ requests: 2, completions: 1 });
  });
});

describe('the budget', () => {
  const list = { endpoint: 'models' } as const;
  const chat = { endpoint: 'chat' } as const;
  const completion = plainExchange({ json: COMPLETION });

  it('Requests in flight count, so that concurrent ones cannot exceed the budget together', async () => {
    const book = ledger({ maxRequests: 2 });
    expect((await book.reserve(list)).kind).toBe('reserved');
    expect((await book.reserve(chat)).kind).toBe('reserved');
    expect(await book.reserve(list)).toEqual({ kind: 'forbidden', setting: 'max-requests' });
  });

  it('A chat request waits while those in flight may use up the completions, and is sent if they did not', async () => {
    const book = ledger({ maxCompletions: 1 });
    const first = await book.reserve(chat);
    let second: string | undefined;
    void book.reserve(chat).then(({ kind }) => (second = kind));
    await settle();
    expect(second).toBeUndefined();
    expect((await book.reserve(list)).kind).toBe('reserved');
    if (first.kind === 'reserved') first.release();
    await settle();
    expect(second).toBe('reserved');
  });

  it('The run ends once the completions are used up', async () => {
    const book = ledger({ maxCompletions: 1 });
    const first = await book.reserve(chat);
    const second = book.reserve(chat);
    for (const attempt of completion.attempts) book.add(completion.request, attempt);
    if (first.kind === 'reserved') first.release();
    expect(await second).toEqual({ kind: 'forbidden', setting: 'max-completions' });
  });

  it('One completion is kept for what must be refused, as long as it is wanted', async () => {
    const book = ledger({ maxCompletions: 2 });
    book.keepOne(true);
    const first = await book.reserve(chat);
    const second = book.reserve(chat);
    for (const attempt of completion.attempts) book.add(completion.request, attempt);
    expect(book.hasLeftOut).toBe(false);
    if (first.kind === 'reserved') first.release();
    expect(await second).toEqual({ kind: 'forbidden', setting: 'max-completions' });
    expect(book.hasLeftOut).toBe(true);
    const refused = await book.reserve(chat, true);
    expect(refused.kind).toBe('reserved');
    if (refused.kind === 'reserved') refused.release();
    book.keepOne(false);
    expect((await book.reserve(chat)).kind).toBe('reserved');
  });

  it('A budget of zero allows nothing, and no budget allows everything', async () => {
    expect((await ledger({ maxCompletions: 0 }).reserve(chat)).kind).toBe('forbidden');
    expect((await ledger({ maxRequests: 0 }).reserve(list)).kind).toBe('forbidden');
    const book = ledger();
    for (let nth = 0; nth < 50; nth++) expect((await book.reserve(chat)).kind).toBe('reserved');
  });
});
