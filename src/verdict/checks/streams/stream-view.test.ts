import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteText } from '../../../text/quote.ts';
import { checkInput, failure, streamExchange } from '../../../../test/kit/exchanges.ts';
import {
  chunk,
  clausesThat,
  DONE,
  each,
  GOOD,
  judge,
  JUDGED,
  results,
  ROLE,
  say,
  wire,
  STREAM_CHECKS,
} from '../../../../test/kit/streams.ts';

const ALL = Object.keys(JUDGED)
  .map((clause) => clause.replace(/^stream\./, ''))
  .toSorted();

test('a stream that was refused or never arrived is not judged', () => {
  expect(clausesThat('inconclusive', { status: 503, text: '{}' })).toEqual(ALL);
  expect(clausesThat('inconclusive', { failure: failure('timeout', { limit: 'first-byte-timeout' }) })).toEqual(ALL);
});

test('the reason names the clause that judges the root cause', () => {
  const reasons = results({ text: '{}' });
  expect(reasons['stream.event-stream']?.kind).toBe('broken');
  expect(reasons['stream.done']).toEqual({
    kind: 'inconclusive',
    reason: { kind: 'see-clause', because: 'no-event-stream', clause: 'stream.event-stream' },
  });
});

test('a run without any stream leaves every clause undecided', () => {
  for (const check of Object.values(STREAM_CHECKS)) {
    expect(['inconclusive', 'skipped']).toContain(check.execute(checkInput([])).kind);
  }
});

test('events before a limit are judged, and the setting is named for the rest', () => {
  const stopped = results({ events: [ROLE, ...say('Hello')], end: { kind: 'limit', limit: 'max-events' } });
  const reason = { kind: 'over-limit', what: 'stream', limit: 'max-events' };
  for (const clause of ['stream.completes', 'stream.done', 'stream.finishes']) {
    expect(stopped[clause]).toEqual({ kind: 'inconclusive', reason });
  }
  expect(stopped['stream.chunk-object']?.kind).toBe('holds');
  expect(stopped['stream.role-first']?.kind).toBe('holds');
  const early = results({ text: 'x'.repeat(100), end: { kind: 'limit', limit: 'max-line' } });
  expect(Object.values(early).map(({ kind }) => kind)).not.toContain('broken');
  expect(early['stream.event-stream']?.kind).toBe('inconclusive');
});

test('an event that is nested too deeply is inconclusive', () => {
  const deep = results({ events: ['['.repeat(300) + ']'.repeat(300), ...GOOD] });
  expect(Object.values(deep).map(({ kind }) => kind)).not.toContain('broken');
  expect(deep['stream.data-json']).toMatchObject({ kind: 'inconclusive' });
  expect(results({ events: ['['.repeat(300)] })['stream.has-choices']?.kind).toBe('inconclusive');
});

test('the same violation in many places is one finding with a count, and names its event', () => {
  const events = each((event) => ({ ...event, id: '' }));
  expect(judge('stream.chunk-id', streamExchange({ id: 'long', events }))).toEqual({
    kind: 'broken',
    findings: [
      {
        mismatch: 'empty',
        exchange: 'long',
        attempt: 0,
        pointer: '/0/id',
        expected: { kind: 'not-empty' },
        actualType: 'string',
        actual: { kind: 'value', value: quoteText('') },
        more: 4,
      },
    ],
  });
});

test('the worst of several streams counts', () => {
  const good = streamExchange({ id: 'one', events: GOOD });
  const bad = streamExchange({ id: 'two', events: GOOD.slice(0, -1) });
  expect(judge('stream.done', [good, bad])).toMatchObject({ kind: 'broken', findings: [{ exchange: 'two' }] });
});

test('a body that is not an event stream is shown with its kind', () => {
  expect(judge('stream.event-stream', streamExchange({ text: '{"a":1}\n{"a":2}\n' }))).toMatchObject({
    findings: [
      {
        mismatch: 'not-event-stream',
        actualType: 'json-lines',
        actual: { kind: 'body', form: 'json-lines', body: { quote: expect.stringContaining('{"a":1}') } },
      },
    ],
  });
});

test('incomplete second choices break nothing in a truncated stream', () => {
  const delta = { role: 'assistant', content: 'a' };
  const events = [0, 1].map((index) => chunk({ chunk: { choices: [{ index, delta, finish_reason: null }] } }));
  expect(clausesThat('broken', { events, end: { kind: 'cut', detail: 'reset' } })).toEqual(['completes']);
});

test('no text makes a check throw', () => {
  const words = fc.constantFrom(
    wire(GOOD),
    wire([DONE]),
    'data: {"choices":[{}]}\n\n',
    'data: {"choices":[null]}\n\n',
    'event: error\n',
  );
  const text = fc
    .array(
      fc.oneof(
        words,
        fc.json().map((json) => `data: ${json}\n\n`),
        fc.string(),
      ),
    )
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, (body) => {
      const input = checkInput(streamExchange({ text: body }));
      for (const check of Object.values(STREAM_CHECKS)) check.execute(input);
    }),
    { numRuns: 50 },
  );
});
