/** Brings a whole number that fails nearer to a larger one that passes: smaller forms only lead away from it. */
import type { Contract } from '../contract/contract.ts';
import type { Draw } from './drawn-request.ts';
import { edgesOf, onlyNumber } from './passing-numbers.ts';
import { smallerForms } from './smaller.ts';
import { isControl, USUAL_TOKENS } from './smaller-requests.ts';

export interface Approaching {
  readonly contract: Contract;
  /** The usual limit as it is sent; undefined if none is. */
  readonly usualTokens?: number | undefined;
  /** Undefined if nothing more may be asked. */
  readonly fails: (form: Draw) => Promise<boolean | undefined>;
}

/** `passed`: forms that do not fail. The control is one of them. */
export async function approach(
  smallest: Draw,
  passed: readonly Draw[],
  { contract, usualTokens, fails }: Approaching,
): Promise<Draw> {
  const usual = withTokens(smallest, USUAL_TOKENS);
  const isKnown = usual.requests.length === 1 && usual.requests.every((request) => isControl(request, contract));
  const passing = [...passed, ...(isKnown ? [usual] : [])].map((draw) => asSent(draw, usualTokens));
  let nearest = smallest;
  for (;;) {
    const form = stepTowards(nearest, passing, contract);
    const isFailing = form && (await fails(form));
    if (isFailing === undefined) return nearest;
    if (isFailing) nearest = form ?? nearest;
    else if (form) passing.push(form);
  }
}

/** The largest step that does not reach what passes. With a smaller number that passes, the nearest one is known. */
function stepTowards(draw: Draw, passing: readonly Draw[], contract: Contract): Draw | undefined {
  const edges = edgesOf(draw, passing);
  const larger = smallerForms(draw, contract).filter(({ isLarger }) => isLarger);
  return larger.find(({ draw: form }) => {
    const step = onlyNumber(draw, form);
    const own = edges.filter(({ pointer }) => pointer === step?.pointer);
    return step !== undefined && own.length > 0 && own.every((edge) => edge.passing > step.passing);
  })?.draw;
}

function withTokens(draw: Draw, tokens: string | number): Draw {
  const requests = draw.requests.map((request, place) =>
    place === draw.requests.length - 1 ? { ...request, body: { ...request.body, max_tokens: tokens } } : request,
  );
  return { ...draw, requests };
}

function asSent(draw: Draw, usualTokens: number | undefined): Draw {
  const isUsual = draw.requests.at(-1)?.body['max_tokens'] === USUAL_TOKENS;
  return isUsual && usualTokens !== undefined ? withTokens(draw, usualTokens) : draw;
}
