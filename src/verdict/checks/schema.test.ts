import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { COMPLETION, checkInput, modelsExchange, plainExchange } from '../../../test/kit/exchanges.ts';
import { schema } from './bodies.ts';

const contract = loadContract();

function judge(clause: string, name: string, exchanges: Exchange | readonly Exchange[]) {
  return schema.execute(checkInput(exchanges, { clause, options: { schema: name }, run: { contract } }));
}

function brokenBy(name: string, exchange: Exchange): readonly string[] {
  return [...new Set(contract.clausesOf(name))].filter((clause) => judge(clause, name, exchange).kind === 'broken');
}

describe('schema', () => {
  it('holds for the exact shape, and for additional fields', () => {
    const more = {
      ...COMPLETION,
      system_fingerprint: 'x',
      choices: COMPLETION.choices.map((choice) => ({ ...choice, logprobs: null })),
    };
    expect(brokenBy('v1/chat-completion-response', plainExchange({ json: COMPLETION }))).toEqual([]);
    expect(brokenBy('v1/chat-completion-response', plainExchange({ json: more }))).toEqual([]);
  });

  it.each<[string, Json, string[]]>([
    ['created as a string', { ...COMPLETION, created: '1' }, ['completion.created-type']],
    ['another marker', { ...COMPLETION, object: 'text_completion' }, ['completion.object']],
    ['usage as null', { ...COMPLETION, usage: null }, ['completion.usage-type']],
  ])('is broken only under the clause about %s', (_, json, clauses) => {
    expect(brokenBy('v1/chat-completion-response', plainExchange({ json }))).toEqual(clauses);
  });

  it('has no occasion in a value that is absent, with its parent or alone', () => {
    const { usage: _, ...json } = COMPLETION;
    expect(judge('usage.total-tokens-type', 'v1/chat-completion-response', plainExchange({ json }))).toEqual({
      kind: 'skipped',
      reason: { kind: 'no-occasion', of: 'field' },
    });
  });

  it('counts the same issue in many places once, and hides no other clause behind it', () => {
    const data: Json[] = Array.from({ length: 500 }, (_, place) => ({
      id: `m${place}`,
      object: 'thing',
      owned_by: 'us',
    }));
    data.push({ id: 'last', object: 'model', owned_by: 5 });
    const list = modelsExchange({ json: { object: 'list', data } });
    expect(judge('model.object', 'v1/model-list', list)).toMatchObject({
      kind: 'broken',
      findings: [{ pointer: '/data/0/object', mismatch: 'value', more: 499 }],
    });
    expect(judge('model.owned-by-type', 'v1/model-list', list)).toMatchObject({
      findings: [{ pointer: '/data/500/owned_by', more: 0 }],
    });
  });

  it('judges the remaining answers if one is not JSON', () => {
    const text = plainExchange({ id: 'text', text: 'Hello' });
    const name = 'v1/chat-completion-response';
    expect(judge('completion.id-type', name, [text, plainExchange({ json: COMPLETION })]).kind).toBe('holds');
    expect(judge('completion.id-type', name, [text, plainExchange({ json: { ...COMPLETION, id: 1 } })]).kind).toBe(
      'broken',
    );
    expect(judge('completion.id-type', name, [text]).kind).toBe('inconclusive');
    expect(judge('completion.id-type', name, [plainExchange({ status: 500 })]).kind).toBe('inconclusive');
  });
});
