import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { SPELLINGS } from '../suite/case.ts';
import { bindRequest, initialBindings, rawNumber, spellJson } from './bind-request.ts';

const BODY: Json = {
  model: 'sea "large"\\',
  messages: [{ role: 'user', content: 'Grüße 🌊\n"quoted"' }],
  tags: [],
  more: {},
  max_tokens: 1,
  stream: true,
  user: null,
};

describe('spellJson', () => {
  it('writes JSON as usual without a spelling', () => {
    expect(spellJson(BODY, [])).toBe(JSON.stringify(BODY));
  });

  it.each([...SPELLINGS.map((spelling) => [spelling]), [...SPELLINGS]])(
    'keeps the value in the spelling %s',
    (...spellings) => {
      expect(JSON.parse(spellJson(BODY, spellings))).toEqual(BODY);
    },
  );

  it('spells keys, white space, letters and everything beyond ASCII as it says', () => {
    const value = { a: 'bc', d: ['🌊é'] };
    expect(spellJson(value, ['key-order'])).toBe('{"d":["🌊é"],"a":"bc"}');
    expect(spellJson(value, ['white-space'])).toBe(' \n{\n\t"a" : "bc" ,\r\n\t"d" : [\n\t"🌊é"\n]\n} \n');
    expect(spellJson({ b: [1, {}], a: '</p>' }, ['sorted-keys', 'indented', 'escaped-slashes'])).toBe(
      '{\n  "a": "<\\/p>",\n  "b": [\n    1,\n    {}\n  ]\n}',
    );
    expect(spellJson(value, ['escapes'])).toBe(String.raw`{"\u0061":"\u0062c","\u0064":["🌊é"]}`);
    expect(spellJson(value, ['surrogate-pairs'])).toBe(String.raw`{"a":"bc","d":["\ud83c\udf0a\u00e9"]}`);
  });
});

it('A request in every spelling keeps its numbers as written and has header names in capitals', () => {
  const filled = bindRequest(
    {
      endpoint: 'chat',
      mode: 'plain',
      method: 'POST',
      path: '/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: { kind: 'json', value: { model: 'a', temperature: rawNumber('1.0') } },
      spellings: SPELLINGS,
      key: 'full',
    },
    initialBindings({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' }),
    'word',
  );
  expect(filled).toMatchObject({ kind: 'request', request: { inCapitals: true } });
  const body = filled.kind === 'request' ? filled.request.body : undefined;
  expect(body).toContain(' : 1.0');
  expect(JSON.parse(body ?? '')).toEqual({ model: 'a', temperature: 1 });
});
