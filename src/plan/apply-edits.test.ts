import { describe, expect, it } from 'vitest';
import type { BaseRequest, Edit } from '../suite/case.ts';
import { UsageError } from '../usage-error.ts';
import { applyEdits } from './apply-edits.ts';
import { bindRequest } from './bind-request.ts';
import type { RequestTemplate } from './plan.ts';

const CHAT: BaseRequest = {
  name: 'chat',
  method: 'POST',
  path: '/chat/completions',
  headers: { 'content-type': 'application/json' },
  body: {
    model: 'm',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ],
    max_tokens: 16,
  },
};
const MODELS: BaseRequest = { name: 'models', method: 'GET', path: '/models', headers: {} };

const edited = (edit: Edit, base = CHAT): RequestTemplate => applyEdits(base, [edit]);

/** The bytes that would be sent. */
function sentBody(edit: Edit): string | undefined {
  const bindings = { sample: [], replyTokens: 16, streamTokens: 64, briefTokens: 1, withoutMaxTokens: false };
  const filled = bindRequest(edited(edit), bindings, 'w');
  return filled.kind === 'request' ? filled.request.body : undefined;
}

describe('edits of the body', () => {
  it.each<[string, Edit, unknown]>([
    ['sets a member', { kind: 'set', pointer: '/max_tokens', value: 0 }, { max_tokens: 0 }],
    ['sets a member that was not there', { kind: 'set', pointer: '/user', value: 'x' }, { user: 'x' }],
    ['sets null', { kind: 'set', pointer: '/model', value: null }, { model: null }],
    [
      'sets within an item',
      { kind: 'set', pointer: '/messages/1/role', value: 5 },
      { messages: [{ role: 'user' }, { role: 5 }] },
    ],
    ['replaces an item', { kind: 'set', pointer: '/messages/0', value: 'x' }, { messages: ['x', { content: 'b' }] }],
    [
      'inserts an item',
      { kind: 'add', pointer: '/messages/1', value: 'x' },
      { messages: [{ content: 'a' }, 'x', { content: 'b' }] },
    ],
    [
      'appends an item',
      { kind: 'add', pointer: '/messages/-', value: 'x' },
      { messages: [{ content: 'a' }, { content: 'b' }, 'x'] },
    ],
    ['appends at the end by number', { kind: 'add', pointer: '/messages/2', value: 'x' }, { messages: [{}, {}, 'x'] }],
    ['adds a member', { kind: 'add', pointer: '/a~1b~0c', value: 1 }, { 'a/b~c': 1 }],
    ['removes an item', { kind: 'remove', pointer: '/messages/0' }, { messages: [{ content: 'b' }] }],
  ])('%s', (_, edit, body) => {
    expect(edited(edit).body).toMatchObject({ kind: 'json', value: body });
  });

  it('Removing a member leaves the others unchanged and in order', () => {
    expect(sentBody({ kind: 'remove', pointer: '/messages' })).toBe('{"model":"m","max_tokens":16}');
    expect(sentBody({ kind: 'remove', pointer: '/messages/0/role' })).toBe(
      '{"model":"m","messages":[{"content":"a"},{"role":"user","content":"b"}],"max_tokens":16}',
    );
    expect(sentBody({ kind: 'set', pointer: '/model', value: 1 })).toMatch(/^\{"model":1,"messages"/);
  });

  it('A raw number is sent as written, however large', () => {
    expect(sentBody({ kind: 'rawNumber', pointer: '/temperature', text: '1e400' })).toMatch(/"temperature":1e400\}$/);
    expect(sentBody({ kind: 'rawNumber', pointer: '/max_tokens', text: '-0.00' })).toMatch(/"max_tokens":-0\.00\}$/);
  });

  it('__proto__ is a member like any other', () => {
    expect(sentBody({ kind: 'set', pointer: '/__proto__', value: { x: 1 } })).toMatch(/"__proto__":\{"x":1\}\}$/);
  });

  it('A raw text replaces the body; an empty one removes it and keeps the content type', () => {
    const { body, headers } = edited({ kind: 'raw', text: '' });
    expect(body).toEqual({ kind: 'raw', text: '' });
    expect(headers).toEqual({ 'content-type': 'application/json' });
  });

  it('The base request is not changed', () => {
    const before = JSON.stringify(CHAT);
    edited({ kind: 'set', pointer: '/messages/0/content', value: 'x' });
    expect(JSON.stringify(CHAT)).toBe(before);
  });

  it.each(['/nothing/0', '/messages/2/role', '/messages/x', '/messages/01', '/messages/-/role', '/model/x'])(
    'A pointer that leads nowhere is refused: %s',
    (pointer) => {
      const source = { file: 'own.yaml', line: 7 };
      const act = () => applyEdits(CHAT, [{ kind: 'set', pointer, value: 1 }], { source });
      expect(act).toThrow(UsageError);
      expect(act).toThrow(`own.yaml:7: set ${pointer} leads nowhere in the body of chat. Correct the pointer.`);
    },
  );
});

describe('edits of the rest', () => {
  it('A header is replaced regardless of case, and removed by null', () => {
    expect(edited({ kind: 'header', name: 'Content-Type', value: 'text/plain' }).headers).toEqual({
      'content-type': 'text/plain',
    });
    expect(edited({ kind: 'header', name: 'Content-Type', value: null }).headers).toEqual({ 'content-type': null });
  });

  it('Key, method, path and query are replaced', () => {
    expect(edited({ kind: 'key', use: 'none' }).key).toBe('none');
    expect(edited({ kind: 'method', method: 'PUT' }, MODELS)).toMatchObject({ method: 'PUT', endpoint: 'other' });
    expect(edited({ kind: 'path', path: '/models/' }, MODELS)).toMatchObject({ path: '/models/', endpoint: 'other' });
    expect(edited({ kind: 'query', query: 'a=1' }, MODELS)).toMatchObject({ query: 'a=1', endpoint: 'models' });
  });

  it('A GET has neither a body nor a content type, unless the edit sets a body', () => {
    const { body, headers } = edited({ kind: 'method', method: 'GET' });
    expect([body, headers]).toEqual([undefined, {}]);
    expect(edited({ kind: 'raw', text: 'x' }, MODELS).body).toEqual({ kind: 'raw', text: 'x' });
  });

  it.each<[unknown, string]>([
    [true, 'stream'],
    [false, 'plain'],
    ['true', 'plain'],
    [1, 'plain'],
    [null, 'plain'],
  ])('stream %j is read as %s', (value, mode) => {
    expect(edited({ kind: 'set', pointer: '/stream', value: value as null }).mode).toBe(mode);
  });
});
