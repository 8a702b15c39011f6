import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, fold, judged, shown } from '../finding.ts';
import type { Finding } from '../verdict.ts';

function* repeatedModels(value: Json, exchange: Exchange): Generator<Finding> {
  const seen = new Set<string>();
  for (const [place, model] of itemsOf(memberOf(value, 'data')).entries()) {
    const id = memberOf(model, 'id');
    if (typeof id !== 'string') continue;
    const found = { pointer: `/data/${place}/id`, actualType: 'string', actual: shown(id) };
    if (seen.has(id)) yield finding(exchange, { mismatch: 'repeated', expected: 'an id of its own', ...found });
    seen.add(id);
  }
}

export const uniqueModels: Check = {
  summary: 'No model is listed twice.',
  execute: (input) => eachJson(input, (value, exchange) => judged(fold(repeatedModels(value, exchange), [exchange]))),
};
