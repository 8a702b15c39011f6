/** The cases of a run. Globs and clause ids that match nothing are refused. */
import { STEPS } from '../plan/known-steps.ts';
import { requestNameOf } from '../exchange/identity.ts';
import { EXIT } from '../exit-codes.ts';
import { formatJson } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { count, inert } from '../text/layout.ts';
import type { Settings } from '../settings.ts';
import type { Report } from '../report/report.ts';
import { SUBJECT_TRAITS } from '../report/subject-traits.ts';
import type { AnyCase } from '../suite/case.ts';
import { contractOfSuites, loadRequests, loadRunSuites } from '../suite/read-suites.ts';
import { isBuiltInSuite } from '../suite/suite-names.ts';
import { selectCases } from '../subjects/check-settings.ts';
import type { SubjectName } from '../subjects/subjects.ts';
import { usageError } from '../usage-error.ts';
import type { Finding } from '../verdict/verdict.ts';
import { type Inputs, toSettings, checkBuiltInGlobs, globsOf } from './settings/read-settings.ts';
import { shownDetail } from './files/outputs.ts';
import { loadOlderReport } from './files/user-files.ts';

/** Settings whose cases and clauses exist. */
export function readSelected(inputs: Inputs, baseUrl: string): Settings {
  const mistakes = new Mistakes();
  const given = mistakes.attempt(() => toSettings(inputs, baseUrl)) ?? refuseAll(inputs, mistakes);
  // The run loads the suites itself, so without names to look up there is no need to load them here.
  const isAll = [given.only, given.skip, given.suites].every((names) => names.length === 0);
  if (isAll && inputs.merged.get('rerun-failed') === undefined) return given;
  const { only, older } = chooseCases(inputs, casesOf(given), 'gateway');
  return older ? settingsToAsk(given, new Map(only.map((id) => [id, older]))) : { ...given, only };
}

function casesOf(given: Settings): readonly AnyCase[] {
  return loadRunSuites(given.suites, contractOfSuites(given)).flatMap((suite) => suite.cases);
}

/** Asks these cases again, each with the report that shows what it found. */
export function settingsToAsk(given: Settings, cases: ReadonlyMap<string, Report>): Settings {
  const requests = new Set([...casesOf(given).map(({ id }) => id), ...loadRequests().keys()]);
  const ids = [...cases.keys()];
  const fed = [...new Set(cases.values())].map((report) =>
    requestsShowing(
      ids.filter((id) => cases.get(id) === report),
      report,
      requests,
    ),
  );
  return { ...given, only: ids, fedBy: Object.assign({}, ...fed) as Settings['fedBy'] };
}

/** Refuses what is wrong together with names of cases that do not exist. */
function refuseAll({ merged }: Inputs, mistakes: Mistakes): never {
  mistakes.attempt(() => checkBuiltInGlobs(merged));
  mistakes.throwAny();
  throw new Error('Settings that cannot be read have a mistake.');
}

/** Which cases would be played where nobody pays for them: of a client, and of a relay. */
export function showCases(
  cases: readonly string[],
  subject: 'client' | 'relay',
  { json, time }: { readonly json: boolean; readonly time?: string },
  inputs: Inputs,
): number {
  const { io, merged } = inputs;
  const lines = [
    `Plan for a ${subject} (nothing was sent)`,
    `${count(cases.length, SUBJECT_TRAITS[subject].caseWord)} would be played, and nothing is charged.`,
    ...(time === undefined ? [] : [time]),
    ...(shownDetail(merged) === 'verbose' ? cases.map((id) => `  ${id}`) : ['--verbose lists them.']),
  ];
  io.stdout.write(json ? formatJson({ cases }) : `${lines.join('\n')}\n`);
  return EXIT.passed;
}

/** Chooses cases by --only, --skip and --rerun-failed. `older`: the report whose failed cases they are. */
export function chooseCases(
  inputs: Inputs,
  cases: readonly AnyCase[],
  subject: SubjectName,
): { readonly only: readonly string[]; readonly selected: readonly string[]; readonly older?: Report } {
  const { merged, io } = inputs;
  const { caseWord } = SUBJECT_TRAITS[subject];
  const { only, selected } = selectCases(globsOf(merged), cases, subject);
  const file = merged.get('rerun-failed');
  if (file === undefined) return { only, selected };
  const older = loadOlderReport('--rerun-failed', file, io.cwd, subject);
  const before = failedCases(older, file);
  if (subject === 'gateway') refuseUnknown(before, older, { file, known: cases });
  const failed = before.filter((id) => selected.includes(id));
  if (failed.length > 0) return { only: failed, selected: failed, older };
  throw usageError.NO_CASES(
    `No ${caseWord}s to run: none of the failed ${caseWord}s in ${inert(file, 100)} is selected.`,
  );
}

/** Cases of the user's own suites would be left out silently. */
function refuseUnknown(
  failed: readonly string[],
  { cases, provenance }: Report,
  { file, known }: { readonly file: string; readonly known: readonly AnyCase[] },
): void {
  const ids = new Set(known.map(({ id }) => id));
  const own = cases.find(({ id, suite }) => failed.includes(id) && !ids.has(id) && !isBuiltInSuite(suite));
  if (!own) return;
  const { suites } = provenance.settings;
  const remedy = Array.isArray(suites)
    ? `add --suite ${suites.join(',')}, as that run did`
    : 'give the --profile of that run';
  throw usageError.NO_CASES(
    `${inert(own.id, 100)} failed in ${inert(file, 100)}, but this run does not have it: ${inert(remedy, 300)}.`,
  );
}

/** Ids of the cases that kept the older run from passing: failed or inconclusive, and warned if it was strict. */
export function failedCases(report: Report, file: string): readonly string[] {
  const ids = openCases(report).map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw usageError.NO_CASES(
    `No cases to run again: no case in ${file} was broken or could not be judged. --rerun-failed FILE names another report.`,
  );
}

export function openCases(report: Report): Report['cases'] {
  // A partial case found too little to judge; it judges again whatever the others send.
  return report.cases.filter(
    ({ verdict, partial }) => keptFromPassing(verdict, report) && !(partial && verdict === 'inconclusive'),
  );
}

/** The clauses for which the case is open. */
export function openClauses(report: Report, testCase: string): readonly string[] {
  const { expectations = [] } = report.cases.find(({ id }) => id === testCase) ?? {};
  return expectations.filter(({ verdict }) => keptFromPassing(verdict, report)).map(({ clause }) => clause);
}

function keptFromPassing(verdict: Report['cases'][number]['verdict'], { strict }: Report): boolean {
  return verdict === 'fail' || verdict === 'inconclusive' || (strict && verdict === 'warn');
}

/**
 * For cases that judge the answers of other requests: the requests that showed their findings. Without an entry, a case
 * is fed with everything that it looks at: something was inconclusive, or a request is no longer known.
 */
function requestsShowing(failed: readonly string[], report: Report, known: ReadonlySet<string>): Settings['fedBy'] {
  const fed: Record<string, readonly string[]> = {};
  const nameOf = new Map(report.exchanges.map((exchange) => [exchange.id, requestNameOf(exchange)]));
  for (const { id, base, expectations } of report.cases) {
    if (base !== undefined || !failed.includes(id)) continue;
    const counted = expectations.filter(({ verdict }) => keptFromPassing(verdict, report));
    const shown = counted.flatMap(({ findings }) => findings.flatMap(exchangesShowing));
    const names = new Set(shown.map((exchange) => requestOf(nameOf.get(exchange), known)));
    const isKnown = counted.every(({ verdict }) => verdict !== 'inconclusive') && !names.has(undefined);
    if (isKnown) fed[id] = [...names].flatMap((name) => name ?? []);
  }
  return fed;
}

/** A value that is repeated needs both exchanges. */
function exchangesShowing({ exchange, actual }: Finding): readonly string[] {
  return actual.kind === 'repeated' && actual.exchange !== undefined ? [actual.exchange, exchange] : [exchange];
}

function requestOf(name: string | undefined, known: ReadonlySet<string>): string | undefined {
  if (name === undefined || known.has(name)) return name;
  return name === STEPS.bareControl ? STEPS.control : undefined;
}
