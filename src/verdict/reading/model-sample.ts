/** What became of each listed model that was called: as the control, in the sample, or once more after a 403. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { RunView } from '../check.ts';
import { memberOf } from './body-reading.ts';
import { CHAT_STEP } from './control.ts';
import { isRefusal, outcomeOf } from './outcome.ts';
import { sentBody } from './token-counts.ts';

export interface ModelCall {
  readonly model: string;
  /** The last call. */
  readonly exchange: Exchange;
  /** `forbidden`: 403 on two calls or more, and nothing else. `refused`: a 4xx that speaks of the request. `unclear`: anything else. */
  readonly result: 'answered' | 'forbidden' | 'refused' | 'unclear';
  /** A call of it got 403, whatever came of it in the end. */
  readonly flaky: boolean;
}

function isForbidden(exchange: Exchange): boolean {
  const outcome = outcomeOf(exchange);
  return 'answer' in outcome && outcome.status === 403;
}

function resultOf(calls: readonly Exchange[], last: Exchange): ModelCall['result'] {
  if (outcomeOf(last).kind === 'answered') return 'answered';
  if (isForbidden(last)) return calls.length > 1 && calls.every(isForbidden) ? 'forbidden' : 'unclear';
  return isRefusal(last) ? 'refused' : 'unclear';
}

export function modelCalls(exchanges: readonly Exchange[], run: RunView): readonly ModelCall[] {
  const calls = new Map<string, Exchange[]>();
  for (const exchange of new Set(exchanges)) {
    // Where max_tokens is refused, the control that had it says nothing about its model.
    if (exchange.step === CHAT_STEP && run.traffic.bindings.withoutMaxTokens) continue;
    const model = memberOf(sentBody(exchange.request.body), 'model');
    if (typeof model !== 'string') continue;
    const known = calls.get(model);
    if (known) known.push(exchange);
    else calls.set(model, [exchange]);
  }
  return [...calls].flatMap(([model, asked]): ModelCall[] => {
    const last = asked.at(-1);
    return last ? [{ model, exchange: last, result: resultOf(asked, last), flaky: asked.some(isForbidden) }] : [];
  });
}
