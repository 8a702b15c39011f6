import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Body } from '../exchange.ts';
import { type StreamForm, formOf, readEvents } from './event-stream.ts';

const DEPTH = 20;
const MiB = 1024 * 1024;

function bodyOf(content: string | Uint8Array): Body {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { bytes, reads: [{ at: 5, bytes: bytes.length }], end: { kind: 'complete' }, maxDepth: DEPTH };
}

function formed(content: string | Uint8Array): StreamForm {
  const body = bodyOf(content);
  return formOf(body, readEvents(body));
}

/** The form of a body of lines, read plainly and all at once, to compare with. */
function plainForm(text: string): StreamForm {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  if (lines.every((line) => /^\uFEFF?(?:$|:|(?:data|event|id|retry)(?::|$))/.test(line))) return 'nothing';
  return lines.every(isJson) ? 'json-lines' : 'text';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['events', 'data: {}\n\n'],
  ['events', 'data: {"cut'],
  ['nothing', ''],
  ['nothing', '\n\n: ping\n\nretry: 5\n\nid: 7\n\nevent: ping\n\n'],
  ['nothing', '\uFEFF: ping\n\n'],
  ['json', '{"data": 1}'],
  ['json', '{\n  "id": "x",\n  "choices": []\n}\n'],
  ['json', '"text"'],
  ['json-lines', '{"a":1}\n{"a":2}\n'],
  ['json-lines', `${' '.repeat(1_000)}\n  {"a":1}\r\n\u00A0\r{"a":2}`],
  ['text', 'Hello there.'],
  ['text', '{"a":1}\nand more'],
  ['text', `${' '.repeat(1_000)}and more`],
] as const)('a body of the form %s is recognized by its content', (form, body) => {
  expect(formed(body)).toBe(form);
});

test('a body of any lines has the form that reading all of it at once shows', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\uFEFF',
      '\u00A0',
      ':',
      'id: 1',
      'retry',
      'events',
      '\uFEFFid',
      'é',
      '\0',
      '{}',
      ' [1]',
      '-',
    ),
    fc.string({ unit: fc.constantFrom(':', '{', '}', ' ', '\uFEFF', 'i', 'd', 'é', '\0'), maxLength: 6 }),
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(lines, (parts) => {
      const text = parts.flat().join('');
      const form = formed(text);
      fc.pre(form !== 'json');
      expect(form).toBe(plainForm(text));
    }),
  );
});

test.each([
  ['no field', Buffer.alloc(8 * MiB)],
  ['a word', Buffer.alloc(8 * MiB, 'x')],
  ['data', Buffer.from('data: '.padEnd(8 * MiB, 'x'))],
])('of one endless line that begins with %s, only the beginning is decoded', (_name, bytes) => {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  onTestFinished(() => decode.mockRestore());
  formed(bytes);
  const decoded = decode.mock.calls.reduce((sum, [part]) => sum + (part?.byteLength ?? 0), 0);
  expect(decoded).toBeLessThan(MiB / 4);
});
