import { describe, expect, it } from 'vitest';
import { exchange } from '../../test/kit/sample-reports.ts';
import { differencesFrom, formatEdit, showAround } from './edit-text.ts';

const BODY = '{"model": "sea-large", "messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 1';
const chat = (content: string, more = {}) =>
  JSON.stringify({ model: 'sea-large', messages: [{ role: 'user', content }], max_tokens: 16, ...more });
const CONTROL = exchange('chat', { method: 'POST', body: chat('Say hello to tezugekoso in one short sentence.') });

describe('a long text', () => {
  it.each([
    [`${BODY}, "temperature": NaN}`, '"temperature": NaN}'],
    [`${BODY}} garbage`, '} garbage'],
    [`${BODY},}`, '1,}'],
    [`/* */${BODY}}`, '/* */{'],
    [BODY.slice(0, 75), 'Say hello. ('],
  ])('of a raw body keeps what breaks it: %s', (text, kept) => {
    expect(formatEdit({ kind: 'raw', text }, CONTROL)).toContain(kept);
    expect(formatEdit({ kind: 'raw', text }).length).toBeLessThan(100);
  });

  it('keeps a word that was changed deep inside it', () => {
    const text = (word: string) => `${'The sea is wide. '.repeat(50)}${word}${' It is deep.'.repeat(50)}`;
    const control = exchange('chat', { body: chat(text('calm')) });
    const edit = { kind: 'set', pointer: '/messages/0/content', value: text('wild 🌊') } as const;
    const said = formatEdit(edit, control);
    expect(said).toMatch(/^\/messages\/0\/content set to ….*wild 🌊 It.*… \(1,457 characters\)$/);
    expect(said.length).toBeLessThan(120);
  });

  it('of a header keeps what was added at its end', () => {
    const value = `${'a=1; '.repeat(40)}b=2`;
    expect(formatEdit({ kind: 'header', name: 'cookie', value })).toMatch(
      /^cookie: …(?:a=|=)?.*b=2 \(203 characters\)$/,
    );
  });

  it('that is another from the first to the last character keeps its end', () => {
    const value = Array.from({ length: 10 }, (_, at) => ({ role: 'user', content: `${at}` }));
    expect(formatEdit({ kind: 'set', pointer: '/messages', value }, CONTROL)).toMatch(
      /^\/messages set to ….*"content":"9"\}\] \(301 characters\)$/,
    );
  });

  it('is never cut within a character', () => {
    for (const most of [20, 21, 22, 23]) {
      expect(showAround(`${'🌊'.repeat(30)}x`, '', { most })).not.toContain('\\u{');
      expect(showAround(`${'🌊'.repeat(30)}x${'🌊'.repeat(30)}`, '🌊'.repeat(60), { most })).toMatch(/^….*🌊x🌊.*…/u);
    }
  });
});

describe('the differences from a control', () => {
  const differences = (more: object, edits: Parameters<typeof differencesFrom>[2] = []) =>
    differencesFrom(CONTROL, exchange('a', { method: 'POST', body: CONTROL.body ?? '', ...more }), edits);

  it('are none if only the random word differs', () => {
    expect(differences({ body: chat('Say hello to pubakomito in one short sentence.') })).toEqual([]);
  });

  it('name method, path, query, key and headers', () => {
    const headers = [...CONTROL.headers, ['X-Trace', '1'] as const];
    const more = { method: 'PUT', path: '/chat/completions?a=1', key: 'unknown', headers };
    expect(differences(more)).toEqual([
      ['method', 'POST', 'PUT'],
      ['path', '/models', '/chat/completions'],
      ['query', undefined, 'a=1'],
      ['key', 'full', 'unknown'],
      ['header x-trace', undefined, '1'],
    ]);
  });

  it('name every field of the body, those of the base request included', () => {
    const body = chat('Say hello to pubakomito in one short sentence.', { max_tokens: 1, temperature: 0, stop: ['.'] });
    expect(differences({ body }, [{ kind: 'rawNumber', pointer: '/temperature', text: '0.00' }])).toEqual([
      [
        '/messages/0/content',
        ...['tezugekoso', 'pubakomito'].map((word) => `"Say hello to ${word} in one short sentence."`),
      ],
      ['/max_tokens', '16', '1'],
      ['/temperature', undefined, '0.00'],
      ['/stop', undefined, '["."]'],
    ]);
  });

  it('name the body as a whole if it is not JSON, or if its text alone differs', () => {
    expect(differences({ body: 'Say hello.' })).toEqual([['body', CONTROL.body, 'Say hello.']]);
    const twice = (CONTROL.body ?? '').replace('{', '{"model":"other",');
    expect(differences({ body: twice }, [{ kind: 'raw', text: twice }])).toEqual([['body', CONTROL.body, twice]]);
  });

  it('name a spelling, which changes no value', () => {
    expect(differences({}, [{ kind: 'spelling', spellings: ['key-order'] }])).toEqual([
      ['spelling', 'usual', 'key-order'],
    ]);
  });
});
