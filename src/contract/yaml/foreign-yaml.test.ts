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

  // As much time as a busy machine needs to run out of this little memory.
  const small = { memory: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }, time: 300_000 };

  it.each([
    ['no end of keys', Array.from({ length: 100_000 }, (_, index) => `k${index}:\n`).join(''), small],
    ['no end of nesting', '['.repeat(400_000), small],
    ['no end of questions', '? '.repeat(400_000), small],
    ['one text many times over', `a: &a ${'x'.repeat(2_000_000)}\nb: [${'*a, '.repeat(90)}]`, undefined],
  ])('with %s exhausts no memory', { timeout: 300_000 }, async (_, text, limits) => {
    expect(await readForeignYaml(text, limits)).toEqual({ kind: 'too-much' });
  });

  it('is given up when its time is over', async () => {
    // No worker has started by then.
    expect(await readForeignYaml('a: 1', { ...small, time: 1 })).toEqual({ kind: 'too-much' });
  });
});
