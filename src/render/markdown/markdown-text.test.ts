import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outsideCode } from '../../../test/kit/markdown-reading.ts';
import { code, prose } from './markdown-text.ts';

describe('code', () => {
  it.each([
    ['plain', '`plain`'],
    ['a `b` c', '``a `b` c``'],
    ['`', '`` ` ``'],
    ['``` x', '```` ``` x ````'],
    [' a ', '`  a  `'],
    ['', '(empty)'],
    ['##[add-mask]x', String.raw`\`#\u{23}[add-mask]x\``.replaceAll('\\`', '`')],
  ])('makes %j literal: %s', (text, shown) => {
    expect(code(text)).toBe(shown);
  });

  it('is one span, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '``', ' ', 'a', '\\', '\n', '|') }), (text) => {
        expect(outsideCode(`x ${code(`a${text}b`)} y`)).toBe('x  y');
      }),
    );
  });
});

describe('prose', () => {
  it('does not change a sentence', () => {
    const sentence = 'The answer (of 4xx) came late, or "not" – as said: 2.5 s; it’s over.';
    expect(prose(sentence)).toBe(sentence);
  });

  it.each([
    ['set max_tokens to 1', 'set `max_tokens` to 1'],
    ['ends with [DONE], always', 'ends with `[DONE]`, always'],
    ['see https://a.example now', 'see `https://a.example` now'],
    ['ask @octocat in #1', 'ask `@octocat` in `#1`'],
    ['www.a.example and GH-12', '`www.a.example` and `GH-12`'],
    ['in 0123abc of it', 'in `0123abc` of it'],
    ['1. first', '`1`. first'],
    ['<b>bold</b> *it*', '`<b>bold</b>` `*it*`'],
    ['- item', '`-` item'],
    ['(left out by --no-bodies) and (--strict).', '(left out by `--no-bodies`) and (`--strict`).'],
    ['seen once (--path 17:1:0).', 'seen once (`--path` `17:1:0`).'],
    ['asks for with --header-env NAME=VAR, or --out DIR.', 'asks for with `--header-env NAME=VAR`, or `--out DIR`.'],
    ['with --only; `wirecheck plan --only …` shows it', 'with `--only`; `wirecheck plan --only …` shows it'],
    ['(`a b`), `c d`. And `e', '(`a b`), `c d`. And `` `e ``'],
    ['pass --openapi [profile a47cd1cd6482]', 'pass `--openapi` `[profile a47cd1cd6482]`'],
    ['what f(x_1) gives', 'what `f(x_1)` gives'],
    ['(contact: <b>a(1)</b>)', '(contact: `<b>a(1)</b>`)'],
  ])('formats anything but words as code: %s', (text, shown) => {
    expect(prose(text)).toBe(shown);
  });

  it('leaves nothing but words outside of code, wherever backticks stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '``', ' ', 'a', '@', '<b>', '(', ')', '.') }), (text) => {
        expect(outsideCode(prose(text))).not.toMatch(/[@<]/);
      }),
    );
  });
});
