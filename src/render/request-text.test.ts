import { describe, expect, it } from 'vitest';
import type { CaseReport, ExchangeReport } from '../report/report.ts';
import { formatRequest } from './request-text.ts';
import { exchange, oneCase } from '../../test/kit/sample-reports.ts';

const saidOf = (edits: CaseReport['edits'], sent: Partial<ExchangeReport>): string =>
  formatRequest(exchange('a', sent), oneCase('x/a', [], { exchange: 'a', edits }), '/v1');
const said = (edit: CaseReport['edits'][number], sent: Partial<ExchangeReport>): string => saidOf([edit], sent);

describe('a request in words', () => {
  const open = { kind: 'set', pointer: '/max_tokens', value: '${replyTokens}' } as const;

  it('shows what was sent where a suite left a place open', () => {
    expect(said(open, { body: '{"max_tokens":16}' })).toContain('/max_tokens set to 16');
    expect(said({ kind: 'raw', text: '{"model": "${model}"' }, { body: '{"model": "a"' })).toContain('{"model": "a"');
  });

  it('shows the place itself where the body is not at hand, or only its beginning', () => {
    expect(said(open, {})).toContain('${replyTokens}');
    expect(said(open, { body: '{"max_tok' })).toContain('${replyTokens}');
  });

  it('leaves out what was set again later', () => {
    const edits = ['a', 'b'].map((value) => ({ kind: 'set', pointer: '/model', value }) as const);
    const text = saidOf(edits, {});
    expect(text).toContain('/model set to "b"');
    expect(text).not.toContain('"a"');
  });
});
