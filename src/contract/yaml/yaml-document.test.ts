import { describe, expect, it } from 'vitest';
import { UsageError } from '../../usage-error.ts';
import { parseYaml } from './yaml-document.ts';

const TEXT = `# a comment
suite: auth
cases:
  - id: first
    set: { /temperature: 2.1 }

  - id: second
    expect:
      - clause: a
        check: b
      - { clause: c, check: d }
`;

function refusal(text: string): string {
  try {
    parseYaml(text, 'f.yaml');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parseYaml', () => {
  it('gives the value of a file', () => {
    expect(parseYaml('a: [1, 2.5, yes, null, "x"]\nb: true\n', 'f.yaml').value).toEqual({
      a: [1, 2.5, 'yes', null, 'x'],
      b: true,
    });
  });

  it.each([
    [[], 2],
    [['suite'], 2],
    [['cases'], 3],
    [['cases', 0], 4],
    [['cases', 0, 'set', '/temperature'], 5],
    [['cases', 1, 'id'], 7],
    [['cases', 1, 'expect', 0, 'check'], 10],
    [['cases', 1, 'expect', 1], 11],
  ])('knows the line of %j', (path, line) => {
    expect(parseYaml(TEXT, 'f.yaml').lineOf(path)).toBe(line);
  });

  it('gives the line of the nearest ancestor for what is not there', () => {
    const document = parseYaml(TEXT, 'f.yaml');
    expect(document.lineOf(['cases', 1, 'title'])).toBe(7);
    expect(document.lineOf(['cases', 9, 'id'])).toBe(3);
    expect(document.lineOf(['suite', 'x', 'y'])).toBe(2);
    expect(parseYaml('', 'f.yaml').lineOf(['a'])).toBe(1);
  });

  it('keeps to the line of an alias, since what it stands for was written elsewhere', () => {
    const document = parseYaml('a: &x\n  b: 1\nc: *x\n', 'f.yaml');
    expect(document.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(document.lineOf(['c', 'b'])).toBe(3);
  });

  it.each([
    ['a: 1\nb: 2\na: 3\n', 'f.yaml:3: the key "a" stands in the same place twice.'],
    ['a: 1\n--- \nb: 2\n', 'f.yaml:2: a second document starts here; one file holds one document.'],
    ['a: 1\nb: !secret x\n', 'f.yaml:2: tags such as !secret are not known here.'],
    ['a: !!binary aGk=\n', 'f.yaml:1: tags such as !!binary are not known here.'],
    ['a: b: c\n', 'f.yaml:1: a value that holds a colon and a space needs quotes around it.'],
    ['a: 1\nb: *x\n', 'f.yaml:2: *x stands for nothing: a value that starts with * needs quotes around it.'],
    ['a: 1\nb: *\n', 'f.yaml:2: a value that starts with * or & needs quotes around it.'],
    ['a: 1\nb: @x\n', 'f.yaml:2: a value that starts with @ needs quotes around it.'],
    ['a: 1\nb: `x`\n', 'f.yaml:2: a value that starts with ` needs quotes around it.'],
    ['a:\n\tb: 1\n', 'f.yaml:2: a tab cannot indent a line: use spaces.'],
    ['a: [1\nb: 2\n', 'f.yaml:2: not well-formed YAML: ] is missing, or stands too far to the left.'],
    [
      "a: 1\nb: 'It is\nc: 2\nd: 3\n",
      "f.yaml:2: the text that starts here has no closing ' (inside '…', an apostrophe is written as '').",
    ],
    [
      'a: 1\nb: "x\nc: 2\n',
      String.raw`f.yaml:2: the text that starts here has no closing " (inside "…", a quote is written as \").`,
    ],
    ['? [a]\n: b\n', /^f\.yaml:1: not well-formed YAML: .*keys must be strings\.$/],
  ])('refuses %j and says where', (text, message) => {
    if (typeof message === 'string') expect(refusal(text)).toBe(message);
    else expect(refusal(text)).toMatch(message);
  });

  it('refuses aliases that would multiply', () => {
    const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) {
      laughs.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(', ')}]`);
    }
    expect(refusal(laughs.join('\n'))).toMatch(/Excessive alias count/);
  });

  it('reads yes and no as words even where the file asks for an older YAML', () => {
    expect(parseYaml('%YAML 1.1\n---\na: yes\n', 'f.yaml').value).toEqual({ a: 'yes' });
  });
});
