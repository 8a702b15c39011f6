/** `wirecheck waive ID` */
import { COMMAND } from '../contract/package-files.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { appendToYamlList } from '../contract/yaml/yaml-document.ts';
import { didYouMean } from '../text/suggestion.ts';
import { withoutUndefined } from '../json.ts';
import { matchesCase, matchesGlob } from '../plan/select.ts';
import { count, inert } from '../text/layout.ts';
import type { Report } from '../report/report.ts';
import {
  caseNames,
  type KnownNames,
  readWaivers,
  type Waiver,
  type WaiverEntry,
  OWN_NAMES,
} from '../report/excuses/waivers.ts';
import { listWithCase, traitsOf } from '../report/subject-traits.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { loadReport, readTextFile, writeWhole } from './files/user-files.ts';
import { locateSuites, chooseProfile, readInputs } from './settings/read-settings.ts';
import { knownCases } from './files/prepare-files.ts';
import { newWaiverFile, WAIVER_FILE } from './init.ts';
import { countIds, coverCauses, formatCovered } from '../render/excused.ts';
import { foldFindings } from '../render/fold.ts';
import type { Call, OwnOptions } from './command-row.ts';

export function waiveCommand({ args: [id = ''], options, flags, io }: Call): void {
  const inputs = readInputs(['waivers', 'suite', 'profile'], flags, io);
  const named = inputs.merged.get('waivers');
  const file = named ?? WAIVER_FILE;
  const path = resolve(io.cwd, file);
  const suites = locateSuites(inputs.merged.get('suite') ?? [], io.cwd);
  const known = knownCases({ suites, profile: chooseProfile(inputs.merged, io.cwd) });
  const report = options.report === undefined ? undefined : loadReport(options.report, io.cwd);
  const entry = { ...subjectOf(id, known, report, options.report), ...termsOf(options) };

  const before = existsSync(path) ? readTextFile('the waiver file', file, io.cwd) : newWaiverFile(io.cwd);
  refuseDuplicate(entry, readWaivers(before, file, known).waivers, file);
  const text = appendToYamlList(before, file, 'waivers', entry);
  const added = readWaivers(text, file, known).waivers.at(-1);
  writeWhole(path, text, file);

  const { stdout } = io;
  const term = entry.announced ? `from ${entry.announced.date} on` : `until ${entry.until ?? ''}`;
  stdout.write(`Waived ${inert(id, 100)} ${term}: ${file}:${added?.line ?? 1}\n`);
  if (report !== undefined && added !== undefined)
    stdout.write(`${formatCoverage(added.entry, report, options.report ?? '')}\n`);
  else if (entry.fingerprint !== undefined)
    stdout.write(
      'A fingerprint is one finding of one case. Add --report FILE to see whether there are similar ones.\n',
    );
  if (named === undefined)
    stdout.write(`To apply it, run with --waivers ${file}, or set waivers: ${file} in wirecheck.config.yaml.\n`);
}

type Subject = Pick<WaiverEntry, 'case' | 'clause' | 'fingerprint'>;

function subjectOf(id: string, known: KnownNames, report: Report | undefined, file = ''): Subject {
  const clauses = known.contract.clauses.filter((clause) => matchesGlob(id, clause.id));
  if (clauses.some(({ level }) => level !== 'none')) return { clause: id };
  if (clauses.length > 0) {
    throw new UsageError(
      `${inert(id, 100)} cannot be observed over the wire, so no run can break it: do not waive it.`,
    );
  }
  if (known.cases.some((testCase) => matchesCase(id, testCase.id))) return { case: id };
  if (/^[0-9a-f]{16}$/.test(id)) return report === undefined ? { fingerprint: id } : lookUp(id, report, file);
  const ids = [...known.contract.clauses.map((clause) => clause.id), ...caseNames(known.cases)];
  const guess =
    didYouMean(id, ids) || ` \`${COMMAND} list clauses\` and ${listWithCase(id)} list the ids. ${OWN_NAMES}`;
  throw usageError.UNKNOWN_NAME(`No clause, case or fingerprint "${inert(id, 100)}".${guess}`);
}

/** Case and clause let people read the entry, and a run tell when it is no longer needed. */
function lookUp(fingerprint: string, { cases }: Report, file: string): Subject {
  for (const testCase of cases) {
    const found = testCase.expectations.find(({ findings }) =>
      findings.some((each) => each.fingerprint === fingerprint),
    );
    if (found) return { case: testCase.id, clause: found.clause, fingerprint };
  }
  throw usageError.UNKNOWN_NAME(`${file} has no finding with the fingerprint ${fingerprint}.`);
}

function termsOf({ reason, until, announced, owner, link }: OwnOptions): Omit<WaiverEntry, keyof Subject> {
  if (reason === undefined || reason.trim() === '')
    throw usageError.VALUE_MISSING("--reason is missing: say why this is accepted, as in --reason 'fixed in 2.4'.");
  if ((until === undefined) === (announced === undefined)) {
    throw usageError.CONFLICT(
      'Give either --until DATE (last day of the waiver) or --announced DATE (an announced removal).',
    );
  }
  if (link !== undefined && !(URL.canParse(link) && /^https?:/.test(link)))
    throw new UsageError(`--link is "${inert(link, 100)}": it must be an address such as https://tracker.example/123.`);
  const terms = { reason: reason.trim(), ...(owner !== undefined && { owner: owner.trim() }) };
  if (announced === undefined) {
    const day = dayIn('--until', until ?? '');
    if (day >= new Date().toISOString().slice(0, 10)) return { ...terms, ...withoutUndefined({ link }), until: day };
    throw new UsageError(`--until is ${day}, which has passed: give a later day.`);
  }
  if (link === undefined)
    throw usageError.CONFLICT('--announced needs --link URL: give the address of the announcement.');
  return { ...terms, announced: { date: dayIn('--announced', announced), link } };
}

/** A day of the calendar; 2030-02-30 is not one. */
function dayIn(flag: string, text: string): string {
  const day = text.trim();
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day;
  throw new UsageError(`${flag} is "${inert(text, 60)}": it must be a date such as 2030-12-31.`);
}

function refuseDuplicate(entry: Subject, waivers: readonly Waiver[], file: string): void {
  const names = ['case', 'clause', 'fingerprint'] as const;
  const duplicate = waivers.find((waiver) => names.every((name) => waiver.entry[name] === entry[name]));
  if (duplicate) throw new UsageError('an entry for this is here already: change it.', { file, line: duplicate.line });
}

export function formatCoverage(entry: WaiverEntry, report: Report, file: string): string {
  const causes = coverCauses(entry, foldFindings(report));
  const clauses = [...new Set(causes.flatMap(({ clause, covered }) => (covered.length > 0 ? [clause] : [])))];
  const { caseWord } = traitsOf(report);
  const start = `It covers ${formatCovered(causes, caseWord)} of ${inert(file, 300)}.`;
  const others = countIds(causes.filter(({ clause }) => clauses.includes(clause)).flatMap(({ left }) => left));
  if (others === 0) return start;
  const [clause = ''] = clauses;
  const still = `in ${count(others, caseWord)}`;
  return clauses.length === 1
    ? `${start} ${inert(clause)} still counts ${still}: \`wirecheck waive ${inert(clause)}\` covers all of it.`
    : `${start} The same clauses still count ${still}: waive a clause, or more ${caseWord}s with *, to cover them.`;
}
