/** Finds the list of models that the run uses. */
import { LIST_STEP } from '../../plan/plan.ts';
import type { Asker } from '../attempts/asker.ts';
import type { Exchange } from '../exchange.ts';
import { lastAnswer } from '../reading/answered.ts';
import { readModelList } from './choose-model.ts';
import type { StepSender } from './step-sender.ts';

interface ListContext {
  readonly asker: Asker;
  readonly sender: StepSender;
  readonly signal: AbortSignal;
}

/** With `--detect`: the first list may be that of the one replica at fault, and nothing can be called without a list. */
export async function findList(first: Exchange, { asker, sender, signal }: ListContext): Promise<Exchange> {
  const step = sender.step(LIST_STEP);
  if (!step) return first;
  let list: Exchange | undefined = first;
  for (let sample = 2; list && sample <= (step.samples ?? 1); sample += 1) {
    const reading = readModelList(list);
    if (reading.kind === 'list' && reading.models.length > 0) return list;
    if (lastAnswer(list) === undefined || signal.aborted) return first;
    await asker.renewConnections();
    list = await sender.send(step, { occasion: 'list-again', number: sample });
  }
  return list && readModelList(list).kind === 'list' ? list : first;
}
