/** Whether the clauses exist whose levels a file changes. */
import { Mistakes } from '../../mistakes.ts';
import type { Settings } from '../../settings.ts';
import { CHANGED_LEVELS } from '../../settings/settings-without-flag.ts';
import { loadAllClauses } from '../../subjects/subjects.ts';
import { inert } from '../../text/inert.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { UsageError } from '../../usage-error.ts';
import type { ConfigFile } from './config-file.ts';

/** One config file serves gateways, clients and relays. */
export function checkLevels(levels: Settings['levels'], config: ConfigFile | undefined): void {
  const changed = Object.keys(levels);
  if (changed.length === 0) return;
  const ids = loadAllClauses().map(({ id }) => id);
  const mistakes = new Mistakes();
  for (const id of changed) {
    if (ids.includes(id)) continue;
    const at = config && { file: config.file, line: config.lineOf(CHANGED_LEVELS.inFile, id) };
    const guess = didYouMean(id, ids) || ' `wirecheck list clauses` lists the ids.';
    mistakes.attempt(() => {
      throw new UsageError(`unknown clause "${inert(id, 100)}".${guess}`, { ...at, code: 'UNKNOWN_NAME' });
    });
  }
  mistakes.throwAny();
}
