import { describe, expect, it } from 'vitest';
import { UsageError } from '../../usage-error.ts';
import { appendToYamlList, parseYaml } from './yaml-document.ts';

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
  ])('finds the line of %j', (path, line) => {
    expect(parseYaml(TEXT, 'f.yaml').lineOf(path)).toBe(line);
  });

  it('gives the line of the closest ancestor of a missing path', () => {
    const document = parseYaml(TEXT, 'f.yaml');
    expect(document.lineOf(['cases', 1, 'title'])).toBe(7);
    expect(document.lineOf(['cases', 9, 'id'])).toBe(3);
    expect(document.lineOf(['suite', 'x', 'y'])).toBe(2);
    expect(parseYaml('', 'f.yaml').lineOf(['a'])).toBe(1);
  });

  it('gives the line of an alias, not that of its anchor', () => {
    const document = parseYaml('a: &x\n  b: 1\nc: *x\n', 'f.yaml');
    expect(document.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(document.lineOf(['c', 'b'])).toBe(3);
  });

  it.each([
    ['a: 1\nb: 2\na: 3\n', 'f.yaml:3: duplicate key "a". Remove one of the two.'],
    ['a: 1\n--- \nb: 2\n', 'f.yaml:2: a second document starts here. Keep one document per file.'],
    ['a: 1\nb: !secret x\n', 'f.yaml:2: unknown tag !secret. Remove it, or put quotes around the value.'],
    ['a: !!binary aGk=\n', 'f.yaml:1: unknown tag !!binary. Remove it, or put quotes around the value.'],
    ['a: b: c\n', 'f.yaml:1: put quotes around a value that contains a colon and a space.'],
    ['a: 1\nb: *x\n', 'f.yaml:2: the alias *x has no anchor. Put quotes around a value that starts with *.'],
    ['a: 1\nb: *\n', 'f.yaml:2: put quotes around a value that starts with * or &.'],
    ['a: 1\nb: @x\n', 'f.yaml:2: put quotes around a value that starts with @.'],
    ['a: 1\nb: `x`\n', 'f.yaml:2: put quotes around a value that starts with `.'],
    ['a:\n\tb: 1\n', 'f.yaml:2: a tab is not allowed as indentation. Use spaces.'],
    ['a: [1\nb: 2\n', 'f.yaml:1: the [ that starts here has no closing ], or it is not indented enough. Add it.'],
    [
      'a: 1\nb: { c: [1, 2],\nd: 3\n',
      'f.yaml:2: the { that starts here has no closing }, or it is not indented enough. Add it.',
    ],
    [
      'a: true\n  b: 2\n',
      'f.yaml:2: this line is indented further than its key allows. Indent it like the key above it.',
    ],
    ['a b\nc: 2\n', 'f.yaml:1: a key has no colon. Write it as "key: value", on one line.'],
    [
      'a:\n  - 1\n - 2\n',
      'f.yaml:3: the indentation of this line fits no line above it. Indent it like the item above it.',
    ],
    [
      "a: 1\nb: 'It is\nc: 2\nd: 3\n",
      "f.yaml:2: the string that starts here has no closing '. Add it; inside '…', write an apostrophe as ''.",
    ],
    [
      'a: 1\nb: "x\nc: 2\n',
      String.raw`f.yaml:2: the string that starts here has no closing ". Add it; inside "…", write a quote as \".`,
    ],
    ['? [a]\n: b\n', 'f.yaml:1: a key must be text. Put quotes around it.'],
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

  it('reads yes and no as strings even if the file declares an older YAML version', () => {
    expect(parseYaml('%YAML 1.1\n---\na: yes\n', 'f.yaml').value).toEqual({ a: 'yes' });
  });
});

const append = (text: string) => appendToYamlList(text, 'f.yaml', 'list', { name: 'b', more: { x: 'y: z' } });
const ITEM = '- name: b\n    more:\n      x: "y: z"\n';

describe('an item appended to a YAML list', () => {
  it.each([
    ['', `list:\n  ${ITEM}`],
    ['# only a comment\n', `# only a comment\n\nlist:\n  ${ITEM}`],
    ['other: 1\n', `other: 1\nlist:\n  ${ITEM}`],
    ['list:\n', `list:\n  ${ITEM}`],
    ['# before\nlist: []\n# after\n', `# before\nlist:\n  ${ITEM}\n# after\n`],
    ['list: [{ name: a }]\n', `list:\n  - { name: a }\n  ${ITEM}`],
    [
      'list:\n  - name: a # why\n\n  # of the next\n  - name: c\n',
      `list:\n  - name: a # why\n\n  # of the next\n  - name: c\n  ${ITEM}`,
    ],
    ['list:\n- name: a\n', 'list:\n- name: a\n- name: b\n  more:\n    x: "y: z"\n'],
    [`list:\n  - name: ${'long '.repeat(40)}end\n`, `list:\n  - name: ${'long '.repeat(40)}end\n  ${ITEM}`],
  ])('comes last, and the rest of the file is unchanged: %j', (before, after) => {
    expect(append(before)).toBe(after);
  });

  it('is not appended to an invalid file', () => {
    expect(() => append('list: [')).toThrow('f.yaml:1: the [ that starts here');
  });
});
