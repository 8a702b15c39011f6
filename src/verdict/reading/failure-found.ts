/** What a finding says of a request that got no answer. */
import type { Failure } from '../../exchange/exchange.ts';
import { quoteText } from '../../text/quote.ts';
import type { Actual } from '../actual.ts';

export function failureFound({ kind, code, detail }: Failure): Actual {
  if (kind === 'closed') return { kind: 'hang-up', times: 1 };
  return kind === 'refused' ? { kind: 'connection-refused' } : { kind: 'failure', code, detail: quoteText(detail) };
}
