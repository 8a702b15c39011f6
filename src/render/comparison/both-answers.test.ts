import { describe, expect, it } from 'vitest';
import { renderBodies, renderTimeStrip } from './comparison-html.ts';

const answer = (body: string) => ({ exchange: 'chat', status: 200, body });
const marked = (html: string, kind: string) =>
  [...html.matchAll(new RegExp(`<mark class="${kind}">(.*?)</mark>`, 'g'))].map(([, text]) =>
    text?.replaceAll('&quot;', '"'),
  );

describe('the answers of two runs', () => {
  it('have the lines marked that only one of them has', () => {
    const { text } = renderBodies(answer('{"id":"a","usage":{"total":3},"n":1.0}'), answer('{"id":"b","n":1}'), true);
    expect(marked(text, 'wrong')).toEqual(['"usage": {', '"total": 3', '},', '"n": 1.0']);
    expect(marked(text, 'right')).toEqual(['"n": 1']);
  });

  it('have ids and times marked as what changes from call to call', () => {
    const { text } = renderBodies(
      answer('{"n":1,"id":"a","created":1}'),
      answer('{"n":1,"id":"b","created":2}'),
      false,
    );
    expect(marked(text, 'volatile')).toEqual(['"id": "a",', '"created": 1', '"id": "b",', '"created": 2']);
    expect(text).toContain('~ changes from call to call');
    expect([marked(text, 'wrong'), marked(text, 'right')]).toEqual([[], []]);
  });

  it('have no mark and no note where they are the same but for commas', () => {
    const { text } = renderBodies(answer('{"id":"a","n":1}'), answer('{"id":"a"}'), false);
    expect(marked(text, 'wrong')).toEqual(['"n": 1']);
    expect(text).not.toContain('call to call');
  });

  it('have an id of another type, or of a model, marked as a difference', () => {
    const other = renderBodies(answer('{"id":"a"}'), answer('{"id":7}'), true).text;
    expect([marked(other, 'wrong'), marked(other, 'right')]).toEqual([['"id": "a"'], ['"id": 7']]);
    const models = renderBodies(answer('{"data":[{"id":"a"}]}'), answer('{"data":[{"id":"b"}]}'), true).text;
    expect([marked(models, 'wrong'), marked(models, 'right')]).toEqual([['"id": "a"'], ['"id": "b"']]);
  });

  it('have events marked that differ in more than their ids and texts', () => {
    const event = (id: string, text: string, more = ''): string =>
      `data: {"id":"${id}","choices":[{"delta":{"content":"${text}"}}]${more}}`;
    const { text } = renderBodies(
      answer(`${event('a', 'x')}\n\n${event('a', 'y')}`),
      answer(`${event('b', 'z')}\n\n${event('b', 'y', ',"n":1')}`),
      true,
    );
    expect(marked(text, 'volatile')).toEqual([event('a', 'x'), event('b', 'z')]);
    expect(marked(text, 'right')).toEqual([event('b', 'y', ',"n":1')]);
  });

  it('have the text of a reply marked as what changes, and not a text of another type', () => {
    const reply = (content: unknown): string => JSON.stringify({ choices: [{ index: 0, message: { content } }] });
    const changed = renderBodies(answer(reply('one')), answer(reply('two')), true).text;
    expect(marked(changed, 'volatile')).toEqual(['"content": "one"', '"content": "two"']);
    const broken = renderBodies(answer(reply('one')), answer(reply(7)), true).text;
    expect(marked(broken, 'right')).toEqual(['"content": 7']);
  });

  it('are shown as text if they are no JSON, and not at all if one is missing', () => {
    const { text } = renderBodies(answer('data: {}\n\ndata: [DONE]\n'), answer('data: {}\n'), true);
    expect(marked(text, 'wrong')).toContain('data: [DONE]');
    expect(renderBodies(answer('{}'), undefined, true).text).toBe('');
  });

  it('are inert', () => {
    const { text } = renderBodies(answer('<script>\u202e'), answer('"</pre>'), true);
    expect(text).not.toMatch(/<script|\u202e|"<\/pre>/);
  });
});

describe('the times of two runs', () => {
  it('are a dot each on one scale, with the median', () => {
    const { text } = renderTimeStrip(
      { times: [10, 20, 30], median: 20, exchanges: [] },
      { times: [40, 50], median: 45, exchanges: [] },
    );
    expect(text.match(/<circle/g)).toHaveLength(5);
    expect(text.match(/class="median"/g)).toHaveLength(2);
    expect(text).toContain('50 ms');
  });

  it('are left out where there are none', () => {
    expect(renderTimeStrip({ exchanges: [] }, { times: [1], median: 1, exchanges: [] }).text).toBe('');
  });
});
