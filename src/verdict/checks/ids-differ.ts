import { readChunks } from '../../exchange/reading/chunks.ts';
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

/** Which exchange had an id first, over all parts of a long recording. */
function firstWithId({ carried }: RunView): Map<string, string> {
  const known = carried?.get('ids-differ') as Map<string, string> | undefined;
  const first = known ?? new Map<string, string>();
  carried?.set('ids-differ', first);
  return first;
}

export const idsDiffer: Check = {
  summary: 'The id differs from one completion to the next.',
  execute: ({ exchanges, run }) => {
    const withId = [...new Set(exchanges)].flatMap((exchange) => {
      const id = idOf(exchange, run);
      return id === undefined ? [] : [{ exchange, id }];
    });
    const first = firstWithId(run);
    if (withId.length + first.size < 2) return skipped('fewer than two completions had an id');
    const findings: Finding[] = [];
    for (const { exchange, id } of withId) {
      const before = first.get(id);
      if (before === undefined) first.set(id, exchange.id);
      else if (before !== exchange.id) {
        const found = { actualType: 'string', actual: `${cutText(id)}, as in ${before}` };
        findings.push(
          finding(exchange, { mismatch: 'repeated', pointer: '/id', expected: 'an id of its own', ...found }),
        );
      }
    }
    return judged(fold(findings, exchanges));
  },
};
