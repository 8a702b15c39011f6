import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { bindRequest, type Filled } from './bind-request.ts';
import type { Bindings, RequestTemplate } from './plan.ts';

const BINDINGS: Bindings = {
  model: 'sea "large"',
  sample: [],
  replyTokens: 16,
  streamTokens: 64,
  briefTokens: 1,
  withoutMaxTokens: false,
};

function bind(value: Json, changes: Partial<Bindings> = {}): Filled {
  const template: RequestTemplate = {
    endpoint: 'chat',
    mode: 'plain',
    method: 'POST',
    path: '/chat/completions',
    headers: { a: '1', b: null },
    body: { kind: 'json', value },
    key: 'full',
  };
  return bindRequest(template, { ...BINDINGS, ...changes }, 'bolido');
}

function bodyOf(filled: Filled): unknown {
  return filled.kind === 'request' && filled.request.body !== undefined ? JSON.parse(filled.request.body) : filled;
}

describe('values of the run', () => {
  it('A string of one placeholder takes its value and type; inside a text it becomes text', () => {
    const body = bind({
      model: '${model}',
      max_tokens: '${replyTokens}',
      messages: [{ content: 'Up to ${streamTokens}. ${word}' }],
    });
    expect(bodyOf(body)).toEqual({ model: 'sea "large"', max_tokens: 16, messages: [{ content: 'Up to 64. bolido' }] });
  });

  it('Members named like a placeholder, and unknown placeholders, are unchanged', () => {
    expect(bodyOf(bind({ '${model}': 1, content: 'costs ${price} ${}' }))).toEqual({
      '${model}': 1,
      content: 'costs ${price} ${}',
    });
  });

  it('A long text is long', () => {
    const { content } = bodyOf(bind({ content: '${longText}' })) as { content: string };
    expect(content.length).toBeGreaterThan(16_000);
  });

  it.each(['model', 'forbiddenModel', 'restrictedModel'])('A run without %s does not send it', (name) => {
    const { model: _, ...without } = BINDINGS;
    const template = { endpoint: 'chat', mode: 'plain', method: 'POST', path: '/', headers: {}, key: 'full' } as const;
    const body = { kind: 'json', value: { messages: [{ content: `for \${${name}}` }] } } as const;
    expect(bindRequest({ ...template, body }, without, 'w')).toEqual({ kind: 'missing', placeholder: name });
    const raw = { kind: 'raw', text: `{"model": "\${${name}}"` } as const;
    expect(bindRequest({ ...template, body: raw }, without, 'w')).toEqual({ kind: 'missing', placeholder: name });
  });

  it('A raw body is filled in as text', () => {
    const filled = bindRequest(
      {
        endpoint: 'chat',
        mode: 'plain',
        method: 'POST',
        path: '/',
        headers: {},
        key: 'full',
        body: { kind: 'raw', text: '{"model": "${model}", ' },
      },
      { ...BINDINGS, model: 'm' },
      'w',
    );
    expect(filled).toMatchObject({ request: { body: '{"model": "m", ' } });
  });
});

describe('max_tokens on a target that refuses it', () => {
  it.each(['${replyTokens}', '${briefTokens}', '${streamTokens}'])('%s is left out', (bound) => {
    expect(bodyOf(bind({ model: 'm', max_tokens: bound }, { withoutMaxTokens: true }))).toEqual({ model: 'm' });
  });

  it('A value that the request tests is kept', () => {
    expect(bodyOf(bind({ max_tokens: 0 }, { withoutMaxTokens: true }))).toEqual({ max_tokens: 0 });
    expect(bodyOf(bind({ max_tokens: '16' }, { withoutMaxTokens: true }))).toEqual({ max_tokens: '16' });
  });
});

it('Removed headers are not sent, and the query follows the path', () => {
  const filled = bindRequest(
    {
      endpoint: 'models',
      mode: 'plain',
      method: 'GET',
      path: '/models',
      query: 'a=1',
      headers: { a: '1', b: null },
      key: 'none',
    },
    BINDINGS,
    'w',
  );
  expect(filled).toEqual({
    kind: 'request',
    request: {
      endpoint: 'models',
      mode: 'plain',
      method: 'GET',
      path: '/models?a=1',
      headers: { a: '1' },
      key: 'none',
    },
  });
});
