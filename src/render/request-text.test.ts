import { describe, expect, it } from 'vitest';
import type { CaseReport, ExchangeReport } from '../report/report.ts';
import { formatRequest } from './request-text.ts';
import { conforming, exchange, oneCase } from '../../test/kit/sample-reports.ts';

const saidOf = (edits: CaseReport['edits'], sent: Partial<ExchangeReport>): string =>
  formatRequest(conforming(), exchange('a', sent), oneCase('x/a', [], { exchange: 'a', edits }));
const said = (edit: CaseReport['edits'][number], sent: Partial<ExchangeReport>): string => saidOf([edit], sent);

describe('a described request', () => {
  const open = { kind: 'set', pointer: '/max_tokens', value: '${replyTokens}' } as const;

  it('shows the value that was sent for a placeholder', () => {
    expect(said(open, { body: '{"max_tokens":16}' })).toContain('/max_tokens set to 16');
    expect(said({ kind: 'raw', text: '{"model": "${model}"' }, { body: '{"model": "a"' })).toContain('{"model": "a"');
  });

  it('never shows a placeholder, also if the body is missing or truncated', () => {
    expect(said(open, {})).toContain('/max_tokens set to "…"');
    expect(said(open, { body: '{"max_tok' })).toContain('/max_tokens set to "…"');
  });

  it('shows a long text by its end and its length', () => {
    const long = { kind: 'set', pointer: '/messages/0/content', value: '${longText}' } as const;
    const body = JSON.stringify({ messages: [{ content: 'The sea is wide. '.repeat(1_000) }] });
    expect(said(long, { body })).toMatch(/\/messages\/0\/content set to …[^…]*ea is wide\. " \(17,000 characters\)$/);
  });

  it('has its whole path, and of a long query the end', () => {
    const path = '/chat/completions';
    const query = Array.from({ length: 40 }, (_, at) => `key-${at}=x`).join('&');
    expect(saidOf([], { path: `${path}?${query}` })).toMatch(
      /^GET \/v1\/chat\/completions….*&key-39=x \(350 characters\)$/,
    );
  });

  it('names the key, unless it is the full one, and says if the file does not have it', () => {
    expect(saidOf([], { key: 'full' })).not.toContain('key');
    expect(saidOf([], { key: 'none' })).toContain(', key: none');
    expect(saidOf([], { key: 'not-in-file' })).toContain(', key: not in the file');
  });

  it('leaves out values that were overwritten later', () => {
    const edits = ['a', 'b'].map((value) => ({ kind: 'set', pointer: '/model', value }) as const);
    const text = saidOf(edits, {});
    expect(text).toContain('/model set to "b"');
    expect(text).not.toContain('"a"');
  });
});
