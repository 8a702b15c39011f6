/**
 * Finds out what in a draw makes it fail: asks again, shrinks, and looks for the nearest request that passes. It asks
 * through a function, so that a recording answers in the same way as the target did.
 */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { pointerTokens } from '../json.ts';
import {
  asDrawn,
  type Ask,
  type AskNext,
  type Cause,
  type CauseContext,
  type FailingDraw,
  featuresIn,
  type Looking,
  pair,
  triggerOf,
} from './cause.ts';
import { classify } from './classify.ts';
import { confirm } from './confirm.ts';
import type { Difference } from './difference.ts';
import { type Draw, withBody, without } from './drawn-request.ts';
import { Shrinking } from './shrink.ts';
import type { Symptom } from './symptoms.ts';

/** The forms of a draw are counted, so that each has an id of its own. */
function numbered(ask: Ask): AskNext {
  const counts = new Map<string, number>();
  return (draw, occasion) => {
    const name = `${draw.number} ${occasion}`;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return ask(draw, occasion, number);
  };
}

export interface Causes {
  readonly causes: readonly Cause[];
  /** Draws that failed once and passed when asked again, by number, with the exchanges that passed. */
  readonly passed: ReadonlyMap<number, readonly Exchange[]>;
  /** Numbers of draws that failed, and could not be asked again. */
  readonly open: readonly number[];
}

interface Given extends Omit<CauseContext, 'ask'> {
  readonly ask: Ask;
  readonly onLook?: (looking: Looking) => void;
}

/** Findings that are shrunk. */
const MOST_SHRUNK = 12;

const LEVELS = ['must', 'should', 'observe'];

export async function findCauses(failing: readonly FailingDraw[], given: Given): Promise<Causes> {
  const context = { ...given, ask: numbered(given.ask) };
  const causes: Cause[] = [];
  const passed = new Map<number, readonly Exchange[]>();
  const open: number[] = [];
  const attribute = (index: number, { draw }: FailingDraw, features?: ReadonlySet<string>): void => {
    const cause = causes[index];
    if (!cause) return;
    const common = features ? new Set([...cause.features].filter((feature) => features.has(feature))) : cause.features;
    causes[index] = { ...cause, features: common, draws: [...new Set([...cause.draws, draw.number])] };
  };
  for (const [index, each] of inOrderOfWeight(failing, given.contract).entries()) {
    given.onLook?.({ draw: each.draw.number, place: index + 1, all: failing.length });
    const explained = await indexOfCause(causes, each, context);
    if (explained !== -1) {
      attribute(explained, each);
      continue;
    }
    const again = await confirm(each, context);
    // What could not be asked again or shrunk is not told apart from what shows in the same way.
    const alike = causes.findIndex(({ symptoms }) => isShownIn(symptoms, each.symptom));
    if (again.kind === 'passed') passed.set(each.draw.number, again.exchanges);
    if (again.kind === 'open' && alike === -1) open.push(each.draw.number);
    if (again.kind === 'open') attribute(alike, each);
    if (again.kind !== 'failed') continue;
    const cause = await causeOf(each, again.symptom, causes, context);
    const same = causes.findIndex((other) => isSame(other, cause));
    if (same !== -1) attribute(same, each, cause.features);
    else if (alike !== -1 && !cause.isShrunk) attribute(alike, each);
    else if (each.symptom.isPassing && !cause.isShrunk) passed.set(each.draw.number, []);
    else causes.push(cause);
  }
  return { causes, passed, open };
}

/** As it was drawn if too many were shrunk before. */
async function causeOf(
  failing: FailingDraw,
  shown: Symptom,
  before: readonly Cause[],
  context: CauseContext,
): Promise<Cause> {
  return before.length < MOST_SHRUNK ? new Shrinking(failing, context).run() : asDrawn(failing, shown, 1);
}

/** Musts first, then what is certain, then the smallest. A violation is blamed for a 5xx only if no valid request gets it. */
function inOrderOfWeight(failing: readonly FailingDraw[], contract: Contract): readonly FailingDraw[] {
  const weight = ({ symptom, draw: { requests } }: FailingDraw): number => {
    const isOpen = requests.some((request) => classify(request, contract).kind === 'open');
    const size = JSON.stringify(requests).length;
    const isDoubtful = symptom.plainKey !== undefined;
    const kind = Number(symptom.isPassing ?? isDoubtful) * 5e8 + Number(isOpen) * 1e8;
    return LEVELS.indexOf(symptom.level) * 1e9 + kind + requests.length * 1e6 + size;
  };
  return failing.toSorted((a, b) => weight(a) - weight(b));
}

const hasKey = (symptoms: readonly Symptom[], wanted: string): boolean => symptoms.some(({ key }) => key === wanted);

/** A 5xx to a violation may be the one that valid requests get. */
function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return hasKey(symptoms, key) || (plainKey !== undefined && hasKey(symptoms, plainKey));
}

/** The causes of one symptom that are told apart. */
const MOST_OF_A_KIND = 3;
/** From so many draws on, the fields of a cause are enough to know it again. */
const WELL_KNOWN = 3;

/** By what the draw has, or by what becomes of it if it is mended as the passing neighbour was. */
async function indexOfCause(causes: readonly Cause[], failing: FailingDraw, context: CauseContext): Promise<number> {
  const { symptom } = failing;
  const known = causes.findIndex((cause) => explains(cause, failing, context.contract));
  if (known !== -1) return known;
  const alike = causes.flatMap((cause, index) => (isShownIn(cause.symptoms, symptom) ? [{ cause, index }] : []));
  const [first, , third] = alike;
  if (first && third && alike.length >= MOST_OF_A_KIND) return first.index;
  for (const { cause, index } of alike) {
    const mended = mend(failing, cause.difference);
    if (!mended) continue;
    if (cause.draws.length >= WELL_KNOWN) return index;
    const exchanges = await context.ask(mended, 'smaller');
    const shown = exchanges && context.symptomsOf(pair(mended, exchanges));
    if (shown && !isShownIn(shown, symptom)) return index;
  }
  return -1;
}

/** With the passing values of single fields. Texts have too many features for one to stand for another. */
function mend({ draw, asked, symptom }: FailingDraw, difference: readonly Difference[]): Draw | undefined {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  const request = draw.requests[place];
  const names = difference.map(({ pointer }) => pointerTokens(pointer));
  const areFields = names.length > 0 && names.every(([name, ...more]) => more.length === 0 && name !== 'messages');
  if (!request || !areFields) return undefined;
  const kept = names.flat().reduce(without, request.body);
  const passing = difference.flatMap((place, index) =>
    place.passing === undefined ? [] : [[names[index]?.[0] ?? '', place.passing] as const],
  );
  const body = { ...kept, ...Object.fromEntries(passing) };
  if (JSON.stringify(body) === JSON.stringify(request.body)) return undefined;
  return { ...draw, requests: [...draw.requests.slice(0, place), withBody(request, body)] };
}

/** Whether a draw has all that makes the cause fail, and fails in the same way. */
function explains(cause: Cause, { draw, symptom }: FailingDraw, contract: Contract): boolean {
  if (!isShownIn(cause.symptoms, symptom)) return false;
  if (cause.draws.includes(draw.number)) return true;
  if (!cause.isShrunk || draw.requests.length < cause.smallest.requests.length) return false;
  const own = featuresIn(draw, contract);
  const hasAll = [...cause.features].every((feature) => own.has(feature));
  if (!hasKey(cause.symptoms, symptom.key)) return hasAll && cause.features.size > 0;
  // Every smaller form fails, so that nothing beside the violation counts.
  if (!cause.neighbour || cause.neighbour.isMended) return cause.symptoms.some((shown) => shown.case === symptom.case);
  return hasAll;
}

/** Two draws that were shrunk to requests which fail at the same places for a reason in common. */
function isSame(cause: Cause, other: Cause): boolean {
  if (!hasKey(cause.symptoms, other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  if (!cause.neighbour || !other.neighbour) return false;
  if (JSON.stringify(triggerOf(cause)) !== JSON.stringify(triggerOf(other))) return false;
  if (cause.features.size === 0 || other.features.size === 0) return true;
  return [...cause.features].some((feature) => other.features.has(feature));
}
