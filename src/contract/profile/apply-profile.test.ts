import { describe, expect, it } from 'vitest';
import { valueAt } from '../../json.ts';
import { CONTRACT_SUBJECTS } from '../contract.ts';
import { loadContract } from '../read-contract.ts';
import { contractOf } from './apply-profile.ts';
import { digestOf } from '../digest.ts';
import type { ProfileChange } from './profile.ts';

const REQUEST = 'v1/chat-completion-request';
const ASKED = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] };

function changed(...changes: readonly ProfileChange[]) {
  return contractOf({ levels: {}, profile: { name: 'acme', version: '1', changes, digest: digestOf(changes) } });
}

const issuesOf = (contract: ReturnType<typeof changed>, schema: string, value: unknown) =>
  contract.validate(schema, value).map(({ clause }) => clause);

describe('contractOf', () => {
  it('is the contract itself without changes', () => {
    expect(contractOf({ levels: {} })).toBe(loadContract());
    expect(contractOf({ levels: { 'errors.code': 'must', 'client.bearer': 'should' } })).toBe(loadContract());
  });

  it('applies a profile once', () => {
    const change = { kind: 'level', clause: 'errors.code', level: 'should' } as const;
    expect(changed(change)).toBe(changed(change));
    expect(contractOf({ levels: { 'errors.code': 'should' } }).clause('errors.code')?.level).toBe('should');
  });

  it('changes levels of every subject, and adds own clauses to gateways only', () => {
    const changes: readonly ProfileChange[] = [
      { kind: 'level', clause: 'client.bearer', level: 'should', why: 'Old clients.' },
      { kind: 'clause', clause: 'acme.fast', level: 'must', summary: 'It is fast.', why: 'We said so.' },
    ];
    expect(changed(...changes).clause('acme.fast')).toMatchObject({ level: 'must', scope: 'run', why: 'We said so.' });
    expect(changed(...changes).explain('acme.fast')?.reading).toContain('We said so.');
    const client = contractOf({ levels: {}, profile: { changes, digest: digestOf(changes) } }, 'client');
    expect(client.clause('client.bearer')?.level).toBe('should');
    expect(client.clause('acme.fast')).toBeUndefined();
  });

  it('changes a limit in schema, rules, statement, explanation and description', () => {
    const contract = changed({ kind: 'limit', field: 'temperature', max: 1, why: 'Models.' });
    expect(issuesOf(contract, REQUEST, { ...ASKED, temperature: 1 })).toEqual([]);
    expect(issuesOf(contract, REQUEST, { ...ASKED, temperature: 1.5 })).toEqual(['limits.temperature']);
    expect(contract.rules.limits['temperature']).toEqual({ minimum: 0, maximum: 1 });
    expect(contract.clause('limits.temperature')?.summary).toBe(
      'A temperature below 0 or above 1 is not answered with a completion.',
    );
    expect(contract.clause('limits.temperature-in-range')?.summary).toBe('A temperature from 0 to 1 is answered.');
    expect(contract.explain('limits.temperature')?.reading).toContain('Models.');
    expect(contract.explain('limits.temperature')?.hurts).toBe(loadContract().explain('limits.temperature')?.hurts);
    const path = '/components/schemas/ChatCompletionRequest/properties/temperature';
    expect(valueAt(contract.description, path)).toEqual({
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Sampling temperature.',
    });
    expect(valueAt(loadContract().description, `${path}/maximum`)).toBe(2);
    expect(issuesOf(loadContract(), REQUEST, { ...ASKED, temperature: 1.5 })).toEqual([]);
  });

  it('lifts a limit: nothing is out of range, and the clause about that is no must', () => {
    const contract = changed({ kind: 'limit', field: 'top_p', min: null, max: null });
    expect(issuesOf(contract, REQUEST, { ...ASKED, top_p: 7 })).toEqual([]);
    expect(contract.clause('limits.top-p')).toMatchObject({ level: 'observe' });
    expect(contract.clause('limits.top-p-in-range')?.level).toBe('must');
    const half = changed({ kind: 'limit', field: 'top_p', max: null });
    expect(half.clause('limits.top-p')).toMatchObject({
      level: 'must',
      summary: expect.stringContaining('below 0 is'),
    });
  });

  it('requires a field, with a clause of its own', () => {
    const contract = changed({ kind: 'required', field: 'max_tokens', why: 'Billing.' });
    expect(issuesOf(contract, REQUEST, ASKED)).toEqual(['request.max-tokens-required']);
    expect(issuesOf(contract, REQUEST, { ...ASKED, max_tokens: 'x' })).toEqual(['request.max-tokens-type']);
    expect(contract.clause('request.max-tokens-required')).toMatchObject({ level: 'must', why: 'Billing.' });
    expect(contract.explain('request.max-tokens-required')?.hurts).toMatch(
      /^The operator, who needs max_tokens in every request/,
    );
    expect(contract.clause('request.optional-fields')?.summary).toBe(
      'A request with only model, messages and max_tokens is answered.',
    );
    const stream = changed({ kind: 'required', field: 'stream' });
    expect(issuesOf(stream, REQUEST, { ...ASKED, stream: 1 })).toEqual(['request.stream-type']);
  });

  it('changes the types of a field of an answer', () => {
    const contract = changed({ kind: 'field', field: 'error.code', types: ['string', 'null'] });
    const error = (code: unknown) => ({ error: { message: 'm', type: 't', code } });
    expect(issuesOf(contract, 'v1/error', error(null))).toEqual([]);
    expect(issuesOf(contract, 'v1/error', error(5))).toEqual(['errors.code']);
    expect(issuesOf(contract, 'v1/error', { error: { message: 'm', type: 't' } })).toEqual(['errors.code']);
    expect(valueAt(contract.description, '/components/schemas/Error/properties/error/properties/code')).toMatchObject({
      type: 'string',
      nullable: true,
    });
  });

  it('changes the content of a reply and not that of a request', () => {
    const contract = changed({ kind: 'field', field: 'choice.message.content', types: ['string', 'null'] });
    const choice = (message: unknown) => ({ index: 0, message, finish_reason: 'stop' });
    expect(issuesOf(contract, 'v1/choice', choice({ role: 'assistant', content: null }))).toEqual([]);
    expect(issuesOf(contract, 'v1/choice', choice({ role: 'assistant', content: 5 }))).toEqual([
      'choice.message-content',
    ]);
    expect(issuesOf(contract, 'v1/choice', choice({ content: null }))).toEqual(['choice.message-role']);
    const asked = { ...ASKED, messages: [{ role: 'user', content: null }] };
    expect(issuesOf(contract, REQUEST, asked)).toEqual(['message.content-type']);
  });
});

it('The safety clauses are these, and no others', () => {
  const ids = [undefined, ...CONTRACT_SUBJECTS]
    .flatMap((subject) => loadContract(subject).clauses)
    .flatMap(({ id, safety }) => (safety ? [id] : []));
  expect(ids.toSorted()).toMatchInlineSnapshot(`
    [
      "auth.expired-key",
      "auth.required",
      "auth.restricted-call",
      "auth.restricted-list",
      "auth.revoked-key",
      "choice.no-error",
      "client.error-in-success-known",
      "client.errors-known",
      "client.server-error-known",
      "completion.no-error",
      "errors.after-pause",
      "errors.after-pauses",
      "errors.no-server-error",
      "errors.refusal-in-form",
      "list.no-error",
      "relay.after-pause",
      "relay.after-pauses",
      "relay.failure-known",
      "relay.mid-stream-failure",
      "relay.other-key",
      "relay.own-reply",
      "service.own-reply",
      "stream.completes",
      "stream.no-choice-error",
    ]
  `);
});
