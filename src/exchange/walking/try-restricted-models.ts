/** Finds a model that the restricted key may call, as the control does for the full key. */
import type { Step } from '../../plan/plan.ts';
import type { Exchange } from '../exchange.ts';
import { lastAnswer, wasAnswered } from '../reading/answered.ts';
import type { StepSender } from './step-sender.ts';

/** The answer is about the key or the rate, so that another model would get the same. */
const NOT_OF_THE_MODEL: ReadonlySet<number> = new Set([401, 429]);

/**
 * The first model of the list may be gone, so a few more are called until one answers. A model that is forbidden is called
 * once more, since a single 403 may be an accident. `first`: the exchange with the first model.
 */
export async function tryRestrictedModels(step: Step, first: Exchange, sender: StepSender): Promise<void> {
  const [model, ...others] = sender.restrictedModels;
  let tries = 1;
  const ask = (): Promise<Exchange | undefined> => sender.send(step, { occasion: 'other-model', number: (tries += 1) });
  let last: Exchange | undefined = first;
  for (const other of [...others, undefined]) {
    if (isForbidden(last)) last = await ask();
    if (!last || wasAnswered(last) || !isOfTheModel(last) || other === undefined) break;
    sender.bind({ restrictedModel: other });
    last = await ask();
  }
  // If none answered, the failure of the first one is the most useful to the user.
  if (model !== undefined && !(last && wasAnswered(last))) sender.bind({ restrictedModel: model });
}

/** Its list and its stream are sent once more after a 403, too. The exchange then has both attempts. */
export async function askForbiddenAgain(
  step: Step,
  exchange: Exchange,
  sender: StepSender,
): Promise<Exchange | undefined> {
  const { seeks, template } = step;
  if (template.key !== 'restricted' || seeks !== 'answer' || callsRestrictedModel(step) || !isForbidden(exchange))
    return undefined;
  const { attempts: earlier, round } = exchange;
  return sender.send(step, { earlier, ...(round !== undefined && { round }) });
}

/** Its stream is sent once a model has been found. */
export function callsRestrictedModel({ seeks, template: { body, mode } }: Step): boolean {
  return seeks === 'answer' && mode === 'plain' && JSON.stringify(body ?? null).includes('${restrictedModel}');
}

function isForbidden(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && lastAnswer(exchange)?.status === 403;
}

function isOfTheModel(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== undefined && !NOT_OF_THE_MODEL.has(status);
}
