/** Every clause that a schema speaks of, with a value that keeps it and one that breaks it. */
import { describe, expect, it } from 'vitest';
import { isObject } from '../json.ts';
import { loadContract } from './read-contract.ts';

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

type Place = readonly [pointer: string, value: unknown];
type Broken = Readonly<Record<string, readonly Place[]>>;

/** Each value in turn at this place. */
const at = (pointer: string, ...values: readonly unknown[]): readonly Place[] =>
  values.map((value) => [pointer, value]);
const gone = undefined;

/** Schema, a value that is fine, and for each clause the places and values that break it. */
const EXAMPLES: readonly (readonly [schema: string, fine: unknown, broken: Broken])[] = [
  [
    'v1/chat-completion-request',
    REQUEST,
    {
      'endpoint.chat-body-json': at('', [], 'text'),
      'request.model-required': at('/model', gone),
      'request.model-type': at('/model', 5, null),
      'request.messages-required': at('/messages', gone),
      'request.messages-type': [...at('/messages', 'hi'), ...at('/messages/0', 'hi')],
      'request.max-tokens-type': at('/max_tokens', '1', 1.5),
      'request.temperature-type': at('/temperature', '1'),
      'request.top-p-type': at('/top_p', [1]),
      'request.stream-type': at('/stream', 'true', 1),
      'message.role-required': at('/messages/0/role', gone),
      'message.role-type': at('/messages/0/role', 5),
      'message.unknown-role': at('/messages/0/role', 'wizard'),
      'message.content-required': at('/messages/0/content', gone),
      'message.content-type': at('/messages/0/content', ['hi']),
      'limits.max-tokens': at('/max_tokens', 0, -1),
      'limits.temperature': at('/temperature', -0.1, 2.1),
      'limits.top-p': at('/top_p', -0.1, 1.1),
    },
  ],
  [
    'v1/chat-completion-response',
    COMPLETION,
    {
      'completion.object-body': at('', [], null, 'x'),
      'completion.id-type': at('/id', 5, null),
      'completion.object': at('/object', 'text_completion', null),
      'completion.created-type': at('/created', '1', 1.5, null),
      'completion.model-type': at('/model', {}),
      'completion.choices-type': [...at('/choices', {}, null), ...at(choice, 'x')],
      'completion.usage-type': at('/usage', null, []),
      'choice.index-type': at(`${choice}/index`, '0'),
      'choice.message-type': at(message, 'hi', null),
      'choice.finish-reason-type': at(`${choice}/finish_reason`, null, 1),
      'choice.message-role': at(`${message}/role`, gone, 'bot', null),
      'choice.message-content': at(`${message}/content`, gone, null, []),
      'usage.prompt-tokens-type': at('/usage/prompt_tokens', '1'),
      'usage.completion-tokens-type': at('/usage/completion_tokens', 1.5),
      'usage.total-tokens-type': at('/usage/total_tokens', null),
    },
  ],
  [
    'v1/model-list',
    LIST,
    {
      'list.object-body': at('', []),
      'list.object': at('/object', 'models', 5),
      'list.data': [...at('/data', gone, {}), ...at('/data/0', 'm')],
      'model.id': at('/data/0/id', gone, 5),
      'model.object': at('/data/0/object', 'engine', null),
      'model.owned-by-type': at('/data/0/owned_by', null),
    },
  ],
  [
    'v1/error',
    ERROR,
    {
      'errors.json': at('', [], 'no'),
      'errors.object': at('/error', gone, 'no', null),
      'errors.message': at('/error/message', gone, null),
      'errors.type': at('/error/type', gone, 1),
      'errors.code': at('/error/code', gone, 401, null),
    },
  ],
  [
    'wire/completion',
    COMPLETION,
    {
      'completion.id-present': at('/id', gone),
      'completion.object-present': at('/object', gone),
      'completion.created-present': at('/created', gone),
      'completion.created-date': at('/created', 8_640_000_000_001, 1_735_689_600_000_000),
      'completion.model-present': at('/model', gone),
      'completion.usage-present': at('/usage', gone),
      'choice.index-present': at(`${choice}/index`, gone),
      'choice.finish-reason-present': at(`${choice}/finish_reason`, gone, ''),
      'choice.role-assistant': at(`${message}/role`, 'user', 'system'),
      'usage.prompt-tokens-present': at('/usage/prompt_tokens', gone),
      'usage.completion-tokens-present': at('/usage/completion_tokens', gone),
      'usage.total-tokens-present': at('/usage/total_tokens', gone),
      'usage.not-negative': ['prompt', 'completion', 'total'].flatMap((name) => at(`/usage/${name}_tokens`, -1)),
    },
  ],
  [
    'wire/model-list',
    LIST,
    {
      'list.object-present': at('/object', gone),
      'model.object-present': at('/data/0/object', gone),
      'model.owned-by-present': at('/data/0/owned_by', gone),
    },
  ],
  ['wire/error', ERROR, { 'errors.message-not-empty': at('/error/message', '') }],
  [
    'wire/chunk',
    CHUNK,
    {
      'stream.chunk-object': [...at('/object', gone, 'chat.completion', null), ...at('', [])],
      'stream.chunk-id': at('/id', gone, '', null),
      'stream.chunk-model': at('/model', gone, '', 5),
      'stream.chunk-choices': at('/choices', gone, null, {}),
      'stream.choice-index': at(`${choice}/index`, gone, -1, '0'),
      'stream.choice-delta': [...at(`${choice}/delta`, gone, null), ...at(choice, 'x')],
      'stream.delta-content': at(`${choice}/delta/content`, 5, []),
    },
  ],
];

describe.each(EXAMPLES)('%s', (schema, fine, broken) => {
  it('accepts a valid value', () => {
    expect(contract.validate(schema, fine)).toEqual([]);
  });

  it('has an example for every clause it names', () => {
    expect(Object.keys(broken).toSorted()).toEqual(contract.clausesOf(schema).toSorted());
  });

  it.each(
    Object.entries(broken).flatMap(([clause, places]) => places.map(([path, value]) => [clause, path, value] as const)),
  )('finds %s broken, and nothing else, at "%s" with %j', (clause, path, value) => {
    const issues = contract.validate(schema, edited(fine, path, value));
    expect(issues.map((issue) => [issue.clause, issue.pointer])).toEqual([[clause, path]]);
  });

  it('accepts unknown fields anywhere', () => {
    const more = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(more);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, member]) => [name, more(member)] as const);
      return { ...Object.fromEntries(members), wirecheck_unknown: { error: null, id: 5 } };
    };
    expect(contract.validate(schema, more(fine))).toEqual([]);
  });
});

describe('an absent field', () => {
  it.each(['id', 'object', 'created', 'model', 'choices', 'usage'])('is not a type error: %s', (field) => {
    expect(contract.validate('v1/chat-completion-response', edited(COMPLETION, `/${field}`, undefined))).toEqual([]);
  });

  it.each(['index', 'message', 'finish_reason'])('is not a type error in a choice: %s', (field) => {
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
  ])('%s does not repeat the finding of a stated clause: %j%s', (schema, fine, path, value) => {
    expect(contract.validate(schema, edited(fine, path, value))).toEqual([]);
  });

  it.each([0, 1_735_689_600, 1_735_689_600_000, 8_640_000_000_000])('accepts %d as created', (created) => {
    expect(contract.validate('wire/completion', edited(COMPLETION, '/created', created))).toEqual([]);
  });

  it('accepts a chunk with empty choices, or with content null', () => {
    expect(contract.validate('wire/chunk', edited(CHUNK, '/choices', []))).toEqual([]);
    expect(contract.validate('wire/chunk', edited(CHUNK, `${choice}/delta`, { content: null }))).toEqual([]);
  });
});
