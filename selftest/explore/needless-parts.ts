/** Leaves out every part of a shrunk request once, and asks again: what still fails without it was needless. */
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/read-contract.ts';
import { type DrawCause, pair } from '../../src/gather/explore/cause.ts';
import { classify, isLike } from '../../src/gather/explore/classify.ts';
import { type Draw, type DrawnRequest, messagesIn } from '../../src/gather/explore/drawn-request.ts';
import { withBody } from '../../src/gather/explore/change-request.ts';
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

interface LeftOut {
  readonly place: string;
  readonly draw: Draw;
}

/** What a request needs to be a proper one is no part to leave out. */
function leaveOut(draw: Draw, contract: Contract): readonly LeftOut[] {
  const { requests } = draw;
  const isProper = (less: DrawnRequest, request: DrawnRequest): boolean => {
    const [standing, own] = [classify(less, contract), classify(request, contract)];
    if (messagesIn(less).length === 0 && messagesIn(request).length > 0) return false;
    return standing.kind === 'valid' || isLike(standing, own);
  };
  const shorter = requests.length === 1 ? [] : requests.slice(0, -1).map((_, index) => index);
  return [
    ...shorter.map((index) => ({
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
  if (request.mistake !== undefined) return [];
  const { body, spellings, written } = request;
  return [
    ...lessInside(body, [])
      // The limit of tokens stays in every request, since somebody pays for the reply.
      .filter(({ place }) => place !== '/max_tokens' || typeof body['max_tokens'] !== 'string')
      .map(({ place, value }) => ({ place, value: withBody(request, value as JsonObject) })),
    ...(body['max_tokens'] === undefined || typeof body['max_tokens'] === 'string'
      ? []
      : [{ place: 'max_tokens of its own', value: withBody(request, { ...body, max_tokens: '${replyTokens}' }) }]),
    ...spellings.map((spelling) => ({
      place: `spelling ${spelling}`,
      value: { ...request, spellings: spellings.filter((other) => other !== spelling) },
    })),
    ...Object.keys(written).map((name) => ({
      place: `spelling of ${name}`,
      value: { ...request, written: Object.fromEntries(Object.entries(written).filter(([other]) => other !== name)) },
    })),
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
