import { expect, it } from 'vitest';
import { isWebPage, readOwnWords } from './page-or-empty.ts';

const answerOf = (text: string, type = 'application/json') => ({
  body: { bytes: new TextEncoder().encode(text), reads: [], end: { kind: 'complete' }, maxDepth: 200 } as const,
  headers: [['Content-Type', type]] as const,
});

it.each([
  ['the error body of the contract', '{"error":{"message":"Wrong key","type":"a","code":"b"}}', 'Wrong key'],
  ['an error that is a string', '{"error":"Unauthorized"}', 'Unauthorized'],
  ['words at the top', '{"status":"failure","message":"A header is required"}', 'A header is required'],
  ['a list of details', '{"detail":[{"loc":["body"],"msg":"field required"}]}', 'field required'],
  ['problem details', '{"type":"about:blank","title":"Too large"}', 'Too large'],
  ['a string', '"try\\n again"', 'try again'],
  ['an empty message', '{"error":{"message":"","detail":"no credit"}}', 'no credit'],
])('Finds the words in %s', (_what, text, words) => {
  expect(readOwnWords(answerOf(text))).toBe(words);
});

it.each([
  ['the title of a web page', '<html><head><title>502 Bad\n Gateway</title></head>', 'text/html', '502 Bad Gateway'],
  ['its heading', '<!doctype html><h1 class="x">Sign in</h1>', 'text/plain', 'Sign in'],
  ['plain text', 'upstream connect error\n', 'text/plain', 'upstream connect error'],
])('Finds %s', (_what, text, type, words) => {
  expect(readOwnWords(answerOf(text, type))).toBe(words);
});

it.each(['', '  \n', '{}', '[]', '{"error":{}}', '{"error":{"code":7}}', '\u0000\u0001binary'])(
  'Finds none in %j',
  (text) => {
    expect(readOwnWords(answerOf(text))).toBeUndefined();
  },
);

it('Knows a web page by its label and by how it begins', () => {
  expect(isWebPage(answerOf('anything', 'Text/HTML; charset=utf-8'))).toBe(true);
  expect(isWebPage(answerOf('\n<!DOCTYPE html>', 'application/json'))).toBe(true);
  expect(isWebPage(answerOf('{"a":"<html>"}'))).toBe(false);
});
