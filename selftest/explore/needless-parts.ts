/** Leaves out every part of a shrunk request once, and asks again: what still fails without it was needless. */
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/read-contract.ts';
import { type DrawCause, pair } from '../../src/gather/explore/cause.ts';
import { classify, isLike } from '../../src/gather/explore/classify.ts';
import { type Draw, type DrawnRequest, messagesIn } from '../../src/gather/explore/drawn-request.ts';
import { withBody } from '../../src/gather/explore/change-request.ts';
import { USUAL_TOKENS } from '../../src/gather/explore/simpler.ts';
import { symptomFinder } from '../../src/gather/explore/symptoms.ts';
import type { ExploreHooks } from '../../src/gather/explore/run-explore.ts';
import { isObject, type Json, type JsonObject, pointerOf } from '../../src/json.ts';

/** `explore` draws nothing, and looks. */
export async function needlessParts(
  causes: readonly DrawCause[],
  explore: (look: NonNullable<ExploreHooks['look']>) => Promise<unknown>,
): Promise<readonly string[]> {
  const contract = loadContract();
  const needless = new Set<string>();
  await explore(async ({ plan }, traffic, settings, { ask, ends }) => {
    const symptomsOf = symptomFinder(plan, traffic, settings, ends);
    let number = 0;
    for (const { smallest, symptoms } of causes.filter(({ isShrunk }) => isShrunk)) {
      for (const { place, draw } of leaveOut(smallest, contract)) {
        const exchanges = await ask(draw, 'smaller', (number += 1));
        if (!exchanges) throw new Error(`${smallest.path} without ${place} could not be asked.`);
        const [last] = exchanges.slice(-1);
        const found = symptomsOf(pair(draw, exchanges)).filter(({ exchange }) => exchange === last?.id);
        if (found.some(({ key }) => key === symptoms[0].key)) needless.add(`${smallest.path} needs no ${place}`);
      }
    }
  });
  return [...needless];
}

/** The draw without each part of a request, or without one of its requests. What a request needs to be a proper one is no part. */
function leaveOut(draw: Draw, contract: Contract): readonly { readonly place: string; readonly draw: Draw }[] {
  const { requests } = draw;
  const isProper = (less: DrawnRequest, request: DrawnRequest): boolean => {
    const [standing, own] = [classify(less, contract), classify(request, contract)];
    if (messagesIn(less).length === 0 && messagesIn(request).length > 0) return false;
    return standing.kind === 'valid' || isLike(standing, own);
  };
  const shorter = requests.length === 1 ? [] : requests.slice(0, -1);
  return [
    ...shorter.map((_, index) => ({
      place: `request ${index + 1}`,
      draw: { ...draw, requests: requests.toSpliced(index, 1) },
    })),
    ...requests.flatMap((request, index) =>
      lessOf(request)
        .filter(({ value }) => isProper(value, request))
        .map(({ place, value }) => ({
          place: `${place} in request ${index + 1}`,
          draw: { ...draw, requests: requests.with(index, value) },
        })),
    ),
  ];
}

interface Less<Value> {
  readonly place: string;
  readonly value: Value;
}

function lessOf(request: DrawnRequest): readonly Less<DrawnRequest>[] {
  const { body, spellings, written, mistake } = request;
  if (mistake !== undefined) return [];
  // The limit of tokens stays in every request, since somebody pays for the reply.
  const usual = { max_tokens: USUAL_TOKENS };
  const hasOwn = (body['max_tokens'] ?? USUAL_TOKENS) !== USUAL_TOKENS;
  const inHow = lessInside({ spellings, written }, []) as readonly Less<Pick<DrawnRequest, 'spellings' | 'written'>>[];
  return [
    ...lessInside(body, [])
      .filter(({ place }) => place !== '/max_tokens' || hasOwn)
      .map(({ place, value }) => ({ place, value: withBody(request, value as JsonObject) })),
    ...(hasOwn ? [{ place: 'max_tokens of its own', value: withBody(request, { ...body, ...usual }) }] : []),
    ...inHow
      .filter(({ value }) => 'spellings' in value && 'written' in value)
      .map(({ place, value }) => ({ place, value: { ...request, ...value } })),
  ];
}

/** The value without each member and element, at any depth. */
function lessInside(value: Json, path: readonly string[]): readonly Less<Json>[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [];
  const members = Object.entries(value as JsonObject);
  const join = (kept: readonly (readonly [string, Json])[]): Json =>
    isList ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  return members.flatMap(([name, item], index) => [
    { place: pointerOf([...path, name]), value: join(members.toSpliced(index, 1)) },
    ...lessInside(item, [...path, name]).map(({ place, value: less }) => ({
      place,
      value: join(members.with(index, [name, less])),
    })),
  ]);
}
