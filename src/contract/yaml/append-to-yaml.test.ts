import { describe, expect, it } from 'vitest';
import { appendToYamlList } from './append-to-yaml.ts';

const append = (text: string) => appendToYamlList(text, 'f.yaml', 'list', { name: 'b', more: { x: 'y: z' } });
const ITEM = '- name: b\n    more:\n      x: "y: z"\n';

describe('an item that is added to a YAML list', () => {
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
  ])('stands at its end, and the rest is as it was: %j', (before, after) => {
    expect(append(before)).toBe(after);
  });

  it('is not added to a file that cannot be read', () => {
    expect(() => append('list: [')).toThrow('f.yaml:1: not well-formed YAML');
  });
});
