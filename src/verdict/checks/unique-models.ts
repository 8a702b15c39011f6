import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, judged, shown } from '../finding.ts';
import type { Finding } from '../verdict.ts';

export const uniqueModels: Check = {
  summary: 'No model is listed twice.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const seen = new Set<string>();
      const findings: Finding[] = [];
      for (const [place, model] of itemsOf(memberOf(value, 'data')).entries()) {
        const id = memberOf(model, 'id');
        if (typeof id !== 'string') continue;
        const found = { actualType: 'string', actual: shown(id) };
        const pointer = `/data/${place}/id`;
        if (seen.has(id))
          findings.push(finding(exchange, { mismatch: 'repeated', pointer, expected: 'an id of its own', ...found }));
        seen.add(id);
      }
      return judged(findings);
    }),
};
