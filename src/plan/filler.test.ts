import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { describeFilled, fillBody, makeFiller, makeLargerFillers } from './filler.ts';

const MiB = 1024 * 1024;
const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };
const sizes = (largestBody: number) => makeLargerFillers({ ...settings, largestBody }).map(({ count }) => count / MiB);

describe('a filler', () => {
  it('makes a body of 2 MiB in one field', () => {
    const filler = makeFiller('large', settings);
    const body = fillBody('{"x": "${filler}"}', filler);
    expect((JSON.parse(body) as { x: string }).x).toHaveLength(2 * MiB);
    expect(describeFilled('{"x": "${filler}"}', filler)).toBe('{"x": "xxxxxxxxxxxx… (2,097,152 letters)"}');
  });

  it('doubles up to the largest body, which is the last', () => {
    expect(sizes(16 * MiB)).toEqual([4, 8, 16]);
    expect(sizes(10 * MiB)).toEqual([4, 8, 10]);
    expect(sizes(3 * MiB)).toEqual([3]);
    expect(sizes(2 * MiB)).toEqual([]);
  });

  it('has a quarter more words than the context has tokens, with single blanks between them', () => {
    const filler = makeFiller('context', { ...settings, contextTokens: 101 });
    const words = fillBody('${filler}', filler);
    expect(filler).toEqual({ kind: 'words', count: 127 });
    expect(words.split(' ')).toHaveLength(127);
    expect(words).toMatch(/^[a-z]+( [a-z]+)+$/);
  });
});
