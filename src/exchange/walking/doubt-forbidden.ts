/** Doubts that `--forbidden-model` names a model: one that does not exist is refused to every key. */
import { memberOf, parseJson } from '../../json.ts';
import { LIST_STEP, RESTRICTED_LIST_STEP } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import { quoteText } from '../../text/quote.ts';
import { findClosest } from '../../text/suggestion.ts';
import type { Exchange } from '../exchange.ts';
import type { Notice } from '../notice.ts';
import { wasAnswered } from '../reading/answered.ts';
import { readModelList } from '../reading/model-list.ts';

/** The list need not have every model, so that this is no verdict. An answered call shows that the model exists. */
export function doubtForbidden(
  exchanges: readonly Exchange[],
  { forbiddenModel: model }: Pick<Settings, 'forbiddenModel'>,
): readonly Notice[] {
  const restricted = exchanges.filter(({ request }) => request.key === 'restricted');
  const listed = listedBy(exchanges, LIST_STEP);
  if (model === undefined || restricted.length === 0 || listed.length === 0 || listed.includes(model)) return [];
  if (restricted.some((exchange) => asksFor(exchange, model) && wasAnswered(exchange))) return [];
  const allowed = new Set(listedBy(exchanges, RESTRICTED_LIST_STEP));
  const closest = findClosest(
    model,
    listed.filter((id) => !allowed.has(id)),
  );
  return [{ kind: 'forbidden-unlisted', model, ...(closest !== undefined && { closest: quoteText(closest) }) }];
}

function listedBy(exchanges: readonly Exchange[], step: string): readonly string[] {
  return exchanges
    .filter((exchange) => exchange.step === step)
    .map(readModelList)
    .flatMap((list) => (list.kind === 'list' ? list.models.map(({ id }) => id) : []));
}

function asksFor({ request: { body = '' } }: Exchange, model: string): boolean {
  return memberOf(parseJson(body), 'model') === model;
}
