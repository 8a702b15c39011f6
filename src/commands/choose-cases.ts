/** Whether what the user named is there: cases by glob, clauses by id. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import { matchesGlob } from '../plan/select.ts';
import { inert } from '../text/inert.ts';
import type { Settings } from '../settings.ts';
import type { Suite } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import type { ConfigFile } from './settings/config-file.ts';
import { type Inputs, toSettings } from './settings/read-settings.ts';
import { failedCases } from './rerun-failed.ts';
import { CHANGED_LEVELS } from '../settings/settings-without-flag.ts';

/** Settings whose cases and clauses are known to be there. */
export function readChosen(inputs: Inputs, baseUrl: string): Settings {
  const settings = toSettings(inputs, baseUrl);
  const contract = loadContract();
  checkLevels(settings, contract, inputs.config);
  const older = inputs.merged.get('rerun-failed');
  // The run reads the suites itself; they are read here only where there is something to look up in them.
  if (older === undefined && [settings.only, settings.skip, settings.suites].every((names) => names.length === 0)) {
    return settings;
  }
  const suites = loadSuites(settings.suites, contract);
  checkGlobs(inputs, suites);
  const ids = suites.flatMap(({ cases }) => cases.map(({ id }) => id));
  const chosen = ids.filter((id) => settings.only.length === 0 || settings.only.some((glob) => matchesGlob(glob, id)));
  if (chosen.every((id) => settings.skip.some((glob) => matchesGlob(glob, id)))) {
    throw new UsageError('No case is left: --skip takes away every case that was chosen.');
  }
  if (older === undefined) return settings;

  const again = failedCases(older, inputs.cwd).filter((id) => chosen.includes(id));
  if (again.length === 0) {
    throw new UsageError(`None of the cases that failed in ${older} is among those that were chosen.`);
  }
  return { ...settings, only: again };
}

/** A glob that matches nothing is a slip: the run would check something else than was meant. */
function checkGlobs({ merged }: Inputs, suites: readonly Suite[]): void {
  const ids = suites.flatMap(({ cases }) => cases.map(({ id }) => id));
  for (const name of ['only', 'skip'] as const) {
    for (const [index, glob] of (merged.get(name) ?? []).entries()) {
      if (ids.some((id) => matchesGlob(glob, id))) continue;
      // `auth/*` is near to no single id, but its suite may be near to another.
      const names = [...new Set(ids.map((id) => id.split('/')[0] ?? id))].map((suite) => `${suite}/*`);
      const suite = names.find((each) => each === `${glob}/*`);
      const guess =
        (suite && ` Did you mean "${suite}"?`) ||
        didYouMean(glob, [...ids, ...names]) ||
        ' `wirecheck list cases` shows the ids.';
      const { label = `--${name}`, at } = merged.origin(name, index) ?? {};
      throw new UsageError(`${label} ${inert(glob, 100)} matches no case.${guess}`, at);
    }
  }
}

function checkLevels(settings: Settings, contract: Contract, config: ConfigFile | undefined): void {
  for (const id of Object.keys(settings.levels)) {
    if (contract.clause(id)) continue;
    const at = config && { file: config.file, line: config.lineOf(CHANGED_LEVELS.inFile, id) };
    const ids = contract.clauses.map((clause) => clause.id);
    throw new UsageError(
      `there is no clause "${inert(id, 100)}".${didYouMean(id, ids) || ' `wirecheck list clauses` shows the ids.'}`,
      at,
    );
  }
}
