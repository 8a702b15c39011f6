/** Whether the clauses exist whose levels the user changes. */
import { Mistakes } from '../mistakes.ts';
import { inert } from '../text/inert.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { loadAllClauses } from './subjects.ts';

/** One config file serves gateways, clients and relays. `placeOf`: the line of a clause. */
export function checkLevels(
  changed: readonly string[],
  placeOf: (clause: string) => { readonly file: string; readonly line: number } | undefined,
): void {
  if (changed.length === 0) return;
  const ids = loadAllClauses().map(({ id }) => id);
  const mistakes = new Mistakes();
  for (const id of changed) {
    if (ids.includes(id)) continue;
    const guess = didYouMean(id, ids) || ' `wirecheck list clauses` lists the ids.';
    mistakes.attempt(() => {
      throw new UsageError(`unknown clause "${inert(id, 100)}".${guess}`, { ...placeOf(id), code: 'UNKNOWN_NAME' });
    });
  }
  mistakes.throwAny();
}
