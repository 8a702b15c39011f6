/** Every clause that a schema speaks of, with a value that keeps it and one that breaks it. */
import { describe, expect, it } from 'vitest';
import { isObject } from '../json.ts';
import { loadContract } from './load-contract.ts';

const contract = loadContract();

const REQUEST = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 1,
  temperature: 2,
  top_p: 0,
  stream: false,
};
const COMPLETION = {
  id: 'c-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 },
};
const LIST = { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'us' }] };
const ERROR = { error: { message: 'no', type: 't', code: 'c' } };
const CHUNK = {
  id: 'c-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }],
};

type Tokens = readonly (string | number)[];

/** A copy with one place changed; taken out where the new value is `undefined`. */
function edited(document: unknown, path: string, value: unknown): unknown {
  const change = (here: unknown, [token, ...rest]: Tokens): unknown => {
    if (token === undefined) return value;
    if (Array.isArray(here)) return here.map((item, index) => (index === Number(token) ? change(item, rest) : item));
    if (!isObject(here)) throw new Error(`${path} leads nowhere`);
    const members = Object.entries(here).map(([name, member]) => [
      name,
      name === token ? change(member, rest) : member,
    ]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return change(document, path.split('/').slice(1));
}

const choice = '/choices/0';
const message = `${choice}/message`;

/** Schema, value that is fine, then for each clause the places and values that break it. */
const EXAMPLES: readonly (readonly [
  schema: string,
  fine: unknown,
  broken: Readonly<Record<string, readonly (readonly [string, unknown])[]>>,
])[] = [
  [
    'v1/chat-completion-request',
    REQUEST,
    {
      'endpoint.chat-body-json': [
        ['', []],
        ['', 'text'],
      ],
      'request.model-required': [['/model', undefined]],
      'request.model-type': [
        ['/model', 5],
        ['/model', null],
      ],
      'request.messages-required': [['/messages', undefined]],
      'request.messages-type': [
        ['/messages', 'hi'],
        ['/messages/0', 'hi'],
      ],
      'request.max-tokens-type': [
        ['/max_tokens', '1'],
        ['/max_tokens', 1.5],
      ],
      'request.temperature-type': [['/temperature', '1']],
      'request.top-p-type': [['/top_p', [1]]],
      'request.stream-type': [
        ['/stream', 'true'],
        ['/stream', 1],
      ],
      'message.role-required': [['/messages/0/role', undefined]],
      'message.role-type': [['/messages/0/role', 5]],
      'message.unknown-role': [['/messages/0/role', 'wizard']],
      'message.content-required': [['/messages/0/content', undefined]],
      'message.content-type': [['/messages/0/content', ['hi']]],
      'limits.max-tokens': [
        ['/max_tokens', 0],
        ['/max_tokens', -1],
      ],
      'limits.temperature': [
        ['/temperature', -0.1],
        ['/temperature', 2.1],
      ],
      'limits.top-p': [
        ['/top_p', -0.1],
        ['/top_p', 1.1],
      ],
    },
  ],
  [
    'v1/chat-completion-response',
    COMPLETION,
    {
      'completion.object-body': [
        ['', []],
        ['', null],
        ['', 'x'],
      ],
      'completion.id-type': [
        ['/id', 5],
        ['/id', null],
      ],
      'completion.object': [
        ['/object', 'text_completion'],
        ['/object', null],
      ],
      'completion.created-type': [
        ['/created', '1'],
        ['/created', 1.5],
        ['/created', null],
      ],
      'completion.model-type': [['/model', {}]],
      'completion.choices-type': [
        ['/choices', {}],
        ['/choices', null],
        [choice, 'x'],
      ],
      'completion.usage-type': [
        ['/usage', null],
        ['/usage', []],
      ],
      'choice.index-type': [[`${choice}/index`, '0']],
      'choice.message-type': [
        [message, 'hi'],
        [message, null],
      ],
      'choice.finish-reason-type': [
        [`${choice}/finish_reason`, null],
        [`${choice}/finish_reason`, 1],
      ],
      'choice.message-role': [
        [`${message}/role`, undefined],
        [`${message}/role`, 'bot'],
        [`${message}/role`, null],
      ],
      'choice.message-content': [
        [`${message}/content`, undefined],
        [`${message}/content`, null],
        [`${message}/content`, []],
      ],
      'usage.prompt-tokens-type': [['/usage/prompt_tokens', '1']],
      'usage.completion-tokens-type': [['/usage/completion_tokens', 1.5]],
      'usage.total-tokens-type': [['/usage/total_tokens', null]],
    },
  ],
  [
    'v1/model-list',
    LIST,
    {
      'list.object-body': [['', []]],
      'list.object': [
        ['/object', 'models'],
        ['/object', 5],
      ],
      'list.data': [
        ['/data', undefined],
        ['/data', {}],
        ['/data/0', 'm'],
      ],
      'model.id': [
        ['/data/0/id', undefined],
        ['/data/0/id', 5],
      ],
      'model.object': [
        ['/data/0/object', 'engine'],
        ['/data/0/object', null],
      ],
      'model.owned-by-type': [['/data/0/owned_by', null]],
    },
  ],
  [
    'v1/error',
    ERROR,
    {
      'errors.json': [
        ['', []],
        ['', 'no'],
      ],
      'errors.object': [
        ['/error', undefined],
        ['/error', 'no'],
        ['/error', null],
      ],
      'errors.message': [
        ['/error/message', undefined],
        ['/error/message', null],
      ],
      'errors.type': [
        ['/error/type', undefined],
        ['/error/type', 1],
      ],
      'errors.code': [
        ['/error/code', undefined],
        ['/error/code', 401],
        ['/error/code', null],
      ],
    },
  ],
  [
    'wire/completion',
    COMPLETION,
    {
      'completion.id-present': [['/id', undefined]],
      'completion.object-present': [['/object', undefined]],
      'completion.created-present': [['/created', undefined]],
      'completion.model-present': [['/model', undefined]],
      'completion.usage-present': [['/usage', undefined]],
      'choice.index-present': [[`${choice}/index`, undefined]],
      'choice.finish-reason-present': [
        [`${choice}/finish_reason`, undefined],
        [`${choice}/finish_reason`, ''],
      ],
      'choice.role-assistant': [
        [`${message}/role`, 'user'],
        [`${message}/role`, 'system'],
      ],
      'usage.prompt-tokens-present': [['/usage/prompt_tokens', undefined]],
      'usage.completion-tokens-present': [['/usage/completion_tokens', undefined]],
      'usage.total-tokens-present': [['/usage/total_tokens', undefined]],
      'usage.not-negative': [
        ['/usage/prompt_tokens', -1],
        ['/usage/completion_tokens', -1],
        ['/usage/total_tokens', -1],
      ],
    },
  ],
  [
    'wire/model-list',
    LIST,
    {
      'list.object-present': [['/object', undefined]],
      'model.object-present': [['/data/0/object', undefined]],
      'model.owned-by-present': [['/data/0/owned_by', undefined]],
    },
  ],
  ['wire/error', ERROR, { 'errors.message-not-empty': [['/error/message', '']] }],
  [
    'wire/chunk',
    CHUNK,
    {
      'stream.chunk-object': [
        ['/object', undefined],
        ['/object', 'chat.completion'],
        ['/object', null],
        ['', []],
      ],
      'stream.chunk-id': [
        ['/id', undefined],
        ['/id', ''],
        ['/id', null],
      ],
      'stream.chunk-model': [
        ['/model', undefined],
        ['/model', ''],
        ['/model', 5],
      ],
      'stream.choice-index': [
        [`${choice}/index`, undefined],
        [`${choice}/index`, -1],
        [`${choice}/index`, '0'],
      ],
      'stream.choice-delta': [
        [`${choice}/delta`, undefined],
        [`${choice}/delta`, null],
        [choice, 'x'],
      ],
      'stream.delta-content': [
        [`${choice}/delta/content`, 5],
        [`${choice}/delta/content`, []],
      ],
    },
  ],
];

describe.each(EXAMPLES)('%s', (schema, fine, broken) => {
  it('has nothing against a proper value', () => {
    expect(contract.validate(schema, fine)).toEqual([]);
  });

  it('has an example for every clause it speaks of', () => {
    expect(Object.keys(broken).toSorted()).toEqual(contract.clausesOf(schema).toSorted());
  });

  it.each(
    Object.entries(broken).flatMap(([clause, places]) => places.map(([path, value]) => [clause, path, value] as const)),
  )('finds %s broken, and nothing else, at "%s" with %j', (clause, path, value) => {
    const issues = contract.validate(schema, edited(fine, path, value));
    expect(issues.map((issue) => [issue.clause, issue.pointer])).toEqual([[clause, path]]);
  });

  it('does not mind unknown fields, wherever they stand', () => {
    const more = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(more);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, member]) => [name, more(member)] as const);
      return { ...Object.fromEntries(members), wirecheck_unknown: { error: null, id: 5 } };
    };
    expect(contract.validate(schema, more(fine))).toEqual([]);
  });
});

describe('what is absent from an answer', () => {
  it.each(['id', 'object', 'created', 'model', 'choices', 'usage'])('is no matter of type: %s', (field) => {
    expect(contract.validate('v1/chat-completion-response', edited(COMPLETION, `/${field}`, undefined))).toEqual([]);
  });

  it.each(['index', 'message', 'finish_reason'])('is no matter of type in a choice: %s', (field) => {
    expect(
      contract.validate('v1/chat-completion-response', edited(COMPLETION, `${choice}/${field}`, undefined)),
    ).toEqual([]);
  });
});

describe('a wire schema', () => {
  it.each([
    ['wire/completion', COMPLETION, '/id', 5],
    ['wire/completion', COMPLETION, '/id', ''],
    ['wire/completion', COMPLETION, '/usage', null],
    ['wire/completion', COMPLETION, '/usage/total_tokens', '-1'],
    ['wire/completion', COMPLETION, '/choices', 'x'],
    ['wire/completion', COMPLETION, `${choice}/finish_reason`, null],
    ['wire/completion', COMPLETION, message, 'x'],
    ['wire/completion', COMPLETION, `${message}/role`, 'bot'],
    ['wire/completion', COMPLETION, `${message}/role`, undefined],
    ['wire/completion', COMPLETION, '', 'x'],
    ['wire/model-list', LIST, '/object', 5],
    ['wire/model-list', LIST, '/data/0', 'x'],
    ['wire/error', ERROR, '/error', undefined],
    ['wire/error', ERROR, '/error/message', 5],
  ])('%s leaves what breaks a stated clause to that clause: %j%s', (schema, fine, path, value) => {
    expect(contract.validate(schema, edited(fine, path, value))).toEqual([]);
  });

  it('takes a chunk without choices, with none, or with a content that is null', () => {
    expect(contract.validate('wire/chunk', edited(CHUNK, '/choices', undefined))).toEqual([]);
    expect(contract.validate('wire/chunk', edited(CHUNK, '/choices', []))).toEqual([]);
    expect(contract.validate('wire/chunk', edited(CHUNK, `${choice}/delta`, { content: null }))).toEqual([]);
  });
});
