import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { leastCost, mostCost, promptTokensOf, sumCosts, usualCost, withCost } from './cost.ts';
import type { Step } from './plan.ts';

const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', replyTokens: 20, streamTokens: 50 };

function chat(max_tokens: Json | undefined, changes: Partial<Step> = {}): Step {
  const value = max_tokens === undefined ? {} : { max_tokens };
  return {
    id: 'x',
    wave: 'positive',
    seeks: 'answer',
    needs: [],
    bound: 'max-tokens',
    template: {
      endpoint: 'chat',
      mode: 'plain',
      method: 'POST',
      path: '/chat/completions',
      headers: {},
      body: { kind: 'json', value },
      key: 'full',
    },
    least: { requests: 0, completions: 0, tokens: 0 },
    most: { requests: 0, completions: 0, tokens: 0 },
    ...changes,
  };
}

const list = chat(undefined, {
  template: { endpoint: 'models', mode: 'plain', method: 'GET', path: '/models', headers: {}, key: 'full' },
});

describe('the minimum cost', () => {
  it('A request that should be answered is charged, one that should be refused is not', () => {
    expect(leastCost(chat(1))).toMatchObject({ requests: 1, completions: 1 });
    expect(leastCost(chat(1, { seeks: 'refusal' }))).toMatchObject({ requests: 1, completions: 0 });
    expect(leastCost(list)).toMatchObject({ requests: 1, completions: 0 });
  });

  it('Conditional steps and sampled models may cost nothing', () => {
    expect(leastCost(chat(1, { when: { kind: 'unanswered', step: 'chat' } })).requests).toBe(0);
    expect(leastCost(chat(1, { sampled: 0 })).requests).toBe(0);
  });
});

describe('the maximum cost', () => {
  it('Every attempt is used, and a missing refusal is charged', () => {
    expect(mostCost(chat(1, { seeks: 'refusal' }), settings)).toEqual({ requests: 3, completions: 1, tokens: 1 });
    expect(mostCost(list, settings)).toEqual({ requests: 3, completions: 0, tokens: 0 });
    expect(mostCost(chat(1), { ...settings, retries: 0 }).requests).toBe(1);
  });

  it('A step that seeks anything is sent once, and one with an extra key as often as it repeats', () => {
    expect(mostCost({ ...list, seeks: 'any' }, settings).requests).toBe(1);
    const limited = chat(1, { seeks: 'any', repeat: { until: 429, most: 20 } });
    const step = { ...limited, template: { ...limited.template, key: 'limited' as const } };
    expect(mostCost(step, settings)).toEqual({ requests: 60, completions: 20, tokens: 20 });
  });

  it.each<[Json | undefined, number]>([
    ['${replyTokens}', 20],
    ['${briefTokens}', 20],
    ['${streamTokens}', 50],
    [7, 7],
    ['${rawNumber:7e3}', 7000],
  ])('A reply to max_tokens %j has at most %d tokens', (asked, tokens) => {
    expect(mostCost(chat(asked), settings).tokens).toBe(tokens);
  });

  it('A valid max_tokens counts even if the checker soon stops waiting, and an invalid one does not', () => {
    const tokensFor = (asked: Json) => mostCost(chat(asked, { bound: 'time' }), settings).tokens;
    expect([5000, 0, -1, 1.5, '16', true, null, '${rawNumber:-0.00}'].map(tokensFor)).toEqual([
      5000, 0, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it('A stream that is ended at its first text costs one token, and a reply without a limit is not counted', () => {
    const tokensFor = (bound: Step['bound']) => mostCost(chat(undefined, { bound }), settings).tokens;
    expect([tokensFor('first-text'), tokensFor('time'), tokensFor('nothing')]).toEqual([1, 0, 0]);
  });
});

it('Costs add up', () => {
  const cost = { requests: 1, completions: 2, tokens: 3 };
  expect(sumCosts([cost, cost])).toEqual({ requests: 2, completions: 4, tokens: 6 });
  expect(sumCosts([])).toEqual({ requests: 0, completions: 0, tokens: 0 });
});

it('The usual cost has what is asked without a condition, answered unless it must be refused', () => {
  const usual = (changes: Partial<Step>) => usualCost(withCost(chat(5, changes), settings));
  expect(usual({})).toEqual({ requests: 1, completions: 1, tokens: 5 });
  expect(usual({ seeks: 'either' }).completions).toBe(1);
  expect(usual({ seeks: 'refusal' })).toEqual({ requests: 1, completions: 0, tokens: 0 });
  expect(usual({ when: { kind: 'unanswered', step: 'chat' } })).toEqual({ requests: 0, completions: 0, tokens: 0 });
});

it('The tokens of a prompt are estimated from its messages alone', () => {
  const promptOf = (value: Json, filler?: Step['template']['filler']) =>
    promptTokensOf({ ...chat(1).template, body: { kind: 'json', value }, ...(filler && { filler }) });
  const messages = [{ role: 'user', content: '${filler}' }];
  const short = promptOf({ messages });
  expect(promptOf({ messages, x: 'a'.repeat(4_000) })).toBe(short);
  expect(promptOf({ messages }, { kind: 'words', count: 500 })).toBe(short + 500);
  expect(promptOf({ messages }, { kind: 'letters', count: 500 })).toBe(short + 125);
  expect(promptOf({ x: '${filler}' }, { kind: 'letters', count: 2_000_000 })).toBeLessThan(short);
});
