import { describe, expect, it } from 'vitest';
import { checkTransport } from '../../run/check-address.ts';
import { findBaseUrl, requireBaseUrl } from './read-settings.ts';
import { readConfig } from './config-file.ts';

const config = (text: string) => readConfig(text, 'c.yaml', {});

describe('the base URL', () => {
  it('comes from the argument, then the variable, then the file', () => {
    const env = { WIRECHECK_BASE_URL: 'https://b.example/v1' };
    const file = config('baseUrl: https://c.example/v1');
    expect(findBaseUrl('https://a.example/v1', { env, config: file })).toBe('https://a.example/v1');
    expect(findBaseUrl(undefined, { env, config: file })).toBe('https://b.example/v1');
    expect(findBaseUrl(undefined, { config: file })).toBe('https://c.example/v1');
    expect(findBaseUrl(undefined, {})).toBeUndefined();
  });

  it.each([
    ['https://a.example/v1///', 'https://a.example/v1'],
    [' https://a.example/v1 ', 'https://a.example/v1'],
    ['HTTPS://A.example:443/v1/', 'https://a.example/v1'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('is normalized: %s', (given, made) => {
    expect(findBaseUrl(given, {})).toBe(made);
  });

  it.each([
    ['', 'The base URL is empty: give one such as https://gateway.example/v1.'],
    ['   ', 'The base URL is empty: give one such as https://gateway.example/v1.'],
    [
      'gateway.example/v1',
      'The base URL does not start with http:// or https://: write https://gateway.example/v1, or http:// if it has no TLS.',
    ],
    [
      'ftp://gateway.example',
      'The base URL is not an http or https address (ftp://gateway.example): give one such as https://gateway.example/v1.',
    ],
    [
      'https://',
      'The base URL is not an http or https address (https://): give one such as https://gateway.example/v1.',
    ],
    ['https://a.example/v1?key=x', 'The base URL has a query: remove everything from the question mark on.'],
    ['https://a.example/v1?', 'The base URL has a query: remove everything from the question mark on.'],
    ['https://a.example/v1#top', 'The base URL has a fragment: remove everything from the # on.'],
    ['https://a.exa\nmple/v1', 'The base URL contains white space or control characters: remove them.'],
  ])('is refused if invalid: %j', (given, message) => {
    expect(() => findBaseUrl(given, {})).toThrow(new RegExp(`^${escaped(message)}$`));
  });

  it.each(['https://user:hush@a.example/v1', 'https://user:hush@'])('is never shown with its password: %s', (given) => {
    expect(() => findBaseUrl(given, {})).toThrow(/^The base URL (?!.*hush)/);
  });

  it('in an empty variable counts as unset', () => {
    const file = config('baseUrl: https://c.example/v1');
    expect(findBaseUrl(undefined, { env: { WIRECHECK_BASE_URL: ' ' }, config: file })).toBe('https://c.example/v1');
    expect(() => requireBaseUrl('run', undefined, { env: { WIRECHECK_BASE_URL: '' } })).toThrow('No base URL');
  });

  it('that is wrong in the config file is reported with its line', () => {
    expect(() => findBaseUrl(undefined, { config: config('model: x\nbaseUrl: nowhere') })).toThrow(
      /^c\.yaml:2: baseUrl is not an http/,
    );
  });

  it('is required', () => {
    expect(() => requireBaseUrl('run', undefined, {})).toThrow('WIRECHECK_BASE_URL');
  });
});

describe('a key over plain http', () => {
  it.each([
    'http://localhost:8080/v1',
    'http://127.0.0.1/v1',
    'http://127.8.9.10/v1',
    'http://127.1/v1',
    'http://[::1]:1/v1',
    'https://a.example/v1',
  ])('may go to %s', (given) => {
    expect(() => checkTransport(findBaseUrl(given, {}) ?? '', false)).not.toThrow();
  });

  it.each([
    'http://a.example/v1',
    'http://127.0.0.1.a.example/v1',
    'http://localhost.a.example/v1',
    'http://0.0.0.0/v1',
    'http://10.0.0.1/v1',
  ])('may go to %s only if allowed', (given) => {
    expect(() => checkTransport(given, false)).toThrow('--allow-http');
    expect(() => checkTransport(given, true)).not.toThrow();
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}
