import { describe, expect, it } from 'vitest';
import { didYouMean, findClosest } from './suggestion.ts';

describe('findClosest', () => {
  it.each([
    ['expcet', ['clause', 'expect', 'except-for'], 'expect'],
    ['levle', ['id', 'level', 'kind'], 'level'],
    ['modle', ['model', 'mode'], 'model'],
    ['base_url', ['baseUrl', 'model'], 'baseUrl'],
    ['TIMEOUT', ['timeout', 'idleTimeout'], 'timeout'],
    ['chat/temperature-abov-range', ['chat/temperature-above-range'], 'chat/temperature-above-range'],
  ])('recognizes %s as a typo', (name, known, meant) => {
    expect(findClosest(name, known)).toBe(meant);
  });

  it('has no guess for a word that resembles no known name', () => {
    expect(findClosest('colour', ['id', 'part', 'summary'])).toBeUndefined();
    expect(findClosest('a', ['b'])).toBeUndefined();
    expect(findClosest('model', [])).toBeUndefined();
  });

  it.each([
    ['temp', ['top_p', 'temperature'], 'temperature'],
    ['errors', ['errors.type-present', 'errors.code', 'models.list'], 'errors.code'],
    ['limits.temp', ['limits.top-p', 'limits.temperature'], 'limits.temperature'],
    ['temp', ['limits.top-p', 'limits.temperature-in-range', 'limits.temperature'], 'limits.temperature'],
    ['top-p', ['limits.temperature', 'limits.top-p'], 'limits.top-p'],
    ['max-comp', ['--max-requests', '--max-completions'].map((flag) => flag.slice(2)), 'max-completions'],
  ])('takes %s for the beginning of a name or of its last part', (name, known, meant) => {
    expect(findClosest(name, known)).toBe(meant);
  });

  it('has no guess for one or two letters', () => {
    expect(findClosest('te', ['temperature'])).toBeUndefined();
  });

  it('prefers the first of two equally close names', () => {
    expect(findClosest('cat', ['bat', 'hat'])).toBe('bat');
  });

  it('prefers the closer name, whatever the order', () => {
    expect(findClosest('headers', ['reader', 'header', 'heads'])).toBe('header');
  });

  it('ignores a name that is too long to have been typed', () => {
    expect(findClosest('x'.repeat(1_000_000), ['x'.repeat(99)])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('is a sentence to append to another one', () => {
    expect(`unknown key "expcet".${didYouMean('expcet', ['expect'])}`).toBe(
      'unknown key "expcet". Did you mean "expect"?',
    );
  });

  it('is empty without a guess', () => {
    expect(didYouMean('colour', ['id'])).toBe('');
  });
});
