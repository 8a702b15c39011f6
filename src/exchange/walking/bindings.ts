/** What is put into the open places of requests, before anything was learned from the target. */
import type { Bindings, Step } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';

export function firstBindings(settings: Settings): Bindings {
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

/** A request without a valid key needs no model that exists: it must be refused before anybody looks at it. */
const ANY_MODEL = 'wirecheck-any-model';

export function modelFor({ sampled, seeks }: Step, bindings: Bindings): Pick<Bindings, 'model'> {
  const model = sampled === undefined ? bindings.model : bindings.sample[sampled];
  if (model !== undefined) return { model };
  return seeks === 'unauthorized' ? { model: ANY_MODEL } : {};
}
