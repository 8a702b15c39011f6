import { readChunks } from '../../exchange/chunks.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { jsonOf, memberOf } from '../body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { isAnswered } from '../control.ts';
import { cutText, finding, fold, judged, skipped } from '../finding.ts';
import { answerOf } from '../outcome.ts';
import type { Finding } from '../verdict.ts';

function idOf(exchange: Exchange, run: RunView): string | undefined {
  const answer = answerOf(exchange);
  if (!answer || exchange.request.endpoint !== 'chat' || !isAnswered(exchange, run)) return undefined;
  if (exchange.request.mode === 'stream') return readChunks(answer, run.settings.limits.depth).chunks[0]?.id?.text;
  const id = memberOf(jsonOf(answer, run), 'id');
  return typeof id === 'string' ? id : undefined;
}

export const idsDiffer: Check = {
  summary: 'The id differs from one completion to the next.',
  execute: ({ exchanges, run }) => {
    const withId = [...new Set(exchanges)].flatMap((exchange) => {
      const id = idOf(exchange, run);
      return id === undefined ? [] : [{ exchange, id }];
    });
    if (withId.length < 2) return skipped('fewer than two completions had an id');
    const first = new Map<string, string>();
    const findings: Finding[] = [];
    for (const { exchange, id } of withId) {
      const before = first.get(id);
      if (before === undefined) first.set(id, exchange.id);
      else {
        const found = { actualType: 'string', actual: `${cutText(id)}, as in ${before}` };
        findings.push(
          finding(exchange, { mismatch: 'repeated', pointer: '/id', expected: 'an id of its own', ...found }),
        );
      }
    }
    return judged(fold(findings, exchanges));
  },
};
