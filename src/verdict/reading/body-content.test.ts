import { describe, expect, it } from 'vitest';
import { COMPLETION, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import type { JsonObject } from '../../json.ts';
import { dropQuotes } from '../../text/quote.ts';
import { formatActual } from '../actual.ts';
import { answerFound, formFound } from './body-content.ts';

function answerOf({ attempts: [attempt] }: Exchange): Answer {
  if (attempt?.outcome.kind !== 'answer') throw new Error('The exchange has no answer.');
  return attempt.outcome.answer;
}

const plain = (parts: Parameters<typeof plainExchange>[0]) => answerOf(plainExchange(parts));
const stream = (parts: Parameters<typeof streamExchange>[0]) => answerOf(streamExchange(parts));
const reply = (message: JsonObject) => ({ ...COMPLETION, choices: [{ index: 0, message }] });
const CHUNK = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'The sea' } }] };

describe('an answer in place of another', () => {
  const found = (answer: Answer) => formatActual(answerFound(answer));

  it('is called a completion, with its first words', () => {
    expect(found(plain({ json: reply({ content: 'The sea.' }) }))).toBe('200 with a completion: "The sea."');
    expect(found(plain({ json: reply({ content: 'wave '.repeat(40) }) }))).toBe(
      `200 with a completion: "${'wave '.repeat(12)}…" (200 characters)`,
    );
    expect(found(plain({ json: reply({ content: '' }) }))).toBe('200 with a completion without text');
    expect(found(plain({ json: reply({ content: null, reasoning: 'Hm.' }) }))).toBe('200 with a completion: "Hm."');
  });

  it('is called a stream, a list of models, an error or a web page', () => {
    expect(found(stream({ events: [CHUNK, CHUNK] }))).toMatch(/^200 with a stream of \d events$/);
    expect(found(plain({ json: { object: 'list', data: [{ id: 'a' }] } }))).toBe('200 with a list of 1 model');
    expect(found(plain({ json: { error: { code: 'bad', message: 'No.' } } }))).toBe('200 with an error (bad: No.)');
    expect(found(plain({ json: { error: true } }))).toBe('200 with an error');
    expect(found(stream({ events: [{ error: { message: 'No.' } }] }))).toBe('200 with an error (No.)');
    expect(found(stream({ text: 'event: error\ndata: gone\n\n' }))).toBe('200 with an error (gone)');
    expect(found(plain({ text: '<!doctype html><title>Sign in</title>' }))).toBe('200 with the web page "Sign in"');
  });

  it('says who stopped reading a stream, since it may have had more events', () => {
    const left = (why: string) => found(stream({ events: [CHUNK, CHUNK], end: { kind: 'aborted', why } }));
    expect(left('text')).toMatch(/^200 with a stream of at least \d events \(wirecheck read no further\)$/);
    expect(left('client-left')).toMatch(
      /^200 with a stream of at least \d events \(the recorded client read no further\)$/,
    );
    expect(left('done')).toMatch(/^200 with a stream of \d events$/);
  });

  it('is quoted if it is none of these', () => {
    expect(found(plain({ json: { ok: true } }))).toBe('200: {"ok":true}');
    expect(found(plain({ status: 202, text: '' }))).toBe('202 with an empty body');
  });

  it('keeps its kind and its size without bodies', () => {
    const withheld = (answer: Answer) => formatActual(dropQuotes(answerFound(answer)));
    expect(withheld(plain({ json: reply({ content: 'The sea.' }) }))).toBe('200 with a completion of 8 characters');
    expect(withheld(plain({ json: { error: { message: 'No.' } } }))).toBe('200 with an error (text of 3 characters)');
  });
});

describe('a body of another form', () => {
  it('is named', () => {
    const json = plain({ json: reply({ content: 'The sea.' }) });
    expect(formatActual(formFound('json', json))).toBe('one JSON document, a completion: "The sea."');
    const lines = stream({ text: `${JSON.stringify(CHUNK)}\n${JSON.stringify(CHUNK)}\n` });
    expect(formatActual(formFound('json-lines', lines))).toBe('2 lines, each a JSON document');
    const events = plain({ text: `data: ${JSON.stringify(CHUNK)}\n\n` });
    expect(formatActual(formFound('not-json', events))).toBe('not JSON but a stream of 1 event');
    expect(formatActual(formFound('event-stream', events))).toBe('a stream of 1 event');
  });

  it('is quoted where a long text ceases to be JSON', () => {
    const text = JSON.stringify(reply({ content: 'wave '.repeat(40) })).replace(/}$/, ',"n":NaN}');
    expect(formatActual(formFound('not-json', plain({ text })))).toMatch(/^text that is not JSON: .*N/);
    expect(formatActual(formFound('not-json', plain({ text: '{oops' })))).toBe('not JSON: {oops');
  });

  it('is quoted at its end if it was cut off', () => {
    const text = JSON.stringify(reply({ content: 'wave '.repeat(40) })).slice(0, 200);
    const answer = plain({ text });
    const cut: Answer = { ...answer, body: { ...answer.body, end: { kind: 'cut', detail: 'aborted' } } };
    expect(formatActual(formFound('cut', cut))).toBe(`a body that was cut off after 200 bytes: …${text.slice(-60)}`);
  });
});
