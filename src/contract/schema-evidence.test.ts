import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { loadContract } from './read-contract.ts';

const contract = loadContract();
const couldBreak = (clause: string, value: Json, schema = 'v1/chat-completion-response'): boolean =>
  contract.couldBreak(schema, clause, value);

describe('couldBreak', () => {
  it.each<[string, Json, boolean]>([
    ['completion.usage-type', {}, false],
    ['completion.usage-type', { usage: null }, true],
    ['usage.total-tokens-type', { usage: null }, false],
    ['usage.total-tokens-type', { usage: {} }, false],
    ['usage.total-tokens-type', { usage: { total_tokens: '5' } }, true],
    ['choice.message-role', { choices: [{ message: null }] }, false],
    ['choice.message-role', { choices: [{}, { message: {} }] }, true],
    ['completion.object-body', 'a text', true],
    ['completion.choices-type', { choices: [] }, true],
  ])('of %s by %j is %s', (clause, value, is) => {
    expect(couldBreak(clause, value)).toBe(is);
  });

  it.each<[string, Json, boolean]>([
    ['completion.usage-present', {}, true],
    ['usage.total-tokens-present', {}, false],
    ['usage.total-tokens-present', { usage: {} }, true],
    ['usage.not-negative', { usage: { total_tokens: '-1' } }, false],
    ['usage.not-negative', { usage: { prompt_tokens: 0 } }, true],
    ['choice.finish-reason-present', { choices: [{}] }, true],
    ['choice.role-assistant', { choices: [{ message: { role: 'tool' } }] }, false],
    ['choice.role-assistant', { choices: [{ message: { role: 'user' } }] }, true],
  ])('of %s, on presence and values, by %j is %s', (clause, value, is) => {
    expect(couldBreak(clause, value, 'wire/completion')).toBe(is);
  });

  it('needs an entry for clauses on the models of a list', () => {
    expect(couldBreak('list.data', { data: null }, 'v1/model-list')).toBe(true);
    expect(couldBreak('model.id', { data: null }, 'v1/model-list')).toBe(false);
    expect(couldBreak('model.id', { data: [] }, 'v1/model-list')).toBe(false);
    expect(couldBreak('model.id', { data: [{}] }, 'v1/model-list')).toBe(true);
  });
});
