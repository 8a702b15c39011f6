import { describe, expect, it } from 'vitest';
import { NOTICES } from '../../test/kit/one-of-each.ts';
import { dropQuotes, quoteText } from '../text/quote.ts';
import { formatNotice, type Notice } from './notice.ts';

describe('a notice', () => {
  // One that was recorded has the words of its time.
  it.each(
    NOTICES.filter(({ kind }) => kind !== 'recorded').map((notice) => [notice.kind, formatNotice(notice)] as const),
  )('of %s is made of whole, short sentences: %s', (_, text) => {
    expect(text).not.toMatch(/undefined|\[object|^\s|\s$|^What /);
    expect(text).toMatch(/[.?]$/);
    const sentences = text.split(/(?<=[.:;]) |, /).map((part) => part.split(/\s+/).length);
    expect(Math.max(...sentences)).toBeLessThanOrEqual(20);
  });

  it('of another kind has another sentence', () => {
    expect(new Set(NOTICES.map(formatNotice)).size).toBe(NOTICES.length);
  });

  it.each(NOTICES)('contains text of the target only in quotes: $kind', (notice) => {
    expect(formatNotice(dropQuotes(notice))).not.toContain('said');
  });

  it('names each path at the upstream once, with its count if there are several', () => {
    const [chat, embeddings] = ['POST /v1/chat/completions', 'POST /v1/embeddings'].map((text) => quoteText(text));
    const notice = { kind: 'other-requests', count: 3 } as const;
    expect(formatNotice({ ...notice, first: [chat!], counts: [3] })).toBe(
      'The upstream rejected 3 requests that do not belong to this run: POST /v1/chat/completions.',
    );
    expect(formatNotice({ ...notice, first: [chat!, embeddings!], counts: [2, 1] })).toMatch(
      /completions \(2\), POST \/v1\/embeddings \(1\)\.$/,
    );
  });

  it('says which secret is too short', () => {
    const told = (of: 'key' | 'header' | 'proxy', name: string) =>
      formatNotice({ kind: 'short-secret', of, name, least: 8 }).split(' has ')[0];
    expect([told('key', 'full'), told('header', 'X-Pin'), told('proxy', 'proxy')]).toEqual([
      'The full key',
      'The secret header X-Pin',
      'The password of the proxy',
    ]);
  });

  it('says whether an expired waiver still covers a failure', () => {
    const expired = (isBroken: boolean): Notice => ({
      ...{ kind: 'waiver-expired', file: 'w.yaml', line: 2, clause: 'errors.code', until: '2030-06-14' },
      isBroken,
    });
    expect(formatNotice(expired(true))).toContain('the failure counts again');
    expect(formatNotice(expired(false))).toContain('nothing it names failed');
  });

  it('says where a recording ends', () => {
    const cut = { kind: 'recording-cut', file: 'a.ndjson', line: 5, isGzipCut: false } as const;
    expect(formatNotice({ ...cut, isLineCut: false })).toBe(
      'a.ndjson: the file ends after line 5. The rest of the run is missing.',
    );
    expect(formatNotice({ ...cut, isLineCut: true })).toBe(
      'a.ndjson: line 5 is cut off and was ignored. The rest of the run is missing.',
    );
  });
});
