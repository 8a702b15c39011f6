/** Requests that were sent again in another way: with another model, or because the first one was refused. */
import { wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { AGAIN, CONTROL_STEP } from '../../plan/plan.ts';
import type { RunView } from '../check.ts';

/** A control that was refused at first and answered later was refused for no reason. */
export function refusedBefore({ id, step }: Exchange, { traffic }: RunView): readonly Exchange[] {
  const again = step === CONTROL_STEP && id.endsWith(AGAIN);
  const first = again ? id.slice(0, -AGAIN.length) : undefined;
  return traffic.exchanges.filter((exchange) => exchange.id === first);
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
  return calls.some(wasAnswered) ? calls : [];
}

/** A step that calls a few models in turn is answered for by the one that answered. */
export function answeredTry(step: string, byId: ReadonlyMap<string, Exchange>): Exchange | undefined {
  for (let place = 2; ; place += 1) {
    const other = byId.get(`${step}~${place}`);
    if (!other || wasAnswered(other)) return other;
  }
}
