import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutJson } from './body-text.ts';

const marked = (text: string, pointer: string, spread = false) => {
  const laidOut = layOutJson(text, [pointer], spread);
  return laidOut.places.map(({ from, to, exact }) => [laidOut.text.slice(from, to), exact]);
};

describe('formatted JSON text', () => {
  it('puts each member and element on its own line', () => {
    expect(layOutJson('{"a":[1,{"b":null}],"c":{},"d":[]}', [], true).text).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('keeps the value, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, spread) => {
        const { text } = layOutJson(JSON.stringify(value), [], spread);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        if (!spread) expect(text).toBe(JSON.stringify(value));
      }),
    );
  });

  it('keeps numbers and duplicate keys as they were sent', () => {
    expect(layOutJson('{"a":1e400,"a":0.10}', [], true).text).toBe('{\n  "a": 1e400,\n  "a": 0.10\n}');
  });

  it('handles text truncated anywhere, and endless nesting', () => {
    const text = '{"a":"x\\"y","b":[1,2,{"c":true}]}';
    for (let length = 0; length <= text.length; length += 1) {
      expect(layOutJson(text.slice(0, length), ['/b/2/c'], false).text).toBe(text.slice(0, length));
    }
    expect(layOutJson('['.repeat(16_000), ['/0/0'], true).text.length).toBeLessThan(2_000_000);
  });
});

describe('a place in a JSON text', () => {
  it('is the member with its name, or the element', () => {
    expect(marked('{"error":{"code":401,"type":"x"}}', '/error/code')).toEqual([['"code":401', true]]);
    expect(marked('{"data":[{"id":"a"},{"id":7}]}', '/data/1/id', true)).toEqual([['"id": 7', true]]);
    expect(marked('[1,[2,3]]', '/1')).toEqual([['[2,3]', true]]);
    expect(marked('"text"', '')).toEqual([['"text"', true]]);
  });

  it('is found by escaped names and escaped pointers', () => {
    expect(marked('{"\\u0061":1,"a/b":2,"m~n":3}', '/a')).toEqual([['"\\u0061":1', true]]);
    expect(marked('{"a/b":2,"m~n":3}', '/a~1b')).toEqual([['"a/b":2', true]]);
    expect(marked('{"a/b":2,"m~n":3}', '/m~0n')).toEqual([['"m~n":3', true]]);
  });

  it('is the start of the nearest parent if the value is missing', () => {
    expect(marked('{"error":{"type":"x"}}', '/error/code')).toEqual([['"error":{', false]]);
    expect(marked('{}', '/error/code')).toEqual([['{', false]]);
  });

  it('is the last of duplicate keys, as parsers take it', () => {
    expect(marked('{"a":1,"a":2}', '/a')).toEqual([['"a":2', true]]);
  });

  it('is in order, without overlap, when there are several', () => {
    const { text, places } = layOutJson('{"b":{"c":1},"a":2}', ['/a', '/b', '/b/c'], false);
    expect(places.map(({ from, to }) => text.slice(from, to))).toEqual(['"b":{"c":1}', '"a":2']);
  });

  it('is never in an empty text', () => {
    expect(marked('', '/a')).toEqual([]);
  });
});
