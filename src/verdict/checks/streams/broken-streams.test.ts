/** Each way to break a stream, among them those seen in the field, and exactly the clauses that it breaks. */
import { expect, test } from 'vitest';
import { lastAnswer } from '../../../exchange/reading/answered.ts';
import { streamExchange, type StreamParts } from '../../../../test/kit/exchanges.ts';
import {
  chunk,
  clausesThat,
  DONE,
  each,
  eachChoice,
  GOOD,
  judge,
  JUDGED,
  results,
  ROLE,
  say,
  STOP,
  wire,
  without,
} from '../../../../test/kit/streams.ts';

const ERROR = { error: { message: 'upstream failed', type: 'server_error', code: 'upstream' } };
const USAGE = chunk({ chunk: { choices: [], usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 } } });
const WIRE = wire(GOOD);
const TEXT = say('Hello', ' there', '.');
const cut = { kind: 'cut', detail: 'other side closed' } as const;
const idle = { kind: 'limit', limit: 'idle-timeout' } as const;

const FAULTS: Readonly<Record<string, StreamParts & { readonly breaks: readonly string[] }>> = {
  'plain JSON': { text: JSON.stringify(chunk()), breaks: ['event-stream'] },
  'plain JSON over several lines': { text: JSON.stringify(chunk(), null, 2), breaks: ['event-stream'] },
  'an error dressed as success': { text: `${JSON.stringify(ERROR)}\n`, breaks: ['event-stream'] },
  'newline-delimited JSON': {
    text: `${GOOD.slice(0, -1)
      .map((event) => JSON.stringify(event))
      .join('\n')}\n`,
    breaks: ['event-stream'],
  },
  'raw text': { text: 'Hello there.', breaks: ['event-stream'] },
  'raw text under the right label': {
    text: 'Hello\n\nthere.\n\n',
    headers: { 'content-type': 'text/event-stream' },
    breaks: ['event-stream'],
  },
  'an HTML page': {
    text: '<!doctype html>\n<title>502</title>\n',
    headers: { 'content-type': 'text/html' },
    breaks: ['event-stream'],
  },
  'an empty body': { text: '', breaks: ['has-choices'] },
  'comments only': { text: ': ping\n\n: ping\n\n', breaks: ['has-choices'] },
  'only [DONE]': { events: [DONE], breaks: ['has-choices'] },
  'only [DONE], without its blank line': { text: 'data: [DONE]', breaks: ['has-choices'] },
  'only named events': {
    text: `event: chunk\ndata: ${JSON.stringify(ROLE)}\n\n`,
    breaks: ['event-names', 'done', 'finishes'],
  },
  'only named events that are no chunks': {
    text: 'event: ping\ndata: {}\n\n',
    breaks: ['event-names', 'has-choices'],
  },
  'every event named chunk': {
    text: WIRE.replaceAll('data: ', 'event: chunk\ndata: '),
    breaks: ['event-names'],
  },
  'two blanks before [DONE]': { text: WIRE.replace('data: [DONE]', 'data:  [DONE]'), breaks: ['done-spacing'] },
  'a tab before [DONE]': { text: WIRE.replace('data: [DONE]', 'data:\t[DONE]'), breaks: ['done-spacing'] },
  'two blanks before a [DONE] without its blank line': {
    text: WIRE.replace('data: [DONE]\n\n', 'data:  [DONE]'),
    breaks: ['done-spacing'],
  },
  'a connection that is cut after [DONE]': { events: GOOD, end: cut, breaks: ['ends-in-order'] },
  'a data field in capitals': { text: `Data: {}\n\n${WIRE}`, breaks: ['field-names'] },
  'a data field behind a blank': { text: ` data: {}\n\n${WIRE}`, breaks: ['field-names'] },
  'a data field with an equals sign': { text: `data={}\n\n${WIRE}`, breaks: ['field-names'] },
  'a byte order mark in mid-stream': {
    text: `: first\n\n\uFEFFdata: {}\n\n${WIRE}`,
    breaks: ['byte-order-mark'],
  },
  'a chunk in mid-stream that repeats the text so far': {
    events: [ROLE, ...say('Once upon', ' a time', ' there was', 'Once upon a time there was', ' a sea.'), STOP, DONE],
    breaks: ['increments'],
  },
  'U+FFFD at the end of a stream that ended with stop': {
    events: [ROLE, ...say('Hello', ' \uFFFD'), STOP, DONE],
    breaks: ['no-replacement-character'],
  },
  'only chunks without choices': { events: [USAGE, DONE], breaks: ['has-choices'] },
  'tokens as bare text in data': { events: ['Hello', ' there', DONE], breaks: ['data-json', 'has-choices'] },
  'a body that is cut': { events: GOOD.slice(0, 3), end: cut, breaks: ['completes'] },
  'a body that is cut before its first event': { text: 'data: {"id', end: cut, breaks: ['completes'] },
  'plain JSON that is cut': { text: '{"id":"chatcmpl-7","cho', end: cut, breaks: ['completes'] },
  'a body that cannot be decompressed': {
    text: '',
    end: { kind: 'undecodable', detail: 'incorrect header check' },
    breaks: ['completes'],
  },
  'a stall before the finish_reason': { events: GOOD.slice(0, 3), end: idle, breaks: ['completes'] },
  'a stall before anything': { text: '', end: idle, breaks: ['completes'] },
  'an error event in place of tokens': { events: [ERROR], breaks: ['completes'] },
  'an error event in mid-stream': { events: [ROLE, ...TEXT, ERROR], breaks: ['no-error'] },
  'an error event in mid-stream, then [DONE]': { events: [ROLE, ...TEXT, ERROR, DONE], breaks: ['no-error'] },
  'an error event in mid-stream, then finish_reason and [DONE]': {
    events: [ROLE, ...TEXT, ERROR, STOP, DONE],
    breaks: ['no-error'],
  },
  'an error event before the text': { events: [ROLE, ERROR, ...TEXT, STOP, DONE], breaks: ['no-error'] },
  'an error event in place of tokens, then finish_reason and [DONE]': {
    events: [ROLE, ERROR, STOP, DONE],
    breaks: ['completes'],
  },
  'an error event in mid-stream, and a connection that is cut': {
    events: [ROLE, ...TEXT, ERROR],
    end: cut,
    breaks: ['completes', 'no-error'],
  },
  'an event named error': { text: `${wire([ROLE, ...TEXT])}event: error\ndata: overloaded\n\n`, breaks: ['no-error'] },
  'a failure hidden in a chunk with empty choices': {
    events: [chunk({ chunk: { choices: [], ...ERROR } })],
    breaks: ['completes'],
  },
  'no text where the plain reply has some': { events: [ROLE, STOP, DONE], breaks: ['carries-text'] },
  'the label text/plain': { events: GOOD, headers: { 'content-type': 'text/plain' }, breaks: ['labelled'] },
  'the label application/json': { events: GOOD, headers: { 'content-type': 'application/json' }, breaks: ['labelled'] },
  'a comment sent as data': { events: [ROLE, ': OPENROUTER PROCESSING', ...TEXT, STOP, DONE], breaks: ['data-json'] },
  'a heartbeat inside an event': {
    text: wire(GOOD).replace('"created"', '\n\n: keep-alive\n\n"created"'),
    breaks: ['block-data', 'data-json', 'role-first'],
  },
  'a heartbeat as a JSON event': {
    events: [ROLE, ...TEXT, { type: 'keepalive', sequence_number: 3 }, STOP, DONE],
    breaks: ['chunk-choices', 'chunk-id', 'chunk-model', 'chunk-object'],
  },
  'a number as data': { events: [ROLE, 42, ...TEXT, STOP, DONE], breaks: ['chunk-object'] },
  'empty data': { text: `${wire([ROLE])}data:\n\n${wire([...TEXT, STOP, DONE])}`, breaks: ['data-not-empty'] },
  'a named event between the chunks': {
    text: `${wire([ROLE])}event: ping\ndata: {}\n\n${wire([...TEXT, STOP, DONE])}`,
    breaks: ['event-names'],
  },
  'a named event with empty data': { text: `event: ping\ndata:\n\n${WIRE}`, breaks: ['event-names'] },
  'an event name in capitals': {
    text: WIRE.replace('data: ', 'event: Message\ndata: '),
    breaks: ['event-names', 'role-first'],
  },
  'a retry field alone': { text: `retry: 3000\n\n${WIRE}`, breaks: ['block-data'] },
  'an id field alone': { text: `id: 7\n\n${WIRE}`, breaks: ['block-data'] },
  'an event field alone': { text: `event: ping\r\n\r\n${WIRE}`, breaks: ['block-data'] },
  'fields without data beside a comment': { text: `: hi\nevent: ping\nid\n\n${WIRE}`, breaks: ['block-data'] },
  'an unknown field alone': { text: `trace: abc\n\n${WIRE}`, breaks: ['block-data'] },
  'a chunk as a line of JSON, without data': { text: WIRE.replace('data: ', ''), breaks: ['block-data', 'role-first'] },
  'a block without data before [DONE]': {
    text: `${wire([ROLE, ...TEXT, STOP])}retry: 3000\n\n${wire([DONE])}`,
    breaks: ['block-data'],
  },
  'a comment after an id': {
    text: `id: 7\n${wire([ROLE])}: ping\n\n${wire([...TEXT, STOP, DONE])}`,
    breaks: ['comment-after-id'],
  },
  'lines that end in CR': { text: WIRE.replaceAll('\n', '\r'), breaks: ['line-ends'] },
  'a byte order mark before text': {
    text: `\uFEFF${wire([chunk({ delta: { role: 'assistant', content: 'Hello' } }), ...say(' there'), STOP, DONE])}`,
    breaks: ['byte-order-mark'],
  },
  'a byte order mark before the whole reply': {
    text: `\uFEFF${wire([chunk({ delta: { role: 'assistant', content: 'Yes' }, finish: 'stop' }), DONE])}`,
    breaks: ['byte-order-mark'],
  },
  'a single CR as line end': { text: WIRE.replace('\n\n', '\n\r'), breaks: ['line-ends'] },
  'a CR before a CR LF': { text: WIRE.replace('\n\n', '\r\r\n'), breaks: ['line-ends'] },
  'a CR after [DONE] and nothing else': { text: WIRE.replace(/\n\n$/, '\r'), breaks: ['line-ends'] },
  'JSON over several data lines': {
    text: WIRE.replaceAll(',"object"', '\ndata: ,"object"'),
    breaks: ['one-data-line'],
  },
  'an empty data line after a chunk': { text: WIRE.replace('}\n\n', '}\ndata:\n\n'), breaks: ['one-data-line'] },
  'a chunk with usage and no choices': {
    events: [ROLE, ...TEXT, STOP, without(USAGE, 'choices'), DONE],
    breaks: ['chunk-choices'],
  },
  'choices null': { events: [ROLE, ...TEXT, STOP, { ...USAGE, choices: null }, DONE], breaks: ['chunk-choices'] },
  'another marker': { events: each((event) => ({ ...event, object: 'chat.completion' })), breaks: ['chunk-object'] },
  'an empty marker': { events: each((event) => ({ ...event, object: '' })), breaks: ['chunk-object'] },
  'an empty id': { events: each((event) => ({ ...event, id: '' })), breaks: ['chunk-id'] },
  'no id': { events: each((event) => without(event, 'id')), breaks: ['chunk-id'] },
  'a number for an id': { events: each((sent, id) => ({ ...sent, id })), breaks: ['chunk-id'] },
  'an id for each chunk': { events: each((sent, place) => ({ ...sent, id: `gen-${place}` })), breaks: ['id-constant'] },
  'model null and a message beside delta': {
    events: each((event) => ({ ...event, model: null, message: { role: 'assistant', content: 'Hello' } })),
    breaks: ['chunk-model'],
  },
  'an empty model': { events: each((event) => ({ ...event, model: '' })), breaks: ['chunk-model'] },
  'an index that counts tokens': {
    events: eachChoice((choice, index) => ({ ...choice, index })),
    breaks: ['choice-index'],
  },
  'an index that counts tokens, with a role in each': {
    events: eachChoice((choice, index) => ({ ...choice, index, delta: { role: 'assistant', content: 'a' } })),
    breaks: ['choice-index'],
  },
  'a single choice with the index 1': {
    events: eachChoice((choice) => ({ ...choice, index: 1 })),
    breaks: ['choice-index'],
  },
  'another index for the role': {
    events: eachChoice((choice, place) => ({ ...choice, index: Math.min(place, 1) })),
    breaks: ['choice-index'],
  },
  'another index for the end': {
    events: eachChoice((choice, place) => ({ ...choice, index: place === 4 ? 1 : 0 })),
    breaks: ['choice-index'],
  },
  'another index in the middle': {
    events: eachChoice((choice, place) => ({ ...choice, index: place === 2 ? 1 : 0 })),
    breaks: ['choice-index'],
  },
  'another index from the middle on': {
    events: eachChoice((choice, place) => ({ ...choice, index: place < 2 ? 0 : 1 })),
    breaks: ['choice-index'],
  },
  'another index from the middle on, with a role in each': {
    events: eachChoice((choice, place) => ({
      ...choice,
      index: place < 2 ? 0 : 1,
      delta: { role: 'assistant', content: `${place}` },
    })),
    breaks: ['choice-index'],
  },
  'another index in a second end': {
    events: [ROLE, ...TEXT, STOP, chunk({ finish: 'stop', choice: { index: 1 } }), DONE],
    breaks: ['choice-index', 'finish-once'],
  },
  'no index': { events: eachChoice((choice) => without(choice, 'index')), breaks: ['choice-index'] },
  'a string for an index': { events: eachChoice((choice) => ({ ...choice, index: '0' })), breaks: ['choice-index'] },
  'a late choice without delta': {
    events: [
      ROLE,
      ...TEXT,
      STOP,
      chunk({ chunk: { id: '', model: '', choices: [{ index: 0, finish_reason: null, content_filter_results: {} }] } }),
      DONE,
    ],
    breaks: ['choice-delta', 'chunk-id', 'chunk-model'],
  },
  'message in place of delta': {
    events: eachChoice(({ delta, ...choice }) => ({ ...choice, message: delta ?? {} })),
    breaks: ['choice-delta'],
  },
  'delta null': {
    events: eachChoice((choice, place) => (place === 4 ? { ...choice, delta: null } : choice)),
    breaks: ['choice-delta'],
  },
  'content as a list of parts': {
    events: [ROLE, chunk({ delta: { content: [{ type: 'text', text: 'Hello' }] } }), STOP, DONE],
    breaks: ['delta-content'],
  },
  'no role': { events: GOOD.slice(1), breaks: ['role-first'] },
  'a role that comes second': { events: [chunk(), ...GOOD], breaks: ['role-first'] },
  'the role null in the first delta': {
    events: [chunk({ delta: { role: null } }), ...GOOD.slice(1)],
    breaks: ['role-first'],
  },
  'another role': { events: [chunk({ delta: { role: 'model' } }), ...GOOD.slice(1)], breaks: ['role-first'] },
  'an empty role in later deltas': {
    events: [ROLE, ...['Hello', ' there'].map((content) => chunk({ delta: { role: '', content } })), STOP, DONE],
    breaks: ['role-first'],
  },
  'the whole text so far in each piece': {
    events: [ROLE, ...say('Hello', 'Hello there', 'Hello there.'), STOP, DONE],
    breaks: ['increments'],
  },
  'a piece that repeats the text so far and adds to it': {
    events: [ROLE, ...say('Once upon', ' a time there', 'Once upon a time there was', ' a sea.'), STOP, DONE],
    breaks: ['increments'],
  },
  'the whole text so far in every other piece': {
    events: [
      ROLE,
      ...say('Once upon', 'Once upon a time', ' there was', 'Once upon a time there was a sea', ' that was calm.'),
      STOP,
      DONE,
    ],
    breaks: ['increments'],
  },
  'everything once more at the end': {
    events: [ROLE, ...say('one two three ', 'four five ', 'six', 'one two three four five six'), STOP, DONE],
    breaks: ['increments'],
  },
  'a character lost to U+FFFD': {
    events: [ROLE, ...say('海', '\uFFFD\uFFFD', 'い'), STOP, DONE],
    breaks: ['no-replacement-character'],
  },
  'U+FFFD as the last character of a reply that ended by itself': {
    events: [ROLE, ...say('海', '\uFFFD'), STOP, DONE],
    breaks: ['no-replacement-character'],
  },
  'a character in two halves': {
    events: [ROLE, ...say('a \uD83C', '\uDF0A b'), STOP, DONE],
    breaks: ['whole-characters'],
  },
  'half a character at the end of a reply that ended by itself': {
    events: [ROLE, ...say('a', '\uD83C'), STOP, DONE],
    breaks: ['whole-characters'],
  },
  'finish_reason stop in every chunk': {
    events: eachChoice((choice) => ({ ...choice, finish_reason: 'stop' })),
    breaks: ['finish-once'],
  },
  'an empty finish_reason before the end': {
    events: eachChoice((choice) => ({ ...choice, finish_reason: choice['finish_reason'] ?? '' })),
    breaks: ['finish-once'],
  },
  'a number for a finish_reason': { events: [ROLE, ...TEXT, chunk({ finish: 1 }), DONE], breaks: ['finish-once'] },
  'finish_reason twice': { events: [ROLE, ...TEXT, STOP, STOP, DONE], breaks: ['finish-once'] },
  'text after finish_reason': {
    events: [ROLE, ...say('Hello'), STOP, ...say(' there'), DONE],
    breaks: ['nothing-after-finish'],
  },
  'no [DONE]': { events: GOOD.slice(0, -1), breaks: ['done'] },
  'no [DONE], and the connection held open': { events: GOOD.slice(0, -1), end: idle, breaks: ['done'] },
  '[DONE] twice': { events: [...GOOD, DONE], breaks: ['done'] },
  'usage after [DONE]': { events: [...GOOD, USAGE], breaks: ['done'] },
  'a malformed event after [DONE]': { events: [...GOOD, 'bye'], breaks: ['done'] },
  'an event named error after [DONE]': { text: `${wire(GOOD)}event: error\ndata: late\n\n`, breaks: ['done'] },
  'an empty finish_reason to the end': {
    events: eachChoice((choice) => ({ ...choice, finish_reason: '' })),
    breaks: ['finishes'],
  },
  'one of two choices that never ends': {
    events: [
      ...[{ role: 'assistant', content: 'a' }, { content: 'b' }].map((delta) =>
        chunk({ delta, choice: { index: 1, finish_reason: '' } }),
      ),
      ...GOOD,
    ],
    breaks: ['finishes'],
  },
  'no finish_reason': { events: [ROLE, ...TEXT, DONE], breaks: ['finishes'] },
  'no finish_reason member at all': {
    events: eachChoice((choice) => without(choice, 'finish_reason')),
    breaks: ['finishes'],
  },
  'closed after half the text': { events: [ROLE, ...TEXT], breaks: ['done', 'finishes'] },
  'an error in a choice': {
    events: [ROLE, ...TEXT, chunk({ finish: 'error', choice: ERROR }), DONE],
    breaks: ['no-choice-error'],
  },
};

test.each(Object.entries(FAULTS))('%s breaks exactly its clauses', (_, { breaks, ...stream }) => {
  expect(clausesThat('broken', stream)).toEqual(breaks.toSorted());
});

test('a comment that is not UTF-8 breaks its clause', () => {
  const stream = streamExchange({ text: `: caf?\n\n${WIRE}` });
  const body = lastAnswer(stream)!.body;
  body.bytes.set([0xe9], body.bytes.indexOf('?'.codePointAt(0)!));
  expect(judge('stream.utf-8', stream).kind).toBe('broken');
});

test('a wrong index is one finding, even if it is negative', () => {
  const stream = { events: eachChoice((choice, place) => ({ ...choice, index: place === 4 ? -1 : 0 })) };
  const result = results(stream)['stream.choice-index'];
  expect(result?.kind === 'broken' && result.findings.map(({ pointer }) => pointer)).toEqual(['/4/choices/0/index']);
});

test('every clause is broken by one of these streams, except those that need two, or bytes', () => {
  const broken = new Set(Object.values(FAULTS).flatMap(({ breaks }) => breaks));
  const judged = Object.keys(JUDGED).map((clause) => clause.replace(/^stream\./, ''));
  expect(judged.filter((clause) => !broken.has(clause))).toEqual(['utf-8', 'closes', 'in-pieces']);
});
