/** Tells whether a draw fails for a cause that is known. */
import type { Contract } from '../contract/contract.ts';
import { pointerTokens } from '../json.ts';
import { type Cause, type CauseContext, type FailingDraw, featuresIn, pair, triggerOf } from './cause.ts';
import type { Difference } from './difference.ts';
import { type Draw, withBody, without } from './drawn-request.ts';
import { isForwarding } from './relay/forwarding-cases.ts';
import type { Symptom } from './symptoms.ts';

const hasKey = (symptoms: readonly Symptom[], wanted: string): boolean => symptoms.some(({ key }) => key === wanted);

/** A 5xx to a violation may be the one that valid requests get. */
export function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return hasKey(symptoms, key) || (plainKey !== undefined && hasKey(symptoms, plainKey));
}

/** The causes of one symptom that are told apart. */
const MOST_OF_A_KIND = 3;
/** From so many draws on, the fields of a cause are enough to know it again. */
const WELL_KNOWN = 3;

/** By what the draw has, or by what becomes of it if it is mended as the passing neighbour was. */
export async function indexOfCause(
  causes: readonly Cause[],
  failing: FailingDraw,
  context: CauseContext,
): Promise<number> {
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
export function isSame(cause: Cause, other: Cause): boolean {
  if (!hasKey(cause.symptoms, other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  if (!cause.neighbour || !other.neighbour) return false;
  if (JSON.stringify(triggerOf(cause)) !== JSON.stringify(triggerOf(other))) return false;
  // A gateway that changes a number on its way does so to many, whatever is special about each.
  if (isForwarding(cause.symptoms[0]) && [...cause.difference, ...other.difference].every(isOfNumbers)) return true;
  if (cause.features.size === 0 || other.features.size === 0) return true;
  return [...cause.features].some((feature) => other.features.has(feature));
}

function isOfNumbers({ failing, passing }: Difference): boolean {
  return typeof failing === 'number' && (passing === undefined || typeof passing === 'number');
}
