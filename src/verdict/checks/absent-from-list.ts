import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { HOLDS, broken, finding, inconclusive, shown, skipped } from '../finding.ts';

export const absentFromList: Check = {
  summary: 'The model that a restricted key may not call is not in its list.',
  execute: (input) => {
    const forbidden = input.run.settings.forbiddenModel;
    if (forbidden === undefined) return skipped('no model was named that the restricted key may not call');
    return eachJson(input, (value, exchange) => {
      const data = memberOf(value, 'data');
      if (!Array.isArray(data)) return inconclusive('the answer holds no list');
      const place = itemsOf(data).findIndex((model) => memberOf(model, 'id') === forbidden);
      if (place === -1) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'listed',
          pointer: `/data/${place}/id`,
          expected: 'only models that the key may call',
          actualType: 'string',
          actual: shown(forbidden),
        }),
      ]);
    });
  },
};
