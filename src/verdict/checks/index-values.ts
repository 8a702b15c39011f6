import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, fold, judged } from '../finding.ts';
import type { Finding } from '../verdict.ts';

function* wrongIndices(value: Json, exchange: Exchange): Generator<Finding> {
  const seen = new Set<number>();
  for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
    const index = memberOf(choice, 'index');
    // An index of another type, or none, is judged by clauses of its own.
    if (typeof index !== 'number' || !Number.isInteger(index)) continue;
    const found = { pointer: `/choices/${place}/index`, actualType: 'integer', actual: String(index) };
    if (place === 0 && index !== 0) yield finding(exchange, { mismatch: 'value', expected: '0', ...found });
    if (seen.has(index)) yield finding(exchange, { mismatch: 'repeated', expected: 'an index of its own', ...found });
    seen.add(index);
  }
}

export const indexValues: Check = {
  summary: 'The first choice has index 0, and no two choices have the same.',
  execute: (input) => eachJson(input, (value, exchange) => judged(fold(wrongIndices(value, exchange), [exchange]))),
};
