/** The cases of a run. Globs and clause ids that match nothing are refused. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import { matchesGlob } from '../plan/select.ts';
import { inert } from '../text/inert.ts';
import type { Settings } from '../settings.ts';
import type { Report } from '../report/report.ts';
import type { Suite } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import type { ConfigFile } from './settings/config-file.ts';
import { type Inputs, toSettings } from './settings/read-settings.ts';
import { loadReport } from './files/load-report.ts';
import { CHANGED_LEVELS } from '../settings/settings-without-flag.ts';

/** Settings whose cases and clauses exist. */
export function readSelected(inputs: Inputs, baseUrl: string): Settings {
  const settings = toSettings(inputs, baseUrl);
  const contract = loadContract();
  checkLevels(settings, contract, inputs.config);
  const older = inputs.merged.get('rerun-failed');
  // The run loads the suites itself, so without names to look up there is no need to load them here.
  if (older === undefined && [settings.only, settings.skip, settings.suites].every((names) => names.length === 0)) {
    return settings;
  }
  const suites = loadSuites(settings.suites, contract);
  checkGlobs(inputs, suites);
  const ids = suites.flatMap(({ cases }) => cases.map(({ id }) => id));
  const selected = ids.filter(
    (id) => settings.only.length === 0 || settings.only.some((glob) => matchesGlob(glob, id)),
  );
  if (selected.every((id) => settings.skip.some((glob) => matchesGlob(glob, id)))) {
    throw new UsageError('No cases to run: --skip matches every selected case.');
  }
  if (older === undefined) return settings;

  const failed = failedCases(older, inputs.cwd).filter((id) => selected.includes(id));
  if (failed.length === 0) {
    throw new UsageError(`No cases to run: none of the failed cases in ${older} is selected.`);
  }
  return { ...settings, only: failed };
}

/** Ids of the cases that kept the older run from passing: failed or inconclusive, and warned if it was strict. */
export function failedCases(file: string, cwd: string): readonly string[] {
  const report = loadReport(file, cwd);
  const ids = report.cases.filter(({ verdict }) => keptFromPassing(verdict, report)).map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw new UsageError(`No cases to run again: no case in ${file} failed or was inconclusive.`);
}

function keptFromPassing(verdict: Report['cases'][number]['verdict'], { strict }: Report): boolean {
  return verdict === 'fail' || verdict === 'inconclusive' || (strict && verdict === 'warn');
}

/** A glob that matches nothing is a typing error: the run would check something else than was meant. */
function checkGlobs({ merged }: Inputs, suites: readonly Suite[]): void {
  const ids = suites.flatMap(({ cases }) => cases.map(({ id }) => id));
  for (const name of ['only', 'skip'] as const) {
    for (const [index, glob] of (merged.get(name) ?? []).entries()) {
      if (ids.some((id) => matchesGlob(glob, id))) continue;
      // `auht/*` is like no case id, but it is like `auth/*`.
      const names = [...new Set(ids.map((id) => id.split('/')[0] ?? id))].map((suite) => `${suite}/*`);
      const suite = names.find((each) => each === `${glob}/*`);
      const guess =
        (suite && ` Did you mean "${suite}"?`) ||
        didYouMean(glob, [...ids, ...names]) ||
        ' `wirecheck list cases` lists the ids.';
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
      `unknown clause "${inert(id, 100)}".${didYouMean(id, ids) || ' `wirecheck list clauses` lists the ids.'}`,
      at,
    );
  }
}
