/** Finds the control of a run: the first of a few models that answers a plain chat request. */
import { BARE_CONTROL_STEP, CONTROL_STEP } from '../../plan/known-steps.ts';
import { modelsToTry } from '../../exchange/channel/first-contact.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isClientError, lastAnswer, timeLimitOf, wasAnswered } from '../../exchange/reading/answered.ts';
import { isModelMistaken, readModelList, sampleModels } from '../../exchange/reading/model-list.ts';
import type { StepSender, Turn } from './step-sender.ts';

/** Milliseconds that a run still takes after the control has timed out, and how much of that is for other models. */
const LAST_MINUTE = 50_000;
const OTHER_MODELS = 20_000;

/** Sends a step in its turn. */
type Send = (step: string, turn: Turn) => Promise<Exchange | undefined>;

interface FoundControl {
  /** The status of the last control. */
  readonly status?: number | undefined;
  /** The control timed out, and no other model answered it. */
  readonly hanging?: Ending | undefined;
}

/** Chooses the given model, or the first of a few listed ones that answers the control. */
export async function findControl(list: Exchange, sender: StepSender, send: Send): Promise<FoundControl> {
  const { settings, channel, unlistedModel } = sender.options;
  const reading = readModelList(list);
  const models = reading.kind === 'list' ? reading.models : [];
  sender.bind({ sample: sampleModels(models, settings.modelsSample) });
  if (!sender.step(CONTROL_STEP)) return {};
  channel.ledger.keepOne(sender.isBeforeRefusals('control'));
  const choice = modelsToTry(list, { given: settings.model, unlisted: unlistedModel });
  const found = await tryModels(choice, sender, send);
  if (sender.control !== undefined) return found;
  if (isModelMistaken(settings.model, models, found.status)) {
    const { model: _, ...rest } = sender.bindings;
    sender.bindings = rest;
  } else if (choice[0] !== undefined) {
    // If none answered, the first one is chosen, since its failure is the most useful to the user.
    sender.bind({ model: choice[0] });
  }
  return found;
}

async function tryModels(choice: readonly string[], sender: StepSender, send: Send): Promise<FoundControl> {
  let status: number | undefined;
  for (const [place, model] of choice.entries()) {
    sender.bind({ model });
    status = await tryControl(turnOf(place), sender, send);
    if (sender.control !== undefined) break;
    const control = sender.channel.exchange(CONTROL_STEP);
    const limit = place === 0 && control ? timeLimitOf(control) : undefined;
    if (limit === undefined) continue;
    const hanging = { kind: 'chat-unanswered', limit } as const;
    return (await tryOthers(choice, hanging, sender, send)) ? { status } : { status, hanging };
  }
  return { status };
}

/** A control may be refused because of max_tokens; then the bare one replaces it. */
async function tryControl(turn: Turn, sender: StepSender, send: Send): Promise<number | undefined> {
  const control = await send(CONTROL_STEP, turn);
  if (!control) return undefined;
  const status = lastAnswer(control)?.status ?? 0;
  if (wasAnswered(control)) sender.control = CONTROL_STEP;
  if (!isClientError(status) || status === 401 || status === 429) return status;
  const bare = await send(BARE_CONTROL_STEP, turn);
  if (!bare || !wasAnswered(bare)) return status;
  // The first call of a run may be refused for being the first: only a second refusal is about max_tokens.
  const again = await send(CONTROL_STEP, { occasion: 'second-try', number: turn.number ?? 1 });
  sender.control = again && wasAnswered(again) ? CONTROL_STEP : BARE_CONTROL_STEP;
  if (sender.control === BARE_CONTROL_STEP) sender.bind({ withoutMaxTokens: true });
  return status;
}

/**
 * Only the first model may hang, so the others are asked, all at once: waiting for each in turn would take too long. True if
 * one answers.
 */
async function tryOthers(choice: readonly string[], ending: Ending, sender: StepSender, send: Send): Promise<boolean> {
  const cancelStop = sender.channel.stopIn(LAST_MINUTE, ending);
  const answers = choice.slice(1).map(async (model, place) => {
    sender.bind({ model });
    const control = await send(CONTROL_STEP, turnOf(place + 1));
    if (!control || !wasAnswered(control)) throw new Error('not answered');
    return model;
  });
  const model = await firstOf(answers, OTHER_MODELS);
  if (model === undefined) return false;
  cancelStop();
  sender.bind({ model });
  sender.control = CONTROL_STEP;
  return true;
}

/** `place`: of the model among those that are tried. */
function turnOf(place: number): Turn {
  return place === 0 ? {} : { occasion: 'other-model', number: place + 1 };
}

/** The first that comes true within this many milliseconds. */
async function firstOf<Value>(promises: readonly Promise<Value>[], most: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), most);
  });
  const first = await Promise.race([Promise.any(promises).catch(() => undefined), late]);
  clearTimeout(timer);
  return first;
}
