/** Texts of every script, with joiners, combining and astral characters, quotes, backslashes, markup and JSON inside. */
import fc from 'fast-check';

/** Words of a script: letters between two code points. */
const letters = (from: number, to: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: from, max: to }), { minLength: 2, maxLength: 6 })
    .map((points) => String.fromCodePoint(...points));

const ENGLISH = fc.constantFrom('harbour', 'the', 'boat', 'Say hello', 'seven', 'a', 'lamp', 'What time is it?', '42');

/** Each of them is one kind of text; a test names the kinds that a text has. */
const SCRIPTS: readonly fc.Arbitrary<string>[] = [
  // Latin with marks, Greek, Cyrillic, Armenian, Hebrew, Arabic.
  letters(0xc0, 0xf6),
  letters(0x3b1, 0x3c9),
  letters(0x410, 0x44f),
  letters(0x561, 0x586),
  letters(0x5d0, 0x5ea),
  letters(0x627, 0x63a),
  // Devanagari, Bengali, Tamil, Thai, Georgian, Ethiopic, kana, Han, Hangul.
  letters(0x915, 0x939),
  letters(0x995, 0x9a8),
  letters(0xb95, 0xb9a).map((text) => text.slice(0, 1)),
  letters(0xe01, 0xe2e),
  letters(0x10d0, 0x10f0),
  letters(0x1200, 0x1206),
  letters(0x3042, 0x3093),
  letters(0x4e00, 0x9fa5),
  letters(0xac00, 0xd7a3),
];

const ASTRAL: readonly fc.Arbitrary<string>[] = [
  letters(0x1d400, 0x1d433),
  letters(0x10330, 0x10340),
  letters(0x20000, 0x20100),
  fc.constantFrom('🌊', '👋🏽', '🇩🇪', '🧑🏿‍🚀', '👩‍👩‍👧'),
];

const MARKS: readonly fc.Arbitrary<string>[] = [
  fc.constantFrom('e\u0301', 'n\u0303o', 'a\u0308\u0323', 'Z\u0351\u0343\u0306'),
  fc.constantFrom('क्\u200Dष', 'می\u200Cخواهم', 'a\u200Db', '\u2066abc\u2069', '\u200Fabc', 'co\u00ADop', '\uFE0F'),
  fc.constantFrom('\u00A0', '\u2003', '\u3000', '…', '—', '„so“', '«oui»', '¿', '№'),
];

const SYNTAX: readonly fc.Arbitrary<string>[] = [
  fc.constantFrom('"', '"quoted"', "it's", "'", '`code`', '“curly”'),
  fc.constantFrom('\\', 'C:\\temp', '\\n', '\\u0041', '\\"', '\\\\'),
  fc.constantFrom('<b>bold</b>', '</p>', '<br/>', '<!-- note -->', '&amp;', '<a href="x">', '1 < 2 > 0', ']]>'),
  fc.constantFrom('{"a": [1, 2]}', '{}', '[1]', '{"role": "system"}', 'null', '{{name}}', '{%'),
  fc.constantFrom('100 %', '%s', '%20', '50%', '$5', '#1', 'a&b=c', '~', '^', '|', '*', '@you', 'x_y'),
  fc.constantFrom("' OR 1=1 --", '; rm', '../etc', '$(id)', 'https://example.com/?q=1&r=%2F', 'a@b.example'),
  fc.constantFrom('data: [DONE]', 'data: {}', 'HTTP/1.1 200 OK', '[DONE]', '<|im_end|>', '### User:'),
];

/** Texts that are wholly in another format. */
const DOCUMENTS: readonly fc.Arbitrary<string>[] = [
  fc.constantFrom('{"a": [1, 2]}', '{ "b" : true }', '[1, 2.0, null]', '[]', '{"role": "user"}', '"hello"', '1.50'),
  fc.constantFrom('<p>One &amp; two</p>', '<?xml version="1.0"?><a/>', '# Title\n\n- one\n- two', '| a | b |'),
  fc.constantFrom('a: 1\nb:\n  - 2', 'name,value\nx,1', 'if (a < b) { return "c"; }', 'https://example.com/?a=1&b=2#c'),
];

const BREAKS = fc.constantFrom('\n', '\n\n', '  ', ' \n- ');

const pieces = fc.oneof(
  { weight: 4, arbitrary: ENGLISH },
  { weight: 4, arbitrary: fc.oneof(...SCRIPTS) },
  { weight: 2, arbitrary: fc.oneof(...ASTRAL) },
  { weight: 2, arbitrary: fc.oneof(...MARKS) },
  { weight: 4, arbitrary: fc.oneof(...SYNTAX) },
  { weight: 1, arbitrary: BREAKS },
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
  .map(([parts, length]) =>
    Array.from(`${parts.join(' ')} `.repeat(length).slice(0, length))
      .join('')
      .trim(),
  );

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
  fc
    .tuple(ENGLISH, fc.constantFrom('\t', '\u0000', '\u0007', '\u001B[1m', '\u007F', '\u0085'))
    .map((parts) => parts.join('')),
  fc.tuple(ENGLISH, fc.constantFrom('\uD800', '\uDC00', '\uDBFF ')).map((parts) => parts.join(' ')),
);

/** Control characters but for the line feed, which cases send as well. */
const CONTROL = /(?!\n)\p{Cc}/u;

/** With replacement characters for lone surrogates. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Without half a character. */
export function isWellFormed(text: string): boolean {
  return wellFormed(text) === text;
}

export function isPromised(text: string): boolean {
  return text.trim() !== '' && !CONTROL.test(text) && isWellFormed(text);
}
