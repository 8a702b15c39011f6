import { describe, expect, it } from 'vitest';
import type { KeyUse } from '../../suite/case.ts';
import type { SoughtAnswer } from '../../plan/plan.ts';
import {
  failure,
  modelsExchange,
  plainExchange,
  streamExchange,
  type ExchangeParts,
  type StreamParts,
} from '../../../test/kit/exchanges.ts';
import { wasAnswered, measureClockSkew, refusalTimes, isUnrelatedToEdit, timesClosed } from './answered.ts';

const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('whether a request was answered', () => {
  it.each<[string, ExchangeParts, boolean]>([
    ['an object', { json: { anything: 1 } }, true],
    ['an empty object', { json: {} }, false],
    ['an object with error null', { json: { error: null } }, true],
    ['an object with an error', { json: { error: { message: 'x' } } }, false],
    ['an array', { json: [] }, false],
    ['HTML', { text: '<html>' }, false],
    ['a cut body', { end: { kind: 'cut', detail: '' } }, false],
    ['another success', { status: 201 }, false],
    ['a refusal', { status: 400 }, false],
    ['no answer', { failure: failure('closed') }, false],
    ['a body deeper than allowed', { text: '['.repeat(300) + ']'.repeat(300) }, false],
  ])('%s: %s', (_, parts, is) => {
    expect(wasAnswered(plainExchange(parts))).toBe(is);
  });

  it.each<[string, StreamParts, boolean]>([
    ['a whole stream', { events: [chunk, last, '[DONE]'] }, true],
    ['one without an end marker', { events: [chunk] }, true],
    ['one that is held open', { events: [chunk, last], end: { kind: 'limit', limit: 'idle-timeout' } }, true],
    ['one that a limit of ours stopped', { events: [chunk], end: { kind: 'limit', limit: 'max-events' } }, true],
    ['one that is cut', { events: [chunk], end: { kind: 'cut', detail: '' } }, false],
    ['one that stalls', { events: [chunk], end: { kind: 'limit', limit: 'idle-timeout' } }, false],
    ['one without a choice', { events: ['[DONE]'] }, false],
    ['one with an error after text', { events: [chunk, { error: { message: 'x' } }] }, true],
    ['one with an error in place of text', { events: [last, { error: { message: 'x' } }] }, false],
    ['JSON in its place', { text: JSON.stringify(chunk) }, false],
  ])('%s: %s', (_, parts, is) => {
    expect(wasAnswered(streamExchange(parts))).toBe(is);
  });

  it('The last attempt counts', () => {
    expect(
      wasAnswered(plainExchange({ json: { anything: 1 }, earlier: plainExchange({ status: 503 }).attempts })),
    ).toBe(true);
    expect(wasAnswered(plainExchange({ status: 503, earlier: plainExchange().attempts }))).toBe(false);
  });
});

describe('whether an edit was refused', () => {
  it.each<[number, SoughtAnswer, KeyUse, boolean]>([
    [400, 'refusal', 'full', false],
    [401, 'refusal', 'full', true],
    [401, 'either', 'full', true],
    [400, 'either', 'full', false],
    [503, 'either', 'full', true],
    [401, 'refusal', 'query', false],
    [401, 'unauthorized', 'unknown', false],
    [402, 'refusal', 'full', true],
    [402, 'unauthorized', 'unknown', false],
    [408, 'unauthorized', 'unknown', true],
    [429, 'refusal', 'full', true],
    [500, 'unauthorized', 'unknown', true],
    [503, 'answer', 'full', false],
    [503, 'any', 'full', false],
  ])('%d, seeking %s with the key %s: unrelated to the edit: %s', (status, seeks, key, nothing) => {
    expect(isUnrelatedToEdit(plainExchange({ status, seeks, request: { key } }))).toBe(nothing);
  });

  it('A closed connection is unrelated; a timeout needs no control', () => {
    expect(isUnrelatedToEdit(plainExchange({ seeks: 'refusal', failure: failure('closed') }))).toBe(true);
    expect(isUnrelatedToEdit(plainExchange({ seeks: 'refusal', failure: failure('timeout') }))).toBe(false);
  });

  it('Only refusals of chat are timed, in sorted order', () => {
    const slow = plainExchange({ status: 400 });
    expect(
      refusalTimes([slow, plainExchange(), plainExchange({ status: 500 }), modelsExchange({ status: 401 })]),
    ).toEqual([20]);
  });
});

describe('how often the connection was closed without an answer', () => {
  it.each([
    [['closed'], 1],
    [['closed', 'closed', 'closed'], 3],
    [['closed', 'refused', 'closed'], 2],
    [['refused', 'closed'], 1],
    // It reached the target once, and perhaps with another request that ended it.
    [['closed', 'refused', 'refused'], 0],
    [['refused'], 0],
    [['timeout', 'closed'], 0],
  ] as const)('%j: %d', (kinds, times) => {
    const attempts = kinds.flatMap((kind) => plainExchange({ failure: failure(kind) }).attempts);
    expect(timesClosed({ attempts })).toBe(times);
  });

  it('An answer in between is an answer', () => {
    const attempts = [{ failure: failure('closed') }, { status: 500 }, { failure: failure('closed') }];
    expect(timesClosed({ attempts: attempts.flatMap((parts) => plainExchange(parts).attempts) })).toBe(0);
  });
});

describe('the clock of the target', () => {
  const startedAt = Date.UTC(2025, 0, 1);
  const dated = (date: string) => plainExchange({ headers: { date } });

  it('is read from the first valid Date header', () => {
    const ahead = new Date(startedAt + 60_000).toUTCString();
    expect(
      measureClockSkew(
        [plainExchange(), dated('yesterday'), dated(ahead), dated('Wed, 01 Jan 2020 00:00:00 GMT')],
        startedAt,
      ),
    ).toBe(59_990);
  });

  it('A Date has whole seconds, so less than two count as zero; without a Date it is unknown', () => {
    expect(measureClockSkew([dated(new Date(startedAt + 1_500).toUTCString())], startedAt)).toBe(0);
    expect(measureClockSkew([plainExchange()], startedAt)).toBeUndefined();
  });
});
