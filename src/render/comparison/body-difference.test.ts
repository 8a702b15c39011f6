import { describe, expect, it } from 'vitest';
import { renderBodies } from './body-difference.ts';
import { renderTimeStrip } from './time-strip.ts';

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

  it('have no mark where they are the same but for ids, times and commas', () => {
    const { text } = renderBodies(
      answer('{"id":"a","created":1,"n":1}'),
      answer('{"id":"b","created":2,"n":1}'),
      false,
    );
    expect(text).not.toContain('<mark');
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
