import { expect, it } from 'vitest';
import { toFileName, toFileNames } from './file-name.ts';

it.each([
  ['Gateway 1 (EU)', 'gateway-1-eu'],
  ['../../etc/passwd', 'etc-passwd'],
  ['v1.2', 'v1.2'],
  ['…', 'target'],
  ['CON', 'target-con'],
  ['nul.json', 'target-nul.json'],
  ['com1', 'target-com1'],
  ['console', 'console'],
])('The name %j becomes the file name %j, which every system accepts', (name, file) => {
  expect(toFileName(name, 'target')).toBe(file);
});

it('Names that come to the same get a number', () => {
  expect(toFileNames(['a b', 'A-B', 'c'], 'target')).toEqual(['a-b', 'a-b-2', 'c']);
});
