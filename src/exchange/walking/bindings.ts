/** The values for placeholders in requests, before anything is known about the target. */
import type { Bindings, Step } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';

export function initialBindings(settings: Settings): Bindings {
  return {
    ...(settings.model !== undefined && { model: settings.model }),
    sample: [],
    ...(settings.forbiddenModel !== undefined && { forbiddenModel: settings.forbiddenModel }),
    replyTokens: settings.replyTokens,
    streamTokens: settings.streamTokens,
    briefTokens: 1,
    withoutMaxTokens: false,
  };
}

/** A request without a valid key needs no real model: it has to be refused before the model matters. */
const ANY_MODEL = 'wirecheck-any-model';

export function modelFor({ sampled, seeks }: Step, bindings: Bindings): Pick<Bindings, 'model'> {
  const model = sampled === undefined ? bindings.model : bindings.sample[sampled];
  if (model !== undefined) return { model };
  return seeks === 'unauthorized' ? { model: ANY_MODEL } : {};
}
