import type { Exchange } from '../../exchange/exchange.ts';
import type { Finding } from '../verdict.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, judged } from '../finding.ts';

function wrongIndex(exchange: Exchange, place: number, index: number, mismatch: string, expected: string): Finding {
  const pointer = `/choices/${place}/index`;
  return finding(exchange, { mismatch, pointer, expected, actualType: 'integer', actual: String(index) });
}

export const indexValues: Check = {
  summary: 'The first choice has index 0, and no two choices have the same.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const seen = new Set<number>();
      const findings: Finding[] = [];
      for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
        const index = memberOf(choice, 'index');
        // An index of another type, or none, is judged by clauses of its own.
        if (typeof index !== 'number' || !Number.isInteger(index)) continue;
        if (place === 0 && index !== 0) findings.push(wrongIndex(exchange, place, index, 'value', '0'));
        if (seen.has(index)) findings.push(wrongIndex(exchange, place, index, 'repeated', 'an index of its own'));
        seen.add(index);
      }
      return judged(findings);
    }),
};
