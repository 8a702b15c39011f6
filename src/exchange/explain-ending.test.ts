import { describe, expect, it } from 'vitest';
import { answeredAttempt, failedAttempt, failure, plainExchange } from '../../test/kit/exchanges.ts';
import { quickSettings } from '../../test/kit/real-run.ts';
import type { Ending } from './ending.ts';
import type { Attempt, Exchange } from './exchange.ts';
import { explainEnding } from './explain-ending.ts';

const settings = quickSettings('http://127.0.0.1/v1', { timeouts: { firstByte: 1_000 } });
const STOPPED: Ending = { kind: 'stopped-answering', suspects: [] };

const at = (sentAt: number, attempt: Attempt): Attempt => ({ ...attempt, sentAt });
const answered = (sentAt: number): Attempt => at(sentAt, answeredAttempt({}));
const closed = (sentAt: number): Attempt => at(sentAt, failedAttempt(failure('closed')));
const refused = (sentAt: number): Attempt => at(sentAt, failedAttempt(failure('refused')));
const cut = (sentAt: number): Attempt => at(sentAt, answeredAttempt({ end: { kind: 'cut', detail: '' } }));
const timedOut = (sentAt: number): Attempt =>
  at(sentAt, failedAttempt(failure('timeout', { limit: 'first-byte-timeout' })));

const sent = (id: string, ...attempts: readonly Attempt[]): Exchange => ({
  ...plainExchange({ id, step: id }),
  attempts,
});
const givenUp = { step: 'given-up', name: 'a', givenUp: 'a' };

const explain = (...exchanges: readonly Exchange[]): Ending => explainEnding(STOPPED, exchanges, settings);

describe('the suspects of a target that died', () => {
  it('are the requests in flight and the last one answered, not those sent to a dead target', () => {
    const ending = explain(
      sent('early', answered(10)),
      sent('last', answered(150)),
      sent('late', refused(230), refused(231)),
      sent('second', closed(140), refused(240)),
      sent('first', closed(100), refused(250)),
      sent('chat~after#1', refused(260)),
    );
    expect(ending).toEqual({ kind: 'stopped-answering', suspects: ['first', 'second'], lastAnswered: 'last' });
  });

  it('do not include a request that was left without an answer before others were answered', () => {
    const ending = explain(
      sent('odd', closed(10), closed(11), closed(12)),
      sent('last', answered(20)),
      sent('lethal', closed(30), refused(40)),
    );
    expect(ending).toEqual({ kind: 'stopped-answering', suspects: ['lethal'], lastAnswered: 'last' });
  });

  it('do not include a request that the end of the run cut short', () => {
    const aborted = at(25, failedAttempt(failure('aborted', { at: 20 })));
    const ending = explain(sent('last', answered(20)), sent('lethal', closed(30)), {
      ...sent('a~given-up', aborted),
      ...givenUp,
    });
    expect(ending).toMatchObject({ suspects: ['lethal'] });
  });

  it('include what was closed although a request sent earlier was refused: it had waited for its connection', () => {
    const ending = explain(
      sent('last', answered(95)),
      sent('waited', refused(122), refused(159)),
      sent('a', closed(127), refused(195)),
      sent('b', closed(135), refused(148)),
      sent('late', refused(137), refused(181)),
    );
    expect(ending).toEqual({ kind: 'stopped-answering', suspects: ['a', 'b'], lastAnswered: 'last' });
  });

  it('include what was closed after another loss was noticed, if nothing listens any more', () => {
    const odd = sent('odd', closed(30), closed(40), closed(50));
    const lethal = sent('lethal', closed(60));
    expect(explain(sent('last', answered(20)), odd, lethal, sent('chat~after#1', refused(70)))).toMatchObject({
      suspects: ['odd', 'lethal'],
    });
    expect(explain(sent('last', answered(20)), odd, lethal, sent('chat~after#1', closed(70)))).toMatchObject({
      suspects: ['odd'],
    });
  });

  it('do not include what took the place of the first loss while the others were still noticed', () => {
    const lostAt = (sentAt: number, noticedAt: number): Attempt =>
      at(sentAt, failedAttempt(failure('closed', { at: noticedAt - sentAt })));
    const inFlight = [sent('a', lostAt(30, 38)), sent('b', lostAt(31, 43))];
    const end = sent('chat~after#1', refused(500));
    const last = sent('last', answered(20));
    expect(explain(last, ...inFlight, sent('next', lostAt(39, 42)), end)).toMatchObject({ suspects: ['a', 'b'] });
    // Alone, the first loss may be a request that was only closed, and the next one the cause.
    expect(explain(last, sent('a', lostAt(30, 38)), sent('next', lostAt(39, 42)), end)).toMatchObject({
      suspects: ['a', 'next'],
    });
    expect(explain(last, ...inFlight, sent('lethal', lostAt(300, 301)), end)).toMatchObject({
      suspects: ['a', 'b', 'lethal'],
    });
  });

  it('include a request that the end of the run interrupted', () => {
    const ending = explain(sent('last', answered(20)), sent('b', refused(50)), {
      ...sent('a~given-up', closed(30)),
      ...givenUp,
    });
    expect(ending).toMatchObject({ suspects: ['a'] });
  });

  it('do not include requests sent after the first timeout of a target that hangs', () => {
    const ending = explain(
      sent('last', answered(20)),
      sent('a', timedOut(10)),
      sent('b', timedOut(40)),
      sent('c', timedOut(1_011)),
      sent('chat~after#1', timedOut(1_050), timedOut(2_050)),
    );
    expect(ending).toEqual({ kind: 'stopped-answering', suspects: ['a', 'b'], lastAnswered: 'last' });
  });

  it('include streams that broke off in mid-reply, although each has the head of an answer', () => {
    const ending = explain(
      sent('last', answered(20)),
      sent('b', cut(30), refused(1_050)),
      { ...sent('a~given-up', cut(25)), ...givenUp },
      sent('late', refused(60), refused(61)),
    );
    expect(ending).toEqual({ kind: 'stopped-answering', suspects: ['a', 'b'], lastAnswered: 'last' });
  });

  it('include what was lost just before an answer was read that had arrived by then', () => {
    const lethal = sent('lethal', at(30, failedAttempt(failure('closed', { at: 8 }))));
    const late = sent('late', refused(60));
    expect(explain(lethal, sent('last', answered(25)), late)).toEqual({
      kind: 'stopped-answering',
      suspects: ['lethal'],
      lastAnswered: 'last',
    });
    // The target answered what was sent after the loss.
    expect(explain(lethal, sent('last', answered(40)), late)).toMatchObject({ suspects: [] });
  });

  it('are only the last one answered if nothing was in flight', () => {
    expect(explain(sent('last', answered(20)), sent('a', refused(50), refused(51)))).toEqual({
      kind: 'stopped-answering',
      suspects: [],
      lastAnswered: 'last',
    });
  });
});

describe('a run out of time', () => {
  const explainTime = (...exchanges: readonly Exchange[]): Ending =>
    explainEnding({ kind: 'budget', setting: 'max-time' }, exchanges, settings);

  it('would not have been helped by more time if the control and everything else on chat hung', () => {
    const ending = explainTime(sent('chat', timedOut(10), timedOut(1_010)), sent('chat/conversation', timedOut(2_020)));
    expect(ending).toEqual({
      kind: 'chat-unanswered',
      limit: 'first-byte-timeout',
      most: settings.timeouts.firstByte,
    });
  });

  it('is still out of time if any chat request was answered or refused', () => {
    const control = sent('chat', timedOut(10), timedOut(1_010));
    const body = { choices: [{ message: { role: 'assistant', content: 'a' } }] };
    for (const attempt of [answeredAttempt({ json: body }), answeredAttempt({ status: 500 })]) {
      expect(explainTime(control, sent('chat/conversation', attempt)).kind).toBe('budget');
    }
    expect(explainTime(sent('chat', answeredAttempt({ json: body }))).kind).toBe('budget');
  });
});

describe('a run without a model', () => {
  const NO_LIST: Ending = { kind: 'no-model', reason: 'no-list' };
  const list = sent('models', answeredAttempt({ status: 503 }));
  const chat = (status: number): Exchange => sent('preflight/chat', answeredAttempt({ status }));

  it('says whether it waited, and whether every chat request failed as well', () => {
    expect(explainEnding(NO_LIST, [list, chat(503), chat(500)], { ...settings, waitFor: 60_000 })).toMatchObject({
      waited: true,
      chatFails: true,
    });
    const heard = explainEnding(NO_LIST, [list, chat(503), chat(400)], settings);
    expect(heard).not.toHaveProperty('waited');
    expect(heard).not.toHaveProperty('chatFails');
  });
});
