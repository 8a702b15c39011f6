/** Sends a step in another way if it was refused, to find out what the target refuses: the `Accept`, the tokens, or the model. */
import type { Step } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { type Exchange, findHeader } from '../../exchange/exchange.ts';
import { isClientError, lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import type { StepSender } from './step-sender.ts';

const EVENT_STREAM = 'text/event-stream';
/** About the key, the account or the rate. */
const UNRELATED: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

/** A stream: because of its `Accept`, or the long one because of its `max_tokens`. */
export async function tryStreamAgain(step: Step, exchange: Exchange, sender: StepSender): Promise<void> {
  if (!isRefusedStream(step, exchange)) return;
  await tryAccept(step, exchange, sender);
  await tryFewerTokens(step, exchange, sender);
}

/** The rest of the run asks for no more tokens than the control, if the stream comes with as few. */
async function tryFewerTokens(step: Step, refused: Exchange, sender: StepSender): Promise<void> {
  const { replyTokens, streamTokens, withoutMaxTokens } = sender.bindings;
  if (step.id !== STEPS.stream || sender.isAnswered(step.id) || withoutMaxTokens || streamTokens <= replyTokens) return;
  sender.bind({ streamTokens: replyTokens });
  const again = await sender.send(step, { occasion: 'fewer-tokens', number: refused.round ?? 1 });
  if (!again || !wasAnswered(again)) sender.bind({ streamTokens });
}

/** The rest of the run asks for its streams with another `Accept`, if the stream comes with it. */
async function tryAccept(step: Step, refused: Exchange, sender: StepSender): Promise<void> {
  const headers = { ...step.template.headers, accept: EVENT_STREAM };
  const other = { ...step, template: { ...step.template, headers } };
  const again = await sender.send(other, { occasion: 'other-accept', number: refused.round ?? 1 });
  if (again && wasAnswered(again)) sender.bind({ acceptsOnlyStreams: true });
}

function isRefusedStream({ seeks, template }: Step, exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status ?? 0;
  const isUsual = findHeader(exchange.request.headers, 'accept') === 'application/json';
  const isRefusal = isClientError(status) && !UNRELATED.has(status);
  return seeks === 'answer' && template.mode === 'stream' && isUsual && isRefusal;
}

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

/** Of the key or the rate, another model would get the same answer. */
function isOfTheModel(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== undefined && status !== 401 && status !== 429;
}
