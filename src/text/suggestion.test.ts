import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './suggestion.ts';

describe('nearest', () => {
  it.each([
    ['expcet', ['clause', 'expect', 'except-for'], 'expect'],
    ['levle', ['id', 'level', 'kind'], 'level'],
    ['modle', ['model', 'mode'], 'model'],
    ['base_url', ['baseUrl', 'model'], 'baseUrl'],
    ['TIMEOUT', ['timeout', 'idleTimeout'], 'timeout'],
    ['chat/temperature-abov-range', ['chat/temperature-above-range'], 'chat/temperature-above-range'],
  ])('takes %s for the known name it was meant to be', (name, known, meant) => {
    expect(nearest(name, known)).toBe(meant);
  });

  it('has no guess for a word that is like none of the known ones', () => {
    expect(nearest('colour', ['id', 'part', 'summary'])).toBeUndefined();
    expect(nearest('a', ['b'])).toBeUndefined();
    expect(nearest('model', [])).toBeUndefined();
  });

  it('takes the first of two names that are equally near', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });

  it('prefers the nearer name wherever it stands', () => {
    expect(nearest('headers', ['reader', 'header', 'heads'])).toBe('header');
  });

  it('does not measure a name that nobody typed', () => {
    expect(nearest('x'.repeat(1_000_000), ['x'.repeat(99)])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('is a sentence that can be put behind another one', () => {
    expect(`unknown key "expcet".${didYouMean('expcet', ['expect'])}`).toBe(
      'unknown key "expcet". Did you mean "expect"?',
    );
  });

  it('is nothing where there is no guess', () => {
    expect(didYouMean('colour', ['id'])).toBe('');
  });
});
