/** Explores a gateway with many faults, and compares what is told with what each fault shows alone. */
import { loadContract } from '../../src/contract/read-contract.ts';
import { exchangesOf } from '../../src/gather/explore/ask-again.ts';
import { type DrawCause, pair } from '../../src/gather/explore/cause.ts';
import { violationIn } from '../../src/gather/explore/classify.ts';
import { type ExploreHooks, gatherExplore, runExplore } from '../../src/gather/explore/run-explore.ts';
import { symptomFinder } from '../../src/gather/explore/symptoms.ts';
import type { Fault } from '../../src/gateway/index.ts';
import { withGateway } from '../in-memory.ts';
import { CROWDS } from './crowds.ts';
import { needlessParts } from './needless-parts.ts';
import { exploreSettings } from './try-explore.ts';

const REQUESTS = 300;
const NO_LIMIT = 100_000;

/** What is not told as it should be: a finding that is not minimal, of no fault or of several, or that counts other draws. */
export async function tryCrowd(name: string, seed: number): Promise<readonly string[]> {
  const faults = CROWDS[name] ?? {};
  const all = Object.values(faults);
  const { causes } = await exploring(runExplore, all, seed, REQUESTS);
  const problems = [...(await needlessParts(causes, (look) => exploring(looking(look), all, seed, 0)))];
  for (const { isShrunk, smallest } of causes) if (!isShrunk) problems.push(`${smallest.path} was not shrunk`);
  const owners = new Map<DrawCause, string[]>(causes.map((cause) => [cause, []]));
  for (const [id, fault] of Object.entries(faults)) {
    const { draws, own } = await showAlone(fault, causes, seed);
    for (const cause of own) owners.get(cause)?.push(id);
    if (own.length !== 1) problems.push(`${id} has ${own.length} findings`);
    const wrong = own.flatMap((cause) => cause.draws.filter((draw) => draws.get(draw) === false));
    if (wrong.length > 0) problems.push(`${id} counts the draws ${wrong.join(', ')}`);
  }
  for (const [{ smallest }, ids] of owners)
    if (ids.length !== 1) problems.push(`${smallest.path} is of ${ids.join(', ')}`);
  return problems;
}

/** The findings of which the smallest request fails for this fault alone, and whether the valid draws that they count do. */
async function showAlone(fault: Fault, causes: readonly DrawCause[], seed: number) {
  const draws = new Map<number, boolean>();
  const own: DrawCause[] = [];
  const look: Look = async ({ plan, draws: drawn }, traffic, settings, { ask, ends }) => {
    const symptomsOf = symptomFinder(plan, traffic, settings, ends);
    const find = exchangesOf(traffic, settings);
    for (const [number, cause] of causes.entries()) {
      const asked = pair(cause.smallest, (await ask(cause.smallest, 'smaller', number + 1)) ?? []);
      if (symptomsOf(asked).some(({ key }) => key === cause.symptoms[0].key)) own.push(cause);
    }
    const counted = new Set(own.flatMap((cause) => cause.draws));
    for (const draw of drawn.filter(({ number }) => counted.has(number))) {
      // Another fault may let a violation pass, so that it meets this one.
      if (draw.requests.some((request) => violationIn(request, loadContract()) !== undefined)) continue;
      draws.set(draw.number, symptomsOf(pair(draw, find(draw, {}) ?? [])).length > 0);
    }
  };
  await exploring(looking(look), [fault], seed, REQUESTS);
  return { draws, own };
}

type Look = NonNullable<ExploreHooks['look']>;

/** Judging all once more for a report would show nothing new. */
function looking(look: Look): (...of: Parameters<typeof gatherExplore>) => Promise<unknown> {
  return (settings, keys, hooks) => gatherExplore(settings, keys, { ...hooks, look });
}

function exploring<Result>(
  explore: (...of: Parameters<typeof gatherExplore>) => Promise<Result>,
  modifiers: readonly Fault[],
  seed: number,
  requests: number,
): Promise<Result> {
  return withGateway({ modifiers, eventGapMs: 0 }, true, ({ baseUrl, keys, hooks }) => {
    const { maxCompletions: _most, explore: usual, ...settings } = exploreSettings(baseUrl, seed, requests);
    const drawn = { requests, completions: usual?.completions ?? 0, shrinkCompletions: NO_LIMIT };
    return explore({ ...settings, explore: drawn }, { full: keys.full }, hooks);
  });
}
