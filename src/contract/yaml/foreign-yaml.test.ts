import { describe, expect, it } from 'vitest';
import { readForeignYaml } from './foreign-yaml.ts';

describe('YAML from a target', () => {
  it('is read as JSON, with its aliases resolved', async () => {
    const text = 'openapi: 3.0.3\na: &a [1, yes]\nb: *a\n';
    expect(await readForeignYaml(text)).toEqual({
      kind: 'json',
      text: '{"openapi":"3.0.3","a":[1,"yes"],"b":[1,"yes"]}',
    });
  });

  it.each([
    ['', 'null'],
    ['# nothing but a comment\n', 'null'],
    ['<p>text</p>', '"<p>text</p>"'],
  ])('may be anything: %j', async (text, json) => {
    expect(await readForeignYaml(text)).toEqual({ kind: 'json', text: json });
  });

  it('is refused with the line of the error', async () => {
    expect(await readForeignYaml('a: 1\nb: [\n')).toEqual({
      kind: 'not-yaml',
      detail: expect.stringMatching(/^line \d$/),
    });
  });

  const laughs = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? 'ha' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => items).join(', ')}]`;
  });

  it.each([
    ['in circles', '&a [*a]'],
    ['to nowhere', 'a: *b'],
    ['that multiply', laughs.join('\n')],
  ])('is refused for aliases %s', async (_, text) => {
    expect((await readForeignYaml(text)).kind).toBe('not-yaml');
  });

  it.each([
    ['millions of keys', Array.from({ length: 500_000 }, (_, index) => `k${index}:\n`).join('')],
    ['no end of nesting', '['.repeat(4_000_000)],
    ['no end of questions', '? '.repeat(2_000_000)],
    [
      'one text many times over',
      `a: &a ${'x'.repeat(2_000_000)}\nb: [${Array.from({ length: 90 }, () => '*a').join(', ')}]`,
    ],
  ])(
    'with %s exhausts neither memory nor time',
    async (_, text) => {
      expect(await readForeignYaml(text)).toEqual({ kind: 'too-much' });
    },
    30_000,
  );
});
