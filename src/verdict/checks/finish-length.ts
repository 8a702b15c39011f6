import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { memberOf } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import type { Check } from '../check.ts';
import { broken, finding, holdsIn, mergeFindings, skipped } from '../finding.ts';
import { itemsOf, jsonOf } from '../reading/answers.ts';
import { maxTokensOf, tokenCounts } from '../reading/token-counts.ts';

interface Reached {
  readonly exchange: Exchange;
  readonly limit: number;
  readonly finish: string;
}

/** A reply of one choice with exactly as many tokens as `max_tokens` allows. Of several, none has a count of its own. */
function readReached(exchange: Exchange): readonly Reached[] {
  const answer = lastAnswer(exchange);
  const limit = maxTokensOf(exchange);
  if (!answer || limit === undefined) return [];
  const { choices, completion } = tokenCounts(exchange, answer);
  if (completion !== limit || choices !== 1) return [];
  const finish =
    exchange.request.mode === 'stream'
      ? readChunks(answer).choices[0]?.parts.findLast(({ finish: last }) => last?.text !== undefined)?.finish?.text
      : memberOf(itemsOf(memberOf(jsonOf(answer), 'choices'))[0], 'finish_reason');
  return typeof finish === 'string' ? [{ exchange, limit, finish }] : [];
}

export const finishLength: Check = {
  summary: 'Replies that have exactly as many tokens as max_tokens allows do not all say stop.',
  execute: ({ exchanges }) => {
    const reached = exchanges.flatMap(readReached);
    if (reached.length === 0) return skipped({ kind: 'no-occasion', of: 'limit-reached' });
    if (reached.some(({ finish }) => finish !== 'stop')) return holdsIn(reached.map(({ exchange }) => exchange));
    // One may have ended there by chance.
    if (new Set(reached.map(({ limit }) => limit)).size < 2) return skipped({ kind: 'no-occasion', of: 'two-limits' });
    const findings = reached.map(({ exchange }) =>
      finding(exchange, {
        mismatch: 'value',
        pointer: '/choices/0/finish_reason',
        expected: { kind: 'finish-length' },
        actualType: 'string',
        actual: { kind: 'value', value: quoteText('stop') },
      }),
    );
    return broken(mergeFindings(findings, exchanges));
  },
};
