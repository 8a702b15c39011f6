/** Sends steps that the answers gave reason for, apart from the turn of any step. */
import type { Step } from '../../plan/plan.ts';
import type { Asker } from '../attempts/asker.ts';
import type { Exchange } from '../exchange.ts';
import type { SendingOptions, StepSender } from './step-sender.ts';
import type { TargetWatch } from './target-watch.ts';

/** Undefined if the run has ended. */
export type SendApart = (step: Step, options: SendingOptions) => Promise<Exchange | undefined>;

export function sendingApart(asker: Asker, sender: StepSender, watch: TargetWatch, signal: AbortSignal): SendApart {
  return async (step, options) => {
    if (asker.ending || signal.aborted) return undefined;
    const exchange = await sender.send(step, options);
    if (!exchange) return undefined;
    await watch.note(step, exchange);
    await watch.askControlFor([exchange]);
    return asker.exchange(exchange.id);
  };
}
