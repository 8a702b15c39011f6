/** `--waivers` and `--baseline`, read before anything is sent. */
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { Profile } from '../../contract/profile/profile.ts';
import { readBaseline } from '../../report/excuses/apply-excuses.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { type KnownNames, readWaivers, type Waivers } from '../../report/excuses/waivers.ts';
import { loadSuites } from '../../suite/load-suites.ts';
import { BUILT_IN_SUITES } from '../../suite/suite-names.ts';
import { UsageError } from '../../usage-error.ts';
import { loadAllClauses, loadExploreCases, loadOtherCases, type SubjectName } from '../../subjects/subjects.ts';
import { chooseProfile, type Inputs } from './read-settings.ts';
import { loadOlderReport, readTextFile } from '../files/read-files.ts';

/** What excuses are read for. */
export interface Excusable {
  /** Whose cases they are; undefined if that shows later, in a recording. */
  readonly subject: SubjectName | undefined;
  /** Files with cases that waivers may name. */
  readonly suites: readonly string[];
}

export function readExcuses(
  { merged, io: { cwd } }: Pick<Inputs, 'merged' | 'io'>,
  { subject, suites }: Excusable,
): Excuses {
  const waivers = merged.get('waivers');
  const baseline = merged.get('baseline');
  const failOnUnusedWaivers = merged.get('fail-on-unused-waivers') ?? false;
  if (failOnUnusedWaivers && waivers === undefined) {
    throw new UsageError('--fail-on-unused-waivers needs a waiver file: add --waivers FILE.', { code: 'CONFLICT' });
  }
  return {
    ...(waivers !== undefined && {
      waivers: loadWaivers(waivers, cwd, { suites, profile: chooseProfile(merged, cwd) }),
      failOnUnusedWaivers,
    }),
    ...(baseline !== undefined && {
      baseline: readBaseline(loadOlderReport('--baseline', baseline, cwd, subject), baseline),
    }),
  };
}

export function loadWaivers(file: string, cwd: string, chosen: ChosenCases = {}): Waivers {
  return readWaivers(readTextFile('the waiver file', file, cwd), file, knownCases(chosen));
}

export interface ChosenCases {
  readonly suites?: readonly string[];
  readonly profile?: Profile | undefined;
}

/** The cases a waiver may name, on every side: the built-in ones, selected or not, and those of the given suites. */
export function knownCases({ suites = [], profile }: ChosenCases): KnownNames {
  const contract = contractOf({ levels: {}, suites, ...(profile && { profile }) });
  const own = suites.filter((name) => !BUILT_IN_SUITES.some((builtIn) => builtIn === name));
  const given = own.length === 0 ? [] : loadSuites([...BUILT_IN_SUITES, ...own], contract);
  const cases = [...loadSuites([], contract), ...given].flatMap((suite) => suite.cases);
  const clauses = [...loadAllClauses(), ...contract.clauses];
  return { contract: { clauses }, cases: [...cases, ...loadOtherCases(), ...loadExploreCases()] };
}
