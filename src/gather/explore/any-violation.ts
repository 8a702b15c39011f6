/** Violations that all fail alike: what is wrong lies in none of them. */
import type { Contract } from '../../contract/contract.ts';
import { groupBy } from '../../report/counts.ts';
import type { Alike, CauseContext, FailingDraw } from './cause.ts';
import { violationIn } from './classify.ts';
import { type DrawnRequest, isStreamed } from './drawn-request.ts';
import type { Symptom } from './symptoms.ts';

/**
 * Violations that a gateway may look at in different places: all, those of fields, the streamed ones or the others. A body that is
 * no JSON does not say whether to stream.
 */
const GROUPS: readonly ((request: DrawnRequest) => boolean)[] = [
  () => true,
  ({ mistake }) => mistake === undefined,
  (request) => request.mistake === undefined && isStreamed(request),
  (request) => request.mistake === undefined && !isStreamed(request),
  (request) => request.mistake !== undefined || !isStreamed(request),
];

/** Clauses of which the violations fail alike by more than chance, if those of others do not. */
const SEVERAL = 3;

interface Way {
  readonly name: string;
  /** Nothing in it is about the clause, so that it may be the way of some clauses only. */
  readonly isCommon: boolean;
}

/** How a violation fails, whichever it is: one 5xx, or an error that is told as a success, says nothing of the clause. */
function waysOf({ isOfTopic, check, key, finding: { mismatch, actualType, actual } }: Symptom): readonly Way[] {
  if (!isOfTopic) return [{ name: key, isCommon: true }];
  if (mismatch === 'error-in-success') return [{ name: mismatch, isCommon: true }];
  const common = actualType === '5xx' ? [{ name: JSON.stringify(actual), isCommon: true }] : [];
  return [{ name: check, isCommon: false }, ...common];
}

const byDraws = (a: Alike, b: Alike): number => b.all.length - a.all.length;

type Sent = Pick<CauseContext, 'sent'> & { readonly contract: Contract };

/** Draws with violations of several clauses that fail alike, as all do that were sent: of any clause, or of these. */
export function findAlike(failing: readonly FailingDraw[], { contract, sent }: Sent): readonly Alike[] {
  const violations = sent.flatMap(({ draw: { requests }, symptoms }) => {
    const [request, ...more] = requests;
    const clause = more.length === 0 ? violationIn(request, contract) : undefined;
    return request && clause !== undefined ? [{ request, clause, ways: symptoms.flatMap(waysOf) }] : [];
  });
  const ways = new Map(violations.flatMap((each) => each.ways.map((way) => [way.name, way])));
  const found = [...ways.values()].flatMap(({ name, isCommon }) => {
    const isIn = (own: readonly Way[]): boolean => own.some((way) => way.name === name);
    const groups = GROUPS.map((isMeant): Alike => {
      const byClause = groupBy(
        violations.filter(({ request }) => isMeant(request)),
        ({ clause }) => clause,
      );
      const isSo = (own: readonly (typeof violations)[number][]): boolean => own.every((each) => isIn(each.ways));
      const clauses = [...byClause].flatMap(([clause, own]) => (isSo(own) ? [clause] : []));
      const isEvery = clauses.length > 1 && clauses.length === byClause.size;
      const isOne = (request: DrawnRequest): boolean => {
        const clause = violationIn(request, contract);
        return clause !== undefined && isMeant(request) && (isEvery || clauses.includes(clause));
      };
      const isFound = isEvery || (isCommon && clauses.length >= SEVERAL);
      const isShown = ({ draw: { requests }, request, symptom }: FailingDraw): boolean =>
        requests.length === 1 && isOne(request) && isIn(waysOf(symptom));
      return { all: isFound ? failing.filter(isShown) : [], isOne };
    });
    // Those of most draws: of clauses that were drawn in one mode only, all are in larger groups too.
    return groups.toSorted(byDraws).slice(0, 1);
  });
  return found.toSorted(byDraws);
}
