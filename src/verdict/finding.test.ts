import { describe, expect, it } from 'vitest';
import { type FindingParts, finding, mergeFindings, maskIndices, brokenIfAny } from './finding.ts';
import { HOLDS } from './check-result.ts';
import { quoteText } from '../text/quote.ts';
import { modelsExchange, plainExchange } from '../../test/kit/exchanges.ts';

const PARTS: FindingParts = {
  mismatch: 'type',
  pointer: '/choices/0/index',
  expected: { kind: 'type', types: ['integer'] },
  actualType: 'string',
  actual: { kind: 'value', value: quoteText('0') },
};

describe('a finding', () => {
  it('points to the last attempt by default', () => {
    const exchange = plainExchange({ id: 'chat', earlier: plainExchange().attempts });
    expect(finding(exchange, PARTS)).toMatchObject({ exchange: 'chat', attempt: 1, more: 0 });
    expect(finding(exchange, { ...PARTS, attempt: 0 })).toMatchObject({ attempt: 0 });
  });

  it('breaks the check, which holds without one', () => {
    expect(brokenIfAny([])).toBe(HOLDS);
    expect(brokenIfAny([finding(plainExchange(), PARTS)])).toMatchObject({ kind: 'broken' });
  });
});

describe('folding', () => {
  it('counts the same mismatch at another index, and keeps another type separate', () => {
    const exchange = plainExchange();
    const merged = mergeFindings(
      [
        finding(exchange, PARTS),
        finding(exchange, { ...PARTS, pointer: '/choices/7/index' }),
        finding(exchange, { ...PARTS, pointer: '/choices/8/index', actualType: 'null' }),
      ],
      [exchange],
    );
    expect(merged.map(({ pointer, more }) => [pointer, more])).toEqual([
      ['/choices/0/index', 1],
      ['/choices/8/index', 0],
    ]);
  });

  it('keeps endpoints separate, as fingerprints do', () => {
    const exchanges = [plainExchange(), modelsExchange()];
    const findings = exchanges.map((exchange) => finding(exchange, { ...PARTS, pointer: '/error/code' }));
    expect(mergeFindings(findings, exchanges)).toHaveLength(2);
  });

  it('keeps statuses separate, and counts the answers besides the places', () => {
    const exchanges = ['a', 'b', 'c'].map((id) => plainExchange({ id }));
    const findings = exchanges.flatMap((exchange, index) =>
      [0, 1].map((place) => ({
        ...finding(exchange, { ...PARTS, pointer: `/choices/${place}/index` }),
        status: index === 0 ? 400 : 401,
      })),
    );
    expect(mergeFindings(findings, exchanges)).toMatchObject([
      { exchange: 'a', status: 400, more: 1 },
      { exchange: 'b', status: 401, more: 3, moreAnswers: 1 },
    ]);
  });

  it('writes indices as stars, and keeps escaped tokens', () => {
    expect(maskIndices('/data/12/a~1b/0x')).toBe('/data/*/a~1b/0x');
  });
});
