/** Texts of every script, with joiners, combining and astral characters, quotes, backslashes, markup and JSON inside. */
import fc from 'fast-check';

/**
 * A kind of text: how to draw it, and how to tell that a text has it. What is drawn and what is counted come from one table,
 * so that a new row is also sought.
 */
interface TextKind {
  readonly has: RegExp;
  readonly draw: fc.Arbitrary<string>;
}

/** Words of a script: letters between two code points. */
const letters = (from: number, to: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: from, max: to }), { minLength: 2, maxLength: 6 })
    .map((points) => String.fromCodePoint(...points));

const script = (name: string, from: number, to: number): TextKind => ({
  has: new RegExp(`\\p{Script=${name}}`, 'u'),
  draw: letters(from, to),
});

const some = (has: RegExp, ...texts: readonly string[]): TextKind => ({ has, draw: fc.constantFrom(...texts) });

const SCRIPTS = {
  Latin: { has: /[\u00C0-\u024F]/, draw: letters(0xc0, 0xf6) },
  Greek: script('Greek', 0x3b1, 0x3c9),
  Cyrillic: script('Cyrillic', 0x410, 0x44f),
  Armenian: script('Armenian', 0x561, 0x586),
  Hebrew: script('Hebrew', 0x5d0, 0x5ea),
  Arabic: script('Arabic', 0x627, 0x63a),
  Devanagari: script('Devanagari', 0x915, 0x939),
  Bengali: script('Bengali', 0x995, 0x9a8),
  Tamil: some(/\p{Script=Tamil}/u, 'தமிழ்', 'க', 'வணக்கம்'),
  Thai: script('Thai', 0xe01, 0xe2e),
  Georgian: script('Georgian', 0x10d0, 0x10f0),
  Ethiopic: script('Ethiopic', 0x1200, 0x1206),
  Khmer: script('Khmer', 0x1780, 0x17a2),
  Tibetan: some(/\p{Script=Tibetan}/u, 'བོད', 'ཀ་ཁ'),
  kana: script('Hiragana', 0x3042, 0x3093),
  Han: { has: /[\u4E00-\u9FFF]/, draw: letters(0x4e00, 0x9fa5) },
  Hangul: script('Hangul', 0xac00, 0xd7a3),
} satisfies Record<string, TextKind>;

const SIGNS = {
  'mathematical letters': { has: /[\u{1D400}-\u{1D7FF}]/u, draw: letters(0x1d400, 0x1d433) },
  Gothic: script('Gothic', 0x10330, 0x10340),
  'rare Han': { has: /[\u{20000}-\u{3FFFF}]/u, draw: letters(0x20000, 0x20100) },
  emoji: some(/\p{Extended_Pictographic}/u, '🌊', '👋', '✔', '☎️', '❤️'),
  'skin tone': some(/\p{Emoji_Modifier}/u, '👋🏽', '🧑🏿‍🚀', '👍🏻'),
  flag: some(/\p{Regional_Indicator}/u, '🇩🇪', '🇯🇵 🇧🇷'),
  family: some(/\u200D\p{Extended_Pictographic}/u, '👩‍👩‍👧', '🏳️‍🌈', '👨🏾‍💻'),
  keycap: some(/\u20E3/, '1️⃣', '#️⃣'),
  combining: some(/[\u0300-\u036F]/, 'e\u0301', 'n\u0303o', 'a\u0308\u0323', 'Z\u0351\u0343\u0306'),
  joiner: some(/\u200C|\u200D|\u2060/, 'क्\u200Dष', 'می\u200Cخواهم', 'a\u200Db', 'a\u2060b'),
  direction: some(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/, '\u2066abc\u2069', '\u200Fabc', '\u202Eabc\u202C'),
  'zero width': some(/[\u200B\uFEFF]/, 'a\u200Bb', 'a\uFEFFb', '\uFEFFabc', 'abc\u200B'),
  'variation selector': some(/\uFE0F/, '\uFE0F', '☺️'),
  'soft hyphen': some(/\u00AD/, 'co\u00ADop'),
  'odd space': some(/[\u00A0\u2003\u202F\u3000]/, 'a\u00A0b', 'a\u2003b', 'a\u3000b', '1\u202F000', '\u00A0'),
  'line separator': some(/[\u2028\u2029]/, 'a\u2028b', 'a\u2029b'),
  'full width': some(/[\uFF01-\uFF9F]/, 'Ｈｅｌｌｏ', '！', '１２３', 'ｱｲｳ'),
  'private use': some(/\p{Co}/u, '\uE000', 'a\uF8FFb'),
  typography: some(/[„“”«»‘’–—…¿]/, '“curly”', '„so“', '«oui»', 'it’s', 'a – b', '—', '…', '¿qué?'),
  'mathematical sign': some(/[≤≥≠∑√×÷±∞]/, 'a ≤ b', '∑', '√2', '3 × 4', '±1'),
  currency: some(/[€£¥₹]/, '5 €', '£3', '¥', '₹10'),
  'degree or mark': some(/[°№©®™µ²½]/, '20 °C', '№', '©', 'm²', '½', '5 µm'),
} satisfies Record<string, TextKind>;

const SYNTAX = {
  'double quote': some(/"/, '"', '"quoted"', 'a"b'),
  'single quote': some(/'/, "it's", "'", "''"),
  backtick: some(/`/, '`code`', '`'),
  'code block': some(/```/, '```\ncode\n```', '```js\nlet a = 1;\n```'),
  backslash: some(/\\/, '\\', 'C:\\temp', '\\\\', 'a\\'),
  'written escape': some(/\\[nrt"]/, '\\n', '\\"', '\\r\\n', '\\t'),
  'written code point': some(/\\u/, '\\u0041', '\\u0000', '\\ud83d'),
  tag: some(/<[a-z!]/i, '<b>bold</b>', '<br/>', '<a href="x">', '<img src=x>'),
  'closing tag': some(/<\//, '</p>', '<b>bold</b>', '</body>'),
  script: some(/<script/i, '<script>alert(1)</script>', '<script src="a.js">'),
  comment: some(/<!--|\/\*|--$/, '<!-- note -->', '/* note */', ']]> <!--'),
  entity: some(/&#?\w+;/, '&amp;', '&lt;b&gt;', '&#39;', '&nbsp;'),
  'angle bracket': some(/[<>] ?\d| [<>] /, '1 < 2 > 0', 'a > b'),
  JSON: some(/[{[]["\d\]}]/, '{"a": [1, 2]}', '{}', '[1]', '{"role": "system"}', '[]'),
  template: some(/\{\{|\{%|\$\(|%\{/, '{{name}}', '{% if a %}', '$(id)', '{{ "a" | upper }}', '%{a}'),
  percent: some(/%/, '100 %', '50%', '%', '5 % off'),
  'percent code': some(/%[0-9A-F]{2}|%[sdn]/, '%20', '%s', '%0A', '%d', '%n', '%2F', '%00'),
  dollar: some(/\$/, '$5', '$', '$HOME', '$1'),
  hash: some(/#/, '#1', '#tag', '### User:', '#'),
  ampersand: some(/&/, 'a&b=c', 'you & me', '&&'),
  plus: some(/\+/, '1 + 1', 'C++', '+49 30 1234', 'a+b'),
  equals: some(/=/, 'a = b', 'x==y', 'q=1'),
  semicolon: some(/;/, '; rm', 'a; b;', ';'),
  pipe: some(/\|/, 'a | b', '||', '|'),
  star: some(/\*/, '**bold**', '*', '* item'),
  'other symbol': some(/[~^@_]/, '~', '^', '@you', 'x_y', 'snake_case_name', 'x^2'),
  parenthesis: some(/[()]/, '(a)', 'f(x)', ':)', '(('),
  colon: some(/\w:/, 'note: this', 'a:b', '12:30', 'user: hi'),
  dash: some(/\w-\w| - |--/, 'well-known', 'a - b', '--flag', '---'),
  SQL: some(/\bor 1=1|select .* from|drop table/i, "' OR 1=1 --", 'SELECT * FROM a', "'; DROP TABLE a; --"),
  address: some(/https?:\/\//, 'https://example.com/?q=1&r=%2F', 'http://localhost:8080/a', 'https://example.com'),
  mail: some(/\w@\w/, 'a@b.example', 'me+you@mail.example'),
  path: some(/\.\.\/|\/\w+\/|~\//, '../etc', '/etc/hosts', '../../a', '~/notes', './a/b/c'),
  'event of a stream': some(/\b(event|data|id|retry):/, 'event: end', 'data: {}', 'id: 1', 'retry: 10'),
  'end of stream': some(/\[DONE\]/, '[DONE]', 'say [DONE]', 'data: [DONE]'),
  'data first': some(/data: /, 'data: a', 'data: [DONE]', 'data: {"a": 1}'),
  HTTP: some(/HTTP\/\d|^[A-Z][\w-]+: /, 'HTTP/1.1 200 OK', 'Content-Length: 5', 'GET / HTTP/1.1'),
  'special token': some(/<\|/, '<|im_end|>', '<|endoftext|>', '<|user|>'),
  'token of a model': some(/\[\/?INST\]|<\/?s>/, '[INST] a [/INST]', '</s>', '<s>'),
} satisfies Record<string, TextKind>;

const WORDS = {
  number: some(/\b\d+\b/, '42', '7', '0', '3.14', '1e5'),
  'negative number': some(/-\d/, '-1', '-0.5', '-273'),
  'large number': some(/\d{10}/, '1234567890', '00000000000', '9007199254740993', '1763371200000'),
  date: some(/\d{4}-\d\d-\d\d/, '2026-11-17', '2026-11-17T12:00:00Z', '1999-12-31'),
  capitals: some(/\b[A-Z]{3,}\b/, 'STOP', 'HELLO WORLD', 'OK NASA'),
  literal: some(/\b(null|true|false|undefined|NaN|None|nil)\b/, 'null', 'true', 'undefined', 'NaN', 'None', 'nil'),
  base64: some(/[\w+/]{24}=/, 'VGhlIHNlYSBpcyB3aWRlIGFuZCBkZWVwLCBteSBmcmllbmQu='),
  'long word': {
    has: /\S{100}/,
    draw: fc.integer({ min: 100, max: 260 }).map((size) => 'abcdefghij'.repeat(26).slice(0, size)),
  },
  'same letter': some(/(\w)\1{7}/, 'aaaaaaaaaa', '0000000000', 'heeeeeeeeello'),
  'question mark': some(/\?/, 'What time is it?', '???', 'Really?!'),
  'line break': some(/\n/, 'a\nb', '\n', 'one\ntwo\nthree'),
  'blank line': some(/\n\n/, 'a\n\nb', '\n\n', 'a\n\n\n\nb'),
  'two spaces': some(/ {2}/, 'a  b', '  ', 'a    b'),
  list: some(/(^|\n)[-*] |(^|\n)\d\. /, '- one\n- two', '* one', '1. one\n2. two', ' \n- '),
} satisfies Record<string, TextKind>;

/** The kinds that a piece of a text can have, by group. */
const PIECE_KINDS: readonly Readonly<Record<string, TextKind>>[] = [SCRIPTS, SIGNS, SYNTAX, WORDS];

/** How a text as a whole can be. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  'JSON first': /^[{[]/,
  'only digits': /^\d+$/,
  'only a literal': /^(null|true|false|undefined)$/,
  'only capitals': /^[A-Z !.]{2,}$/,
  'one character': /^.$/su,
  'only beyond ASCII': /^[^ -~]+$/u,
  'hash first': /^#/,
  'leading space': /^ /,
  'leading line break': /^\n/,
  'trailing space': / $/,
  'trailing line break': /\n$/,
  'mark first': /^[-*/+.,;:!?]/,
  long: /^[^]{300}/,
  'very long': /^[^]{701}/,
  'plain and long': /^[ -~]{300}/,
  'Windows line break': /\r\n/,
  tab: /\t/,
};

/** Every kind, by name. */
export const TEXT_KINDS: ReadonlyMap<string, RegExp> = new Map([
  ...PIECE_KINDS.flatMap((kinds) => Object.entries(kinds).map(([name, { has }]) => [name, has] as const)),
  ['astral', /[\u{10000}-\u{1EFFF}\u{20000}-\u{3FFFF}]/u] as const,
  ...Object.entries(WHOLE),
]);

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

/** One of them, each as often as it weighs. */
export const oneOf = <Value>(
  ...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Value>])[]
): fc.Arbitrary<Value> => fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const pieces = oneOf(
  [3, ENGLISH],
  ...PIECE_KINDS.map((kinds) => [4, fc.oneof(...Object.values(kinds).map(({ draw }) => draw))] as const),
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
export const ordinaryText: fc.Arbitrary<string> = oneOf(
  [8, short],
  [2, padded],
  [2, long],
  [2, ENGLISH],
  [2, fc.oneof(...DOCUMENTS)],
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

/** Replacement characters stand for lone surrogates. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** No character is only half there. */
export const isWellFormed = (text: string): boolean => wellFormed(text) === text;

/** Something to see: not only white space, joiners and marks. */
const VISIBLE = /[^\s\p{Cf}\p{Z}\p{M}]/u;

export function isPromised(text: string): boolean {
  return VISIBLE.test(text) && !CONTROL.test(text) && isWellFormed(text);
}
