/** Adds to each cause what a reader wants to see of it: an answer of each run, and the command that repeats the request. */
import { cutText } from '../../text/quote.ts';
import type { Report } from '../report.ts';
import type { Change, ChangeName, Side } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';

/** Characters of a body. The reports have the rest. */
const MAX_BODY_LENGTH = 4_000;

/** One answer shows nothing of a list of models or of many times. */
const WITHOUT_BODIES: readonly ChangeName[] = ['time', 'model-gone', 'model-new'];

/** Only to the first change of a cause: those that are folded into it show the same. */
export function showBodies(changes: readonly Change[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const shown = new Set<string>();
  return changes.map((change) => {
    const { what, cause, old, new: now } = change;
    if (WITHOUT_BODIES.includes(what) || shown.has(cause)) return change;
    shown.add(cause);
    // The same request in both runs, where there is one.
    const same = old.exchanges.find((id) => now.exchanges.includes(id)) ?? askedBefore(change, older.report);
    const [before, after] = [same ?? old.exchanges[0], same ?? now.exchanges[0]];
    const repeat = repeatOf(newer.report, change, after);
    return {
      ...change,
      old: withBody(old, older.report, before),
      new: withBody(now, newer.report, after),
      ...(repeat !== undefined && { repeat }),
    };
  });
}

/** A type that is new in some answers shows in these only: the older answers to the same requests are others. */
function askedBefore({ what, new: now }: Change, { exchanges }: Report): string | undefined {
  if (what !== 'field-type') return undefined;
  const known = new Set(exchanges.map(({ id }) => id));
  return now.exchanges.find((id) => known.has(id));
}

/** Answers to a client, and those of an upstream, are our own. Bodies that were withheld stay so. */
function withBody(side: Side, { exchanges }: Report, id: string | undefined): Side {
  const exchange = exchanges.find((each) => each.id === id && each.side === undefined);
  const answer = exchange?.attempts.at(-1)?.answer;
  if (id === undefined || !answer || answer.body.shown === 0) return side;
  const text = cutText(answer.body.text, MAX_BODY_LENGTH);
  const isCut = answer.body.shown < answer.body.bytes || text.length < answer.body.text.length;
  return { ...side, answer: { exchange: id, status: answer.status, body: text, ...(isCut && { isCut }) } };
}

function repeatOf({ cases, exchanges }: Report, { place }: Change, id: string | undefined): string | undefined {
  const own = cases.find((testCase) => testCase.id === place.case) ?? cases.find(({ exchange }) => exchange === id);
  return own?.repeat ?? exchanges.find((exchange) => exchange.id === id)?.repeat;
}
