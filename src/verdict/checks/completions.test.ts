import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import type { Json } from '../../json.ts';
import type { Check } from '../check.ts';
import { COMPLETION, checkInput, modelsExchange, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { ERROR_CHECKS } from './errors.ts';
import { COMPLETION_CHECKS } from './completions.ts';
import { MODEL_CHECKS } from './models.ts';

const { 'unique-models': uniqueModels } = MODEL_CHECKS;

const { 'no-error-inside': noErrorInside, 'choice-no-error': choiceNoError } = ERROR_CHECKS;

const {
  'has-reply': hasReply,
  'message-in-choices': messageInChoices,
  'ids-differ': idsDiffer,
  'index-values': indexValues,
  'completion-counted': completionCounted,
  'usage-sum': usageSum,
} = COMPLETION_CHECKS;

const judge = (check: Check, json: Json) => check.execute(checkInput(plainExchange({ json })));
const withIndices = (...indices: Json[]) => ({ choices: indices.map((index) => ({ index, message: {} })) });

describe('has-reply', () => {
  it('holds for one choice with a message among others', () => {
    expect(judge(hasReply, COMPLETION)).toEqual({ kind: 'holds' });
    expect(judge(hasReply, { choices: [{}, { message: {} }] })).toEqual({ kind: 'holds' });
  });

  it.each<[string, Json]>([
    ['no choices', {}],
    ['an empty list', { choices: [] }],
    ['a choice without a message', { choices: [{ index: 0 }] }],
  ])('is broken by %s', (_, json) => {
    expect(judge(hasReply, json)).toMatchObject({ kind: 'broken', findings: [{ pointer: '/choices' }] });
  });

  it.each<[string, Json, string]>([
    ['an array in place of a completion', [], 'completion.object-body'],
    ['an error in its place', { error: {} }, 'completion.no-error'],
    ['choices that are null', { choices: null }, 'completion.choices-type'],
    ['a message that is text', { choices: [{ message: 'Hello' }] }, 'choice.message-type'],
  ])('leaves %s to its own clause', (_, json, clause) => {
    expect(judge(hasReply, json)).toMatchObject({ kind: 'skipped', reason: { kind: 'see-clause', clause } });
  });
});

describe('message-in-choices', () => {
  it('holds if every choice has a message', () => {
    expect(judge(messageInChoices, COMPLETION)).toEqual({ kind: 'holds' });
  });

  it('is broken by a choice without one beside another that has one', () => {
    expect(judge(messageInChoices, { choices: [{ message: {} }, { index: 1 }] })).toMatchObject({
      kind: 'broken',
      findings: [{ pointer: '/choices/1/message' }],
    });
  });

  it('leaves a completion without any message to service.reply', () => {
    expect(judge(messageInChoices, { choices: [{ index: 0 }] }).kind).toBe('skipped');
  });
});

describe('no-error-inside', () => {
  it('holds without an error, and with one that is null', () => {
    expect(judge(noErrorInside, COMPLETION)).toEqual({ kind: 'holds' });
    expect(judge(noErrorInside, { ...COMPLETION, error: null })).toEqual({ kind: 'holds' });
  });

  it('is broken by an error beside a success', () => {
    expect(judge(noErrorInside, { ...COMPLETION, error: 'No.' })).toMatchObject({ findings: [{ pointer: '/error' }] });
  });
});

describe('choice-no-error', () => {
  it('holds without an error in a choice', () => {
    expect(judge(choiceNoError, COMPLETION)).toEqual({ kind: 'holds' });
  });

  it('is broken by an error in a choice, and counts further ones', () => {
    const choices = [{ error: { code: 502 } }, { error: null }, { error: {} }];
    expect(judge(choiceNoError, { choices })).toMatchObject({ findings: [{ pointer: '/choices/0/error', more: 1 }] });
  });
});

describe('index-values', () => {
  it('holds for 0 first and distinct indices after it, in any order', () => {
    expect(judge(indexValues, withIndices(0, 2, 1))).toEqual({ kind: 'holds' });
  });

  it('is broken by another first index, and by a duplicate', () => {
    expect(judge(indexValues, withIndices(1))).toMatchObject({
      findings: [{ mismatch: 'value', actual: { kind: 'value', value: 1 } }],
    });
    expect(judge(indexValues, withIndices(0, 0))).toMatchObject({ findings: [{ mismatch: 'repeated' }] });
  });

  it('leaves indices of other types to their own clause', () => {
    expect(judge(indexValues, withIndices('0', null, '0')).kind).toBe('skipped');
  });
});

describe('completion-counted', () => {
  const reply = (content: string, completion: Json) => ({
    choices: [{ message: { content } }],
    usage: { completion_tokens: completion },
  });

  it('is broken by a count of 0 beside text, and only by that', () => {
    expect(judge(completionCounted, reply('Hello.', 0))).toMatchObject({
      findings: [{ pointer: '/usage/completion_tokens', actual: { value: 0 } }],
    });
    expect(judge(completionCounted, reply('Hello.', 1))).toEqual({ kind: 'holds' });
    expect(judge(completionCounted, { choices: [{ message: { content: 'Hello.' } }] }).kind).toBe('skipped');
    expect(judge(completionCounted, reply('', 0)).kind).toBe('skipped');
  });
});

describe('usage-sum', () => {
  it('holds for a correct sum, is broken by another total, and skips incomplete usage', () => {
    expect(judge(usageSum, COMPLETION)).toEqual({ kind: 'holds' });
    expect(judge(usageSum, { usage: { ...COMPLETION.usage, total_tokens: 5 } })).toMatchObject({
      findings: [
        { pointer: '/usage/total_tokens', actual: { kind: 'token-counts', total: 5, prompt: 3, completion: 1 } },
      ],
    });
    expect(judge(usageSum, { usage: { prompt_tokens: 1 } }).kind).toBe('skipped');
  });
});

describe('unique-models', () => {
  const list = (...ids: Json[]) => modelsExchange({ json: { data: ids.map((id) => ({ id })) } });

  it('holds if every id is unique', () => {
    expect(uniqueModels.execute(checkInput(list('a', 'A', 5, 5)))).toEqual({ kind: 'holds' });
  });

  it('is broken by a duplicate id', () => {
    expect(uniqueModels.execute(checkInput(list('a', 'b', 'a', 'a')))).toMatchObject({
      findings: [
        { pointer: '/data/2/id', actual: { kind: 'repeated', value: quoteText('a'), pointer: '/data/0/id' }, more: 1 },
      ],
    });
  });
});

describe('ids-differ', () => {
  const reply = (id: string, completionId: Json) => plainExchange({ id, json: { ...COMPLETION, id: completionId } });
  const stream = streamExchange({ id: 's', events: [{ id: 'a', choices: [{ index: 0, delta: {} }] }, '[DONE]'] });

  it('holds if every completion has its own id', () => {
    const replies = [reply('1', 'a'), reply('2', 'b')];
    expect(idsDiffer.execute(checkInput([...replies, reply('3', 7)]))).toEqual({
      kind: 'holds',
      answers: { kept: replies, broken: [] },
    });
  });

  it('is broken by a reused id, including in a stream', () => {
    expect(idsDiffer.execute(checkInput([reply('1', 'a'), reply('2', 'a'), reply('3', 'a')]))).toMatchObject({
      findings: [{ exchange: '2', actual: { kind: 'repeated', value: quoteText('a'), exchange: '1' }, more: 1 }],
    });
    expect(idsDiffer.execute(checkInput([reply('1', 'a'), stream])).kind).toBe('broken');
  });

  it('names the draw that had the id before', () => {
    const drawn = { ...reply('1', 'a'), step: 'explore/17', name: 'explore' };
    expect(idsDiffer.execute(checkInput([drawn, reply('2', 'a')]))).toMatchObject({
      findings: [{ actual: { exchange: '1', request: 'draw 17' } }],
    });
  });

  it('does not compare an exchange with itself, and skips if there are fewer than two ids', () => {
    const first = reply('1', 'a');
    expect(idsDiffer.execute(checkInput([first, first])).kind).toBe('skipped');
    expect(idsDiffer.execute(checkInput([first, reply('2', 7)])).kind).toBe('skipped');
  });

  it('is broken by plain replies whose ids are all empty, and skips if they have none, whatever streams have', () => {
    const other = streamExchange({ id: 't', events: [{ id: 'b', choices: [{ index: 0, delta: {} }] }, '[DONE]'] });
    expect(idsDiffer.execute(checkInput([reply('1', ''), reply('2', ''), stream, other]))).toMatchObject({
      kind: 'broken',
      findings: [{ exchange: '2', more: 0 }],
      answers: { kept: [{ id: '1' }, { id: 's' }, { id: 't' }], broken: [{ id: '2' }] },
    });
    expect(idsDiffer.execute(checkInput([reply('1', null), reply('2', null), stream, other])).kind).toBe('skipped');
    expect(idsDiffer.execute(checkInput([stream, other])).kind).toBe('holds');
  });
});
