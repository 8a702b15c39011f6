/** Streams that look odd and break nothing: no clause may be found broken by them, or be left open. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../json.ts';
import { streamExchange, type StreamParts } from '../../../../test/kit/exchanges.ts';
import {
  chunk,
  clausesThat,
  DONE,
  each,
  eachChoice,
  GOOD,
  judge,
  ROLE,
  say,
  STOP,
  wire,
  without,
} from '../../../../test/kit/streams.ts';

const TEXT = say('Hello', ' there', '.');
const USAGE = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };
const WIRE = wire(GOOD);
const TEXT_FIRST = wire([chunk({ delta: { role: 'assistant', content: 'Hello' } }), ...say(' there'), STOP, DONE]);
const SPLIT = wire([ROLE, ...say('海は広い 🌊', ' Grüße'), STOP, DONE]);

function think(field: string, ...words: readonly string[]): readonly JsonObject[] {
  return words.map((text) => chunk({ delta: { [field]: text, content: null } }));
}

function choice(index: number, delta: JsonObject, finish: string | null = null): JsonObject {
  return { index, delta, finish_reason: finish };
}

function inChunk(choice: JsonObject): JsonObject {
  return chunk({ chunk: { choices: [choice] } });
}

const FIRST = choice(0, { role: 'assistant', content: 'One' });
const SECOND = choice(1, { role: 'assistant', content: 'Two' });

const LEGAL: Readonly<Record<string, StreamParts>> = {
  'nothing odd at all': { events: GOOD },
  'lines that end in CR LF': { text: WIRE.replaceAll('\n', '\r\n') },
  'a CR LF that the network cut in two': {
    reads: WIRE.replaceAll('\n', '\r\n')
      .split(/(?<=\r)/)
      .map((text, place) => ({ at: 20 + place, text })),
  },
  'a last CR whose LF had not arrived': { text: `${WIRE}: bye\r`, end: { kind: 'aborted', why: 'done' } },
  'a CR after [DONE]': { text: `${WIRE}: bye\r\r` },
  'a byte order mark before a chunk without text': { text: `\uFEFF${WIRE}` },
  'a byte order mark before a comment': { text: `\uFEFF: hi\n\n${TEXT_FIRST}` },
  'a byte order mark before an empty line': { text: `\uFEFF\n${TEXT_FIRST}` },
  'a byte order mark before a field other than data': { text: `\uFEFFid: 7\n${TEXT_FIRST}` },
  'text in the first event, without a byte order mark': { text: TEXT_FIRST },
  'comments before, between and after': { text: `: hi\n\n${WIRE.replaceAll('\n\n', '\n\n: ping\n\n')}` },
  'a comment inside an event, on a line of its own': { text: WIRE.replaceAll('data: ', ': ping\ndata: ') },
  'id and retry fields beside data': { text: WIRE.replaceAll('data: ', 'id: 7\nretry: 3000\ndata: ') },
  'a comment before the first id': { text: `: hi\n\n${WIRE.replaceAll('data: ', 'id: 7\ndata: ')}` },
  'a comment beside data, after an id': { text: WIRE.replaceAll('data: ', 'id: 7\n: ping\ndata: ') },
  'a comment after [DONE], after an id': { text: `${WIRE.replaceAll('data: ', 'id: 7\ndata: ')}: bye\n\n` },
  'a retry field alone after [DONE]': { text: `${WIRE}retry: 3000\n\n` },
  'blank lines between events': { text: WIRE.replaceAll('\n\n', '\n\n\n\n') },
  'an unknown field alone after [DONE]': { text: `${WIRE}trace: abc\n\n` },
  'fields that the grammar does not have': { text: WIRE.replaceAll('data: ', 'trace: abc\ndata: ') },
  'no space after the colon': { text: WIRE.replaceAll('data: ', 'data:') },
  'events named message': { text: WIRE.replaceAll('data: ', 'event: message\ndata: ') },
  'an event with an empty name': { text: WIRE.replaceAll('data: ', 'event:\ndata: ') },
  'a named event after [DONE]': { text: `${WIRE}event: ping\ndata: {}\n\n` },
  'a read for each character': { reads: Array.from(SPLIT).map((text, place) => ({ at: 20 + place, text })) },
  'several events in one read': { text: WIRE },
  'a line of 200 KiB': { events: [ROLE, ...say('word '.repeat(40_000)), STOP, DONE] },
  'a charset in the label': { events: GOOD, headers: { 'content-type': 'Text/Event-Stream; charset=UTF-8' } },
  'no blank line after [DONE]': { text: WIRE.replace(/\n+$/, '') },
  'white space after [DONE]': { text: WIRE.replace('[DONE]', '[DONE] ') },
  'a comment that is not ASCII': { text: `: café\n\n${WIRE}` },
  'a text that repeats a short beginning': { events: [ROLE, ...say('ha', ' ha', ' ha', 'ha ha ha'), STOP, DONE] },
  'a first line that is sent twice': {
    events: [ROLE, ...say(...Array.from({ length: 3 }, () => 'Row, row, row your boat,\n'), 'gently.'), STOP, DONE],
  },
  'a first line that is sent twice, after a line end': {
    events: [ROLE, ...say('\n', ...Array.from({ length: 3 }, () => '\nRow, row, row your boat,')), STOP, DONE],
  },
  'a line of dashes in pieces of several sizes': {
    events: [ROLE, ...say('-'.repeat(16), '-'.repeat(16), '-'.repeat(48), ' Hello.'), STOP, DONE],
  },
  'a long beginning that the second piece repeats': {
    events: [ROLE, ...say('Row, row, row your boat, ', 'Row, row, row your boat, gently', ' down.'), STOP, DONE],
  },
  'no finish_reason member before the end': {
    events: eachChoice((part) => (part['finish_reason'] === null ? without(part, 'finish_reason') : part)),
  },
  'a comment after [DONE]': { text: `${WIRE}: bye\n\n` },
  'a first chunk without choices': { events: [chunk({ chunk: { choices: [], prompt_filter_results: [] } }), ...GOOD] },
  'a last chunk with usage and empty choices': {
    events: [ROLE, ...TEXT, STOP, chunk({ chunk: { choices: [], usage: USAGE } }), DONE],
  },
  'usage in each chunk': { events: each((event) => ({ ...event, usage: USAGE })) },
  'usage null in each chunk': { events: each((event) => ({ ...event, usage: null })) },
  'another chunk for the choice after its end, without text': { events: [ROLE, ...TEXT, STOP, chunk(), DONE] },
  'a role in every delta': {
    events: [...['Hello', ' there'].map((content) => chunk({ delta: { role: 'assistant', content } })), STOP, DONE],
  },
  'nulls in a delta': {
    events: [
      chunk({ delta: { role: 'assistant', content: null, tool_calls: null } }),
      ...['Hello', ' there'].map((content) => chunk({ delta: { role: null, content } })),
      STOP,
      DONE,
    ],
  },
  'text and finish_reason in one chunk': {
    events: [chunk({ delta: { role: 'assistant', content: 'Yes' }, finish: 'stop' }), DONE],
  },
  'created that changes': { events: each((sent, created) => ({ ...sent, created })) },
  'an id of another form': {
    events: each((event) => ({ ...event, id: '2025-10-05T16:44:57Z' })),
  },
  'a finish_reason that nobody knows': { events: [ROLE, ...TEXT, chunk({ finish: 'eos_token' }), DONE] },
  'unknown fields everywhere': {
    events: [
      chunk({
        delta: { role: 'assistant', mood: 'calm' },
        choice: { logprobs: null },
        chunk: { system_fingerprint: 'x' },
      }),
      ...TEXT,
      STOP,
      DONE,
    ],
  },
  'error null at the top and in a choice': {
    events: [ROLE, ...TEXT, chunk({ finish: 'stop', choice: { error: null }, chunk: { error: null } }), DONE],
  },
  'thinking under one name': { events: [ROLE, ...think('reasoning_content', 'hm', ' well'), ...TEXT, STOP, DONE] },
  'thinking under the other name': { events: [ROLE, ...think('reasoning', 'hm', ' well'), ...TEXT, STOP, DONE] },
  'thinking only, up to the budget': {
    events: [ROLE, ...think('reasoning', 'hm', ' \uFFFD'), chunk({ finish: 'length' }), DONE],
  },
  'thinking only, that ends in stop': { events: [ROLE, ...think('reasoning_content', 'hm', ' well'), STOP, DONE] },
  'no text up to the budget': { events: [ROLE, chunk({ finish: 'length' }), DONE] },
  'a refusal in place of content': { events: [ROLE, chunk({ delta: { refusal: 'I cannot.' } }), STOP, DONE] },
  laughter: { events: [ROLE, ...say('ha', 'ha', 'ha', 'ha'), STOP, DONE] },
  'pieces that begin alike': { events: [ROLE, ...say('no', 'no ', 'nobody', ' knows'), STOP, DONE] },
  'a half character where the budget ended': {
    events: [ROLE, ...say('海', 'は\uFFFD'), chunk({ finish: 'length' }), DONE],
  },
  'half of an emoji where the budget ended': {
    events: [ROLE, ...say('海', 'は\uD83C'), chunk({ finish: 'length' }), DONE],
  },
  'a whole emoji where the budget ended': {
    events: [ROLE, ...say('海', ' 🌊'), chunk({ finish: 'length' }), DONE],
  },
  'two choices, one in each chunk': {
    events: [
      ...[FIRST, SECOND, choice(0, { content: ' a' }), choice(1, { content: ' b' })].map(inChunk),
      ...[choice(0, {}, 'stop'), choice(1, {}, 'stop')].map(inChunk),
      DONE,
    ],
  },
  'two choices, each whole in a chunk of its own': {
    events: [...[FIRST, SECOND].map((choice) => inChunk({ ...choice, finish_reason: 'stop' })), DONE],
  },
  'a chunk without finish_reason after the choice has ended': {
    events: [ROLE, ...TEXT, STOP, inChunk({ index: 0, delta: {} }), DONE],
  },
  'two choices in the same chunks': {
    events: [
      chunk({ chunk: { choices: [FIRST, SECOND] } }),
      chunk({ chunk: { choices: [choice(0, {}, 'stop'), choice(1, {}, 'length')] } }),
      DONE,
    ],
  },
  'an error told as answer text, since content is never graded': {
    events: [ROLE, ...say('[{"error": {"message": "upstream failed"}}]'), STOP, DONE],
  },
};

test.each(Object.entries(LEGAL))('%s breaks nothing', (_, stream) => {
  expect(clausesThat('broken', stream)).toEqual([]);
  expect(clausesThat('inconclusive', stream)).toEqual([]);
});

test('checks that need text are skipped if a reasoning model spent its budget first', () => {
  expect(clausesThat('skipped', { events: [ROLE, chunk({ finish: 'length' }), DONE] })).toEqual([
    'carries-text',
    'in-pieces',
    'increments',
    'no-error',
    'no-replacement-character',
    'whole-characters',
  ]);
});

test('a stream without text is skipped if the same request without stream had no text either', () => {
  const silent = streamExchange({ step: 'chat-stream', events: [ROLE, STOP, DONE] });
  expect(judge('stream.carries-text', silent, { exchanges: [] }).kind).toBe('skipped');
});
