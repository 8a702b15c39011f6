/** Violations that all fail alike: what is wrong lies in none of them. */
import type { Contract } from '../../contract/contract.ts';
import type { CauseContext, FailingDraw } from './cause.ts';
import { violationIn } from './classify.ts';
import { type DrawnRequest, isStreamed } from './drawn-request.ts';
import type { Symptom } from './symptoms.ts';

/** Violations that a gateway may look at in different places: all, those of fields, and of these the streamed ones or the others. */
const GROUPS: readonly ((request: DrawnRequest) => boolean)[] = [
  () => true,
  ({ mistake }) => mistake === undefined,
  (request) => request.mistake === undefined && isStreamed(request),
  (request) => request.mistake === undefined && !isStreamed(request),
];

/** How a violation fails, whichever it is. */
function wayOf({ isOfTopic, check, key }: Pick<Symptom, 'isOfTopic' | 'check' | 'key'>): string {
  return isOfTopic ? check : key;
}

/** Draws with violations of several clauses that fail alike, as all do that were sent. */
export function findAlike(
  failing: readonly FailingDraw[],
  { contract, sent }: Pick<CauseContext, 'sent'> & { readonly contract: Contract },
): readonly FailingDraw[] {
  const violations = sent.flatMap(({ draw: { requests }, symptoms }) => {
    const [request, ...more] = requests;
    const clause = more.length === 0 ? violationIn(request, contract) : undefined;
    return request && clause !== undefined ? [{ request, clause, ways: symptoms.map(wayOf) }] : [];
  });
  for (const isMeant of GROUPS) {
    const [first, ...others] = violations.filter(({ request }) => isMeant(request));
    const way = first?.ways.find((each) => others.every(({ ways }) => ways.includes(each)));
    if (way === undefined || others.every(({ clause }) => clause === first?.clause)) continue;
    const isAlike = ({ draw: { requests }, request, symptom }: FailingDraw): boolean =>
      requests.length === 1 && isMeant(request) && wayOf(symptom) === way;
    return failing.filter((each) => isAlike(each) && violationIn(each.request, contract) !== undefined);
  }
  return [];
}
