import { memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { jsonOf200 } from '../completion.ts';
import { observed, skipped } from '../finding.ts';
import { seenValues } from '../seen-values.ts';
import { sentBody } from '../token-counts.ts';

export const modelEcho: Check = {
  summary: 'Records whether the model of the reply is the one that was asked for.',
  execute: ({ exchanges, run }) => {
    const echoes = exchanges.flatMap((exchange) => {
      const asked = memberOf(sentBody(exchange.request.body), 'model');
      const read = jsonOf200(exchange, run);
      if (typeof asked !== 'string' || read.kind !== 'json') return [];
      const named = memberOf(read.value, 'model');
      if (typeof named !== 'string') return ['no name'];
      return [named === asked ? 'the same name' : `another name: ${named}`];
    });
    return echoes.length === 0
      ? skipped('no completion named a model')
      : observed([{ name: 'model of the reply', value: seenValues(echoes) }]);
  },
};
