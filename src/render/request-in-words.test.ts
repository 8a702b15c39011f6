import { describe, expect, it } from 'vitest';
import type { CaseReport, ExchangeReport } from '../report/report.ts';
import { requestInWords } from './request-in-words.ts';
import { broken } from './sample-reports.test.support.ts';

const [exchange] = broken().exchanges;
const [one] = broken().cases;

function said(edits: CaseReport['edits'], sent: Partial<ExchangeReport>): string {
  if (!exchange || !one) throw new Error('The sample has no exchange.');
  const own = { ...exchange, key: 'full', mode: 'plain', ...sent } as const;
  return requestInWords(own, { ...one, exchange: own.id, edits }, '/v1');
}

describe('a request in words', () => {
  it('shows what was sent where a suite left a place open', () => {
    const edits = [{ kind: 'set', pointer: '/max_tokens', value: '${replyTokens}' }] as const;
    expect(said(edits, { body: '{"max_tokens":16}' })).toContain('/max_tokens set to 16');
    expect(said([{ kind: 'raw', text: '{"model": "${model}"' }], { body: '{"model": "a"' })).toContain(
      'body {"model": "a"',
    );
  });

  it('shows the place itself where the body is not at hand', () => {
    const edits = [{ kind: 'set', pointer: '/max_tokens', value: '${replyTokens}' }] as const;
    const { body: _, ...rest } = exchange ?? { body: '' };
    expect(
      requestInWords(
        { ...rest, key: 'full' } as ExchangeReport,
        { ...one, exchange: exchange?.id, edits } as CaseReport,
        '',
      ),
    ).toContain('${replyTokens}');
    expect(said(edits, { body: '{"max_tok' })).toContain('${replyTokens}');
  });
});
