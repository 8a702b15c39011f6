/** Requests that were sent again in another way: with another model, or because the first one was refused. */
import { wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isOtherWay, makeExchangeId } from '../../exchange/identity.ts';
import { RESTRICTED_LIST_STEP } from '../../plan/plan.ts';
import type { RunView } from '../check.ts';

/** A control that was refused at first and answered later was refused for no reason. */
export function refusedBefore({ step, occasion, number = 1 }: Exchange, { traffic }: RunView): readonly Exchange[] {
  if (occasion !== 'second-try') return [];
  const first = makeExchangeId({ step, ...(number > 1 && { occasion: 'other-model', number }) });
  return traffic.exchanges.filter(({ id }) => id === first);
}

/** Models of the restricted key's list that were refused before another one answered. */
export function restrictedCalls(run: RunView): readonly Exchange[] {
  const calls = run.traffic.exchanges.filter(
    ({ request, seeks, round }) =>
      request.key === 'restricted' &&
      request.endpoint === 'chat' &&
      request.mode === 'plain' &&
      seeks === 'answer' &&
      round === undefined,
  );
  const list = run.exchange(RESTRICTED_LIST_STEP);
  return list && wasAnswered(list) && calls.some(wasAnswered) ? calls : [];
}

/** A step that was sent in other ways is answered for by the first one that was answered. */
export function findAnsweredTries(exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> {
  const found = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    if (isOtherWay(exchange) && !found.has(exchange.step) && wasAnswered(exchange)) found.set(exchange.step, exchange);
  }
  return found;
}
