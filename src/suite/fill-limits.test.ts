import { describe, expect, it } from 'vitest';
import type { RequestRules } from '../contract/contract.ts';
import { completeRequest, fitRequest } from './read-suites.ts';
import { fillLimits } from './fill-limits.ts';

const rules = (more: Partial<RequestRules> = {}): RequestRules => ({
  limits: { temperature: { minimum: 0, maximum: 1 }, top_p: { minimum: 0 }, max_tokens: { minimum: 4 } },
  required: ['model', 'messages'],
  added: {},
  ...more,
});

const fill = (value: string, more?: Partial<RequestRules>) => {
  const entry = { id: 'x', title: `It is ${value}.`, set: { '/x': value }, expect: [] };
  const { entry: filled, pointless } = fillLimits(entry, rules(more));
  return { title: filled.title, value: filled.set?.['/x'], ...(pointless && { pointless }) };
};

describe('fillLimits', () => {
  it.each<[string, unknown]>([
    ['${min.temperature:0}', 0],
    ['${max.temperature:2}', 1],
    ['${max.top_p:1}', 1],
    ['${aboveMax.temperature:0.01}', 1.1],
    ['${belowMin.temperature:0.01}', -0.01],
    ['${belowMin.max_tokens:1}', 3],
    ['${within.temperature:0.70}', 0.7],
    ['${within.temperature:1.7}', 1],
    ['${within.max_tokens:1}', 4],
    ['${model}', '${model}'],
    ['${briefTokens}', 4],
  ])('%s is %j', (text, value) => {
    expect(fill(text).value).toBe(value);
    expect(fill(text)).not.toHaveProperty('pointless');
  });

  it('writes limits in words', () => {
    expect(fill('${outside.temperature}').title).toBe('It is below 0 or above 1.');
    expect(fill('${inside.top_p}').title).toBe('It is of 0 or more.');
    expect(fill('${required}', { required: ['a', 'b', 'c'] }).title).toBe('It is a, b and c.');
  });

  it('names the limit that a case is about and that there is not', () => {
    expect(fill('${aboveMax.top_p:1}').pointless).toEqual({ kind: 'limit-lifted', field: 'top_p', bound: 'maximum' });
    expect(fill('${belowMin.top_p:1}', { limits: {} }).pointless).toEqual({
      kind: 'limit-lifted',
      field: 'top_p',
      bound: 'minimum',
    });
    expect(fill('${outside.top_p}', { limits: {} }).pointless).toEqual({
      kind: 'limit-lifted',
      field: 'top_p',
      bound: 'any',
    });
  });

  it('leaves a case without point if it lacks a required field and has to be answered', () => {
    const entry = { id: 'x', title: 'X', remove: '/max_tokens', expect: [] };
    const required = ['model', 'max_tokens'];
    const pointless = { kind: 'field-required', field: 'max_tokens' };
    expect(fillLimits({ ...entry, request: 'chat' }, rules({ required }))).toMatchObject({ pointless });
    expect(fillLimits({ ...entry, control: 'chat' }, rules({ required }))).not.toHaveProperty('pointless');
    expect(fillLimits({ ...entry, request: 'chat' }, rules())).not.toHaveProperty('pointless');
  });

  it('keeps the text of a number that JavaScript cannot represent', () => {
    const entry = { id: 'x', title: 'X', rawNumber: { '/x': '${aboveMax.temperature:1e400}' }, expect: [] };
    expect(fillLimits(entry, rules()).entry.rawNumber).toEqual({ '/x': '1e400' });
  });
});

describe('completeRequest', () => {
  it('adds what is required and what is sent along', () => {
    const required = ['model', 'messages', 'max_tokens', 'temperature', 'stream'];
    const added = { '/metadata/tenant': 'staging', '/user': 'u' };
    expect(completeRequest({ model: 'm', messages: [] }, rules({ required, added }))).toEqual({
      model: 'm',
      messages: [],
      max_tokens: '${replyTokens}',
      temperature: 1,
      stream: false,
      metadata: { tenant: 'staging' },
      user: 'u',
    });
  });

  it('leaves a request of v1 as it is, but for fewer tokens than the least', () => {
    const body = { model: 'm', messages: [], max_tokens: '${briefTokens}' };
    expect(completeRequest(body, rules({ limits: { max_tokens: { minimum: 1 } } }))).toEqual(body);
    expect(completeRequest(body, rules())).toEqual({ ...body, max_tokens: 4 });
  });
});

it('A request that is to be answered gets values within the limits', () => {
  const text = '{"model":"m","messages":[],"temperature":1.7}';
  expect(JSON.parse(fitRequest(text, rules(), 16))).toMatchObject({ temperature: 1 });
  expect(JSON.parse(fitRequest(text, rules({ required: ['max_tokens'] }), 2))).toMatchObject({ max_tokens: 4 });
  expect(fitRequest('not JSON', rules(), 16)).toBe('not JSON');
});
