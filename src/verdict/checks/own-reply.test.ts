import { describe, expect, it } from 'vitest';
import { checkInput, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { makeRequestWord } from '../../plan/request-word.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { COMPLETION_CHECKS } from './completions.ts';

const { 'own-reply': ownReply } = COMPLETION_CHECKS;

const word = (id: string): string => makeRequestWord(DEFAULT_SETTINGS.seed, id);
const sentWith = (id: string): Json => ({ messages: [{ role: 'user', content: `Say hello to ${word(id)}.` }] });

function moveTo(sentAt: number, exchange: Exchange): Exchange {
  return { ...exchange, attempts: exchange.attempts.map((attempt) => ({ ...attempt, sentAt })) };
}

/** The request is under way for 20 ms. */
function plain(id: string, sentAt: number, message: Json): Exchange {
  return moveTo(sentAt, plainExchange({ step: id, sent: sentWith(id), json: { choices: [{ message }] } }));
}

function stream(id: string, sentAt: number, deltas: readonly Json[]): Exchange {
  const events = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  return moveTo(sentAt, streamExchange({ step: id, sent: sentWith(id), events: [...events, '[DONE]'] }));
}

const says = (text: string): Json => ({ role: 'assistant', content: text });
const judge = (...exchanges: readonly Exchange[]) => ownReply.execute(checkInput(exchanges));
const other = plain('other', 10, says('Hello!'));

const foreign = {
  kind: 'broken',
  findings: [{ exchange: 'own', mismatch: 'foreign-reply', actual: { kind: 'foreign-word', exchange: 'other' } }],
};

describe('own-reply is broken by the word of another request under way', () => {
  it.each<[string, Exchange]>([
    ['in the text', plain('own', 0, says(`Hello ${word('other')}!`))],
    ['in capitals', plain('own', 0, says(`HELLO ${word('other').toUpperCase()}!`))],
    ['beside its own', plain('own', 0, says(`Hello ${word('own')} and ${word('other')}!`))],
    ['in the reasoning', plain('own', 0, { content: 'Hi', reasoning_content: `Greet ${word('other')}.` })],
    ['in a list of parts', plain('own', 0, { content: [{ type: 'text', text: word('other') }] })],
    [
      'in pieces of a stream',
      stream(
        'own',
        0,
        word('other')
          .split('')
          .map((content) => ({ content })),
      ),
    ],
    ['in streamed reasoning', stream('own', 0, [{ reasoning: word('other') }, { content: 'Hi' }])],
  ])('%s', (_, own) => {
    expect(judge(own, other)).toMatchObject(foreign);
  });

  it('that was not answered, or was refused', () => {
    const own = plain('own', 0, says(word('other')));
    const refused = moveTo(10, plainExchange({ step: 'other', sent: sentWith('other'), status: 400 }));
    expect(ownReply.execute(checkInput([own], { run: { exchanges: [refused] } }))).toMatchObject(foreign);
    const givenUp = { ...refused, id: 'other~given-up', step: 'given-up', givenUp: 'other' };
    const run = { exchanges: [givenUp] };
    expect(ownReply.execute(checkInput([own], { run }))).toMatchObject({ kind: 'broken' });
  });

  it('in an answer that was replaced', () => {
    const own = plain('own', 0, says(word('other')));
    const last = plain('own', 100, says('Hi')).attempts;
    expect(judge({ ...own, attempts: [...own.attempts, ...last] }, other)).toMatchObject({
      findings: [{ exchange: 'own', attempt: 0 }],
    });
  });

  it('in the part before, of a long recording', () => {
    const carried = new Map<string, unknown>();
    const judgePart = (exchange: Exchange) => {
      const input = checkInput([exchange]);
      return ownReply.execute({ ...input, run: { ...input.run, carried } });
    };
    judgePart(other);
    expect(judgePart(plain('own', 0, says(word('other'))))).toMatchObject(foreign);
  });
});

describe('own-reply holds', () => {
  it.each<[string, Exchange]>([
    ['for other text', plain('own', 0, says('Hello there, how may I assist you today?'))],
    ['for its own word', plain('own', 0, says(`Hello ${word('own')}!`))],
    ['for a word that nobody sent', plain('own', 0, says(word('nobody')))],
    ['for a part of the word', plain('own', 0, says(word('other').slice(1)))],
    ['for the word in another field', plain('own', 0, { content: 'Hi', trace: word('other') })],
  ])('%s', (_, own) => {
    expect(judge(own, other)).toEqual({ kind: 'holds' });
  });

  it('for a retry that has the word of its own request', () => {
    const own = plain('own', 0, says(`Hello ${word('own')}!`));
    expect(judge({ ...own, id: 'own#2' }, own, other)).toEqual({ kind: 'holds' });
  });
});

it('own-reply holds for requests one after the other, so that a run with --concurrency 1 can conform', () => {
  expect(judge(plain('own', 0, says('Hello!')), plain('other', 20, says('Hello!')))).toEqual({ kind: 'holds' });
});

it("own-reply is skipped for somebody else's requests, which have no words", () => {
  const skipped = { kind: 'skipped', reason: { kind: 'no-occasion', of: 'request-words' } };
  const foreignTraffic = plainExchange({ sent: { messages: [] }, json: { choices: [{ message: says('Hi') }] } });
  expect(judge(foreignTraffic, { ...foreignTraffic, id: 'b' })).toEqual(skipped);
});

describe('own-reply is broken by the word of an earlier request', () => {
  const own = plain('own', 100, says(word('first')));
  const first = plain('first', 0, says('Hello!'));
  const earlier = {
    findings: [{ exchange: 'own', actual: { kind: 'foreign-word', exchange: 'first', isEarlier: true } }],
  };

  it('that was over before', () => {
    expect(judge(first, own, plain('other', 110, says('Hello!')))).toMatchObject(earlier);
  });

  it('in any part before, of a long recording', () => {
    const carried = new Map<string, unknown>();
    const results = [first, plain('other', 50, says('Hello!')), own].map((exchange) => {
      const input = checkInput([exchange]);
      return ownReply.execute({ ...input, run: { ...input.run, carried } });
    });
    expect(results.at(-1)).toMatchObject(earlier);
  });

  it('but not if its own request quotes that one, or if the other came later', () => {
    const quoting = { ...own, request: { ...own.request, body: `${own.request.body} ${word('first')}` } };
    expect(judge(first, quoting)).toEqual({ kind: 'holds' });
    expect(judge(own, moveTo(200, first))).toEqual({ kind: 'holds' });
  });
});
