import { expect, it } from 'vitest';
import { firstWords, messageForm } from './error-message.ts';

const PYTHON = `Traceback (most recent call last):
  File "client.py", line 9, in <module>
pydantic_core.ValidationError: 1 validation error for Reply
id
  Field required`;

it.each([
  [PYTHON, 'pydantic_core.ValidationError: 1 validation error for Reply'],
  ["\nTypeError: no 'id'\n    at parse (client.mjs:9:12)\n\nNode.js v20", "TypeError: no 'id'"],
  ['panic: early\n\ngoroutine 1 [running]:', 'panic: early'],
  ['unknown x_new', 'unknown x_new'],
  ['', ''],
  ['\n\n', ''],
])('The line that says what happened: %j', (complaint, words) => {
  expect(firstWords(complaint)).toBe(words);
});

it.each([
  [PYTHON, 'pydantic_core.ValidationError: 1 validation error for Reply\nid\nField required'],
  ["TypeError: no 'id'\n    at parse (client.mjs:9:12)\n    at run", "TypeError: no 'id'"],
  ['panic: early\n\ngoroutine 1 [running]:', 'panic: early'],
  ['Unterminated string in JSON at position 34', 'Unterminated string in JSON at position #'],
  [
    'JSONDecodeError: Extra data: line 1 column 196 (char 195)',
    'JSONDecodeError: Extra data: line # column # (char #)',
  ],
  ['Path: $ | LineNumber: 0 | BytePositionInLine: 107.', 'Path: $ | LineNumber: # | BytePositionInLine: #.'],
  ['Post "http://127.0.0.1:43211/v1/chat/completions": EOF', 'Post "http://127.0.0.1:#/v1/chat/completions": EOF'],
])('A message without what differs from call to call: %j', (complaint, form) => {
  expect(messageForm(complaint)).toBe(form);
});

it.each([
  "Cannot read properties of undefined (reading '0')",
  'HTTP Error 103: Early Hints',
  "'utf-8' codec can't decode byte 0xe6",
  'index out of range [3] with length 2',
  "thread 'main' panicked at src/main.rs:52:10:",
])('Any other number of a message stays: %s', (message) => {
  expect(messageForm(message)).toBe(message);
});
