import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../text/quote.ts';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { loadContract } from './read-contract.ts';
import { packageVersion } from './package-files.ts';
import { packageRoot } from './package-root.ts';

const contract = loadContract();

describe('loadContract', () => {
  it('is loaded once', () => {
    expect(loadContract()).toBe(contract);
  });

  it('finds a clause by its id', () => {
    expect(contract.clauses.length).toBeGreaterThan(150);
    expect(contract.clause('auth.required')).toMatchObject({ part: '5.5', level: 'must', scope: 'run' });
    expect(contract.clause('versioning.no-breaking-change')?.scope).toBe('comparison');
    expect(contract.clause('auth.nothing')).toBeUndefined();
  });

  it('has a hash that identifies the contract', () => {
    expect(contract.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(contract.hash).toBe(contract.hash);
  });

  it('finds schemas by folder and name', () => {
    expect(contract.schemaNames).toEqual([
      'v1/chat-completion-request',
      'v1/chat-completion-response',
      'v1/choice',
      'v1/error',
      'v1/message',
      'v1/model',
      'v1/model-list',
      'v1/usage',
      'wire/chunk',
      'wire/completion',
      'wire/error',
      'wire/model-list',
    ]);
    expect(() => contract.validate('v1/nothing', {})).toThrow(/Unknown schema v1\/nothing/);
  });

  it('finds the package and its version', () => {
    const manifest: { version: string } = JSON.parse(readFileSync(`${packageRoot()}/package.json`, 'utf8'));
    expect(packageVersion()).toBe(manifest.version);
  });
});

describe.each([...contract.schemaNames])('the schema %s', (name) => {
  const file = `${packageRoot()}/schemas/${name}.schema.json`;
  const schema: { $id: string; $schema: string } = JSON.parse(readFileSync(file, 'utf8'));

  it('is a valid schema with a unique name', () => {
    expect(schema.$id).toBe(`urn:wirecheck:schema:${name.replace('/', ':')}`);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });

  it('names only clauses that exist', () => {
    expect(contract.clausesOf(name)).not.toEqual([]);
    expect(contract.clausesOf(name).filter((clause) => !contract.clause(clause))).toEqual([]);
  });
});

describe('clausesOf', () => {
  it('gives each clause once, in the order of the schema, including referenced schemas', () => {
    expect(contract.clausesOf('v1/chat-completion-response')).toEqual([
      'completion.object-body',
      'completion.id-type',
      'completion.object',
      'completion.created-type',
      'completion.model-type',
      'completion.choices-type',
      'choice.index-type',
      'choice.message-type',
      'choice.message-role',
      'choice.message-content',
      'choice.finish-reason-type',
      'completion.usage-type',
      'usage.prompt-tokens-type',
      'usage.completion-tokens-type',
      'usage.total-tokens-type',
    ]);
  });
});

describe('validate', () => {
  it('reports expected and actual values', () => {
    const issues = contract.validate('v1/chat-completion-response', {
      object: 'completion',
      created: 1.5,
      choices: [{ message: { role: 'bot' } }],
    });
    expect(issues).toEqual([
      {
        clause: 'completion.object',
        pointer: '/object',
        mismatch: 'value',
        expected: { kind: 'constant', value: 'chat.completion' },
        actualType: 'string',
        value: quoteText('completion'),
      },
      {
        clause: 'completion.created-type',
        pointer: '/created',
        mismatch: 'type',
        expected: { kind: 'type', types: ['integer'] },
        actualType: 'number',
        value: 1.5,
      },
      {
        clause: 'choice.message-content',
        pointer: '/choices/0/message/content',
        mismatch: 'absent',
        expected: { kind: 'type', types: ['string'] },
        actualType: 'absent',
      },
      {
        clause: 'choice.message-role',
        pointer: '/choices/0/message/role',
        mismatch: 'value',
        expected: { kind: 'one-of', values: ['system', 'user', 'assistant'] },
        actualType: 'string',
        value: quoteText('bot'),
      },
    ]);
    expect(contract.validate('v1/chat-completion-request', { model: 'm', messages: [], temperature: 3 })).toMatchObject(
      [{ mismatch: 'range', expected: { kind: 'range', minimum: 0, maximum: 2 } }],
    );
    expect(
      contract.validate('wire/chunk', { object: 'chat.completion.chunk', id: '', model: 'm', choices: [] }),
    ).toMatchObject([{ mismatch: 'empty', expected: { kind: 'not-empty' } }]);
  });

  it('accepts 1.0 as an integer, as JSON does', () => {
    expect(contract.validate('v1/usage', JSON.parse('{"total_tokens": 1.0}'))).toEqual([]);
  });

  it('says which clauses could not be validated', () => {
    expect(contract.validate('v1/error', {})).toMatchObject([
      { clause: 'errors.object', hides: ['errors.message', 'errors.type', 'errors.code'] },
    ]);
    expect(contract.validate('v1/error', { error: { message: 'm', type: 't' } })[0]).not.toHaveProperty('hides');
  });

  it('points into arrays and escapes names', () => {
    const data = [{ id: 'a' }, 'b', { id: 'c', object: 'x' }];
    expect(contract.validate('v1/model-list', { data }).map(({ pointer }) => pointer)).toEqual([
      '/data/1',
      '/data/2/object',
    ]);
  });

  it('limits issues per clause, so that a frequent one does not hide a rare one', () => {
    const data = [...Array.from({ length: 500 }, () => ({ id: 'm', object: 'x' })), { object: 'model' }];
    const issues = contract.validate('v1/model-list', { data }, 3);
    expect(issues.map(({ clause }) => clause)).toEqual(['model.object', 'model.object', 'model.object', 'model.id']);
  });

  it('validates every item of a long list', () => {
    const data: unknown[] = Array.from({ length: 300_000 }, (_, index) => ({ id: `m${index}` }));
    data.push({});
    expect(contract.validate('v1/model-list', { data })).toMatchObject([
      { clause: 'model.id', pointer: '/data/300000/id' },
    ]);
  });

  it('is not misled by members named like those of every object', () => {
    const body: unknown = JSON.parse('{"__proto__": {"id": "x"}, "constructor": 1, "object": "list", "data": []}');
    expect(contract.validate('v1/model-list', body)).toEqual([]);
    expect(contract.validate('v1/model', JSON.parse('{"__proto__": {"id": "x"}}'))).toMatchObject([
      { clause: 'model.id' },
    ]);
  });
});

describe.each(CONTRACT_SUBJECTS)('loadContract(%s)', (subject) => {
  it('has clauses of its own, and the hash and schemas of all sides', () => {
    const side = loadContract(subject);
    for (const { id } of side.clauses) {
      expect(id).toMatch(new RegExp(`^${subject}\\.`));
      expect(side.clause(id)?.id).toBe(id);
      expect(loadContract().clause(id)).toBeUndefined();
    }
    expect(side.hash).toBe(loadContract().hash);
    expect(side.schemaNames).toEqual(loadContract().schemaNames);
    expect(side.validate('v1/model', {})).toMatchObject([{ clause: 'model.id' }]);
  });
});
