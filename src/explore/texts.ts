/** Texts of every script, with joiners, combining and astral characters, quotes, backslashes, markup and JSON inside. */
import fc from 'fast-check';
import { PIECE_KINDS } from './text-kinds.ts';

const ENGLISH = fc.constantFrom('harbour', 'the', 'boat', 'Say hello', 'seven', 'a', 'lamp', 'What time is it', 'wide');

/** Texts that are wholly in another format. */
const DOCUMENTS: readonly fc.Arbitrary<string>[] = [
  fc.constantFrom('{"a": [1, 2]}', '{ "b" : true }', '[1, 2.0, null]', '[]', '{"role": "user"}', '"hello"', '1.50'),
  fc.constantFrom(
    '<p>One &amp; two</p>',
    '<?xml version="1.0"?><a/>',
    '# Title\n\n- one\n- two',
    '| a | b |\n| c | d |',
  ),
  fc.constantFrom(
    'a: 1\nb:\n  - 2',
    'name,value\nx,1',
    'if (a < b) {\n  return "c";\n}',
    'https://example.com/?a=1&b=2#c',
  ),
  fc.constantFrom('null', 'true', 'false', 'undefined', '0', '42', '-1', 'STOP', 'HELLO WORLD', '2026-11-17'),
  fc.constantFrom('?', '.', 'a', 'é', '你', '🌊', '/help', '!', '...', '@you', '+1'),
];

const pieces = fc.oneof(
  { weight: 3, arbitrary: ENGLISH },
  ...PIECE_KINDS.map((kinds) => ({
    weight: 4,
    arbitrary: fc.oneof(...Object.values(kinds).map(({ draw }) => draw)),
  })),
);

const short = fc
  .array(pieces, { minLength: 1, maxLength: 5 })
  .chain((parts) => fc.constantFrom(' ', ' ', '').map((between) => parts.join(between)));

/** A space or a line break at either end. */
const padded = fc
  .tuple(fc.constantFrom(' ', '\n', '', '  '), short, fc.constantFrom(' ', '\n', ''))
  .map((parts) => parts.join(''));

const long = fc
  .tuple(fc.array(pieces, { minLength: 2, maxLength: 6 }), fc.integer({ min: 200, max: 1200 }))
  .map(([parts, length]) => {
    const text = `${parts.join(' ')} `;
    return text
      .repeat(Math.ceil(length / text.length))
      .slice(0, length)
      .trim();
  });

/** A word or two. */
export const briefText: fc.Arbitrary<string> = ENGLISH;

/** A text that the contract promises to take. A model may repeat it, so that half a character is left out. */
export const ordinaryText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 8, arbitrary: short },
    { weight: 2, arbitrary: padded },
    { weight: 2, arbitrary: long },
    { weight: 2, arbitrary: ENGLISH },
    { weight: 2, arbitrary: fc.oneof(...DOCUMENTS) },
  )
  .map((text) => wellFormed(text).replaceAll('\uFFFD', '').replaceAll('${', '$ {'))
  .map((text) => (isPromised(text) ? text : `${text}ok`));

/** Text that the contract does not promise to take: nothing, white space, control characters, lone surrogates. */
export const openText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '\n', '\u00A0', '\u3000'),
  fc.tuple(ENGLISH, ENGLISH).map((words) => words.join('\t')),
  fc.tuple(ENGLISH, ENGLISH).map((words) => words.join('\r\n')),
  fc
    .tuple(ENGLISH, fc.constantFrom('\u0000', '\b', '\u0007', '\u001B[1m', '\u007F', '\u0085'))
    .map((parts) => parts.join('')),
  fc.tuple(ENGLISH, fc.constantFrom('\uD800', '\uDC00', '\uDBFF ')).map((parts) => parts.join(' ')),
);

/** All but the line feed, which is in ordinary text. */
const CONTROL = /(?!\n)\p{Cc}/u;

/** With replacement characters for lone surrogates. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Without half a character. */
export function isWellFormed(text: string): boolean {
  return wellFormed(text) === text;
}

/** Something to see: not only white space, joiners and marks. */
const VISIBLE = /[^\s\p{Cf}\p{Z}\p{M}]/u;

export function isPromised(text: string): boolean {
  return VISIBLE.test(text) && !CONTROL.test(text) && isWellFormed(text);
}
