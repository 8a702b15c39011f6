import { expect, it } from 'vitest';
import { formatTarget } from './run-text.ts';

const baseUrl = 'http://x/v1';

it.each([
  [{ baseUrl }, 'http://x/v1'],
  [{ baseUrl, model: 'm' }, 'http://x/v1'],
  [{ baseUrl, client: { name: 'node c.js', command: ['node', 'c.js'] } }, 'node c.js'],
  [{ baseUrl, client: { name: 'openai', command: ['node'], version: '6.49' } }, 'openai 6.49'],
  [{ baseUrl, upstream: { url: 'http://y/v1' } }, 'http://x/v1 in front of http://y/v1'],
])('names the target %o', (target, text) => {
  expect(formatTarget({ target })).toBe(text);
});
