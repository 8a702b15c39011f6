/** The last line of every run: the outcome in capitals, then the short reason. */
import { EXIT } from '../exit-codes.ts';
import { formatEnding } from '../exchange/ending.ts';
import type { ProfileReport } from '../report/profile-report.ts';
import type { OutcomeName, Report } from '../report/report.ts';
import { formatLoadVerdict } from './load-facts.ts';
import { formatProfile } from './profile-text.ts';
import { brokenLevel, coverageOf } from './clause-states.ts';
import {
  baselineDay,
  countWarnings,
  formatCountedSince,
  fullyExcusedClauses,
  excusedClauses,
  staleWaivers,
} from './excused.ts';
import type { VerdictName } from './fold.ts';
import { fact, type Fact } from './document/document.ts';
import { MAX_LINE } from './looks.ts';
import { oncePer } from '../once-per.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatCause, formatRemedy } from '../verdict/reason.ts';

const MAX_REASON_LENGTH = 300;

/** Under load, how much the target bore is the result, unless failures are excused. */
const LOAD_OUTCOMES: readonly OutcomeName[] = ['conforms', 'conforms-in-part', 'does-not-conform', 'not-judged'];

/** At most 100 characters, so that it is one line wherever it is read. What it has no room for is in the facts. */
export function verdictLine(report: Report): string {
  return verdictOf(report).line;
}

/** Must clauses that were not judged, for formats without the list of all that was not. */
export function coverageFact(report: Report): readonly Fact[] {
  const { all, rest } = coverageOf(report);
  const isIncomplete = rest !== '' && report.ending.kind === 'complete';
  return fact('Not judged', isIncomplete ? `of ${count(all, 'must clause')}, ${rest}` : undefined);
}

/** What stands above the line: the whole reason, what does not count, how rare a fault would be seen. */
export function verdictFacts(report: Report): readonly Fact[] {
  return verdictOf(report).facts;
}

const verdictOf = oncePer((report: Report) => {
  const { line, reason } = fitLine(report);
  const [whole] = reasonsOf(report);
  // Every format says how much a complete run judged, so a line that lacks only that is whole.
  const beside = [ofJudged(report, countingClauses(report)), `; ${judgedOf(report)}`];
  const coverage = ['', ...(report.ending.kind === 'complete' ? beside : [])];
  const facts =
    coverage.some((words) => reason === whole?.replace(words, '')) || report.outcome.name === 'conforms'
      ? []
      : [...fact(report.outcome.name === 'not-judged' ? 'Why' : 'In full', whole)];
  const longest = besides(report).reduce((own, [label, text]) => {
    const longer = `${own}; ${label.toLowerCase()}: ${text}`;
    if (longer.length <= MAX_LINE) return longer;
    facts.push(...fact(label, text));
    return own;
  }, line);
  return { line: longest, facts: [...fact('Sureness', formatDetected(report)), ...facts] };
});

/** The result, and the first of its reasons for which there is room. */
function fitLine(report: Report) {
  const lines = ROOMS.flatMap((room) =>
    reasonsOf(report).map((reason) => ({ reason, line: `${headOf(report, room)}: ${reason}` })),
  );
  return lines.find(({ line }) => line.length <= MAX_LINE) ?? { reason: '', line: headOf(report, LEAST) };
}

/** The result, of this contract: `CONFORMS TO acme-gateway 3 (v1 with 6 changes), WITH 2 WARNINGS`. */
function headOf(report: Report, room: Room): string {
  const { outcome, profile } = report;
  const { name } = outcome;
  const [title, preposition] = TITLES[name];
  const underLoad = resultUnderLoad(report);
  const [result, word] = underLoad ? [underLoad[0], ', judged by'] : [title, ` ${preposition}`];
  const warnings = NAMES_WARNINGS.includes(name) ? countWarnings(report).counting : 0;
  const except = name === 'conforms-but-waived' ? ` except for ${waivedOnly(report)} waived` : '';
  const more = `${except}${warnings === 0 ? '' : `, with ${count(warnings, 'warning')}`}`;
  return `${inCapitals(result)}${profile ? by(word, profile, room) : ''}${inCapitals(more)}`;
}

function inCapitals(words: string): string {
  return words.toUpperCase().replace(/\bV1\b/, 'v1');
}

/** Its counts or its reason: the first of them that fits is shown. */
function reasonsOf(report: Report): readonly string[] {
  const underLoad = resultUnderLoad(report);
  if (!underLoad) return REASONS[report.outcome.name](report);
  const [, whole] = underLoad;
  return [whole, whole.replace(/ \(.*$/s, '')];
}

/** `HELD UP TO 64 IN FLIGHT` and `0 of 12,408 answers broken` */
function resultUnderLoad({ load, outcome, ending }: Report): readonly [head: string, reason: string] | undefined {
  if (!load || !LOAD_OUTCOMES.includes(outcome.name)) return undefined;
  const said = formatLoadVerdict(load.verdict, ending);
  const [, head = said, reason, inParentheses = ''] = /^(.*?)(?:: (.*)| \((.*)\))$/s.exec(said) ?? [];
  return [head, reason ?? inParentheses];
}

/** Those that fail nothing are part of the result only where nothing else is wrong. */
const NAMES_WARNINGS: readonly OutcomeName[] = ['conforms', 'conforms-in-part'];

/** What a run comes to, and the word before the contract. */
const TITLES: Readonly<Record<OutcomeName, readonly [title: string, preposition: string]>> = {
  conforms: ['conforms', 'to'],
  'conforms-in-part': ['conforms in part', 'to'],
  'conforms-but-waived': ['conforms', 'to'],
  'no-new-violations': ['no new violations', 'of'],
  'unused-waivers': ['unused waivers', 'for'],
  'does-not-conform': ['does not conform', 'to'],
  'not-judged': ['not judged', 'by'],
};

const REASONS: Readonly<Record<OutcomeName, (report: Report) => readonly string[]>> = {
  conforms: (report) => [`${judgedOf(report)}, none broken`, judgedOf(report), judgedOf(report, '')],
  'conforms-in-part': (report) => [judgedOf(report), judgedOf(report, '')],
  'conforms-but-waived': (report) => [listed(broken(report), ...inPart(report)), broken(report)],
  'no-new-violations': (report) => {
    const known = formatExcused(report, true).join(', ');
    const part = inPart(report);
    return [listed(`${known} (${broken(report)})`, ...part), listed(known, ...part), known];
  },
  'unused-waivers': (report) => [`${staleWaivers(report).length} (--fail-on-unused-waivers); nothing else failed`],
  'does-not-conform': (report) => {
    const clauses = countingClauses(report);
    const levels = `${byLevel(report, clauses)} broken`;
    const early = report.ending.kind === 'complete' ? '' : '; ended early';
    const counts = [`${levels}${ofJudged(report, clauses)}`, levels, `${count(clauses.length, 'clause')} broken`];
    return counts.map((each) => `${each}${early}`);
  },
  'not-judged': (report) => [...new Set([`${unjudged(report)}${why(report)}`, unjudged(report), judgedOf(report)])],
};

/** What is said in the line if there is room. */
function besides(report: Report): readonly (readonly [label: string, text: string])[] {
  const { name, exit } = report.outcome;
  const isBroken = name === 'does-not-conform';
  const warnings = countWarnings(report).words;
  const isSaid = NAMES_WARNINGS.includes(name) ? !warnings.endsWith(')') : !NAMES_EXCUSED.includes(name);
  const unused = name === 'unused-waivers' ? 0 : staleWaivers(report).length;
  return [
    ['Not counted', NAMES_EXCUSED.includes(name) ? '' : formatExcused(report, name === 'not-judged').join(', ')],
    ['Warnings', isSaid ? '' : warnings],
    ['Failing', isBroken ? formatCountedSince(report) : ''],
    ['Unused waivers', unused === 0 ? '' : String(unused)],
    ['Not judged', name === 'unused-waivers' && isUndecided(report) ? `${unjudged(report)}${why(report)}` : ''],
    ['Bug', isBroken && exit === EXIT.bug ? thrown(report) : ''],
  ].flatMap(([label = '', text = '']) => (text === '' ? [] : [[label, text] as const]));
}

/** Their result has it. */
const NAMES_EXCUSED: readonly OutcomeName[] = ['conforms-but-waived', 'no-new-violations'];

/** Those that there are. */
function listed(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('; ');
}

/** What there is room for of a profile: characters of its name and version, and that it changes safety clauses. */
interface Room {
  readonly name: number;
  readonly safety: boolean;
}

const LEAST: Room = { name: 16, safety: false };
const ROOMS: readonly Room[] = [{ name: 40, safety: true }, { name: 16, safety: true }, LEAST];

/** ` TO acme-gateway 3 (v1 with 6 changes)`; ` TO v1 WITH 1 CHANGE` for changed levels alone. */
function by(word: string, profile: ProfileReport, { name, safety }: Room): string {
  const words = inert(formatProfile(safety ? profile : { ...profile, safetyChanges: 0 }, name));
  return profile.name === undefined ? inCapitals(`${word} ${words}`) : `${inCapitals(word)} ${words}`;
}

const MAX_SHORT = 3;

/** How rare a fault `--detect` would have seen. */
function formatDetected({ outcome: { name, detect } }: Report): string | undefined {
  if (!detect || !NAMES_WARNINGS.includes(name)) return undefined;
  const { oneIn, short } = detect;
  if (short.length === 0) return `would have seen a fault in 1 of ${oneIn} answers`;
  return `too few answers to see a fault in 1 of ${oneIn}: ${listFirst(short, MAX_SHORT)}`;
}

/** Clauses with failures that are not excused. */
export function countingClauses(report: Report): Report['clauses'] {
  const apart = fullyExcusedClauses(report, 'fail');
  return clausesWith(report, 'fail').filter(({ id }) => !apart.includes(id));
}

/** `3 must clauses broken, 1 warning, 2 waived`: all that is broken, in the words of the line. */
export function formatAllBroken(report: Report): string {
  const clauses = countingClauses(report);
  const { counting, words } = countWarnings(report);
  const excusedWarnings = words.endsWith(')') ? `warnings: ${words}` : '';
  return [
    clauses.length === 0 ? '' : `${byLevel(report, clauses)} broken`,
    excusedWarnings || (counting === 0 ? '' : count(counting, 'warning')),
    ...formatExcused(report),
  ]
    .filter(Boolean)
    .join(', ');
}

/** ` (6 of 63 judged)`, unless all were. Beside should clauses it says which clauses are meant. */
function ofJudged(report: Report, failed: Report['clauses']): string {
  const { judged, all } = coverageOf(report);
  const of = failed.every((clause) => brokenLevel(report, clause) === 'must') ? '' : ' must clauses';
  return judged === all ? '' : ` (${judgedOf(report, of)})`;
}

/** `1 must clause and 2 should clauses (--strict)` */
function byLevel(report: Report, clauses: Report['clauses']): string {
  const levels = clauses.map((clause) => brokenLevel(report, clause));
  const [must = 0, should = 0] = ['must', 'should'].map((level) => levels.filter((own) => own === level).length);
  return joinCounts([must, 'must clause'], [should, 'should clause', ' (--strict)']);
}

/** Those that there are. */
function joinCounts(...counted: readonly (readonly [number: number, noun: string, remark?: string])[]): string {
  return counted
    .flatMap(([number, noun, remark = '']) => (number > 0 ? [`${count(number, noun)}${remark}`] : []))
    .join(' and ');
}

/** Every failure of these outcomes is excused. */
function broken(report: Report): string {
  return `${byLevel(report, clausesWith(report, 'fail'))} broken`;
}

function waivedOnly(report: Report): number {
  return excusedClauses(report, 'waived', 'fail').length;
}

/** `1 known since 2030-03-01`, `2 waived`: clauses. A clause with findings of both kinds is in both counts. */
function formatExcused(report: Report, withDay = false): readonly string[] {
  const waived = waivedOnly(report);
  const inBaseline = excusedClauses(report, 'known', 'fail').length;
  const known = withDay ? `known since ${baselineDay(report)}` : 'in the baseline';
  return [...(inBaseline > 0 ? [`${inBaseline} ${known}`] : []), ...(waived > 0 ? [`${waived} waived`] : [])];
}

/** `71 of 77 must clauses judged`, `all 75 must clauses judged` */
function judgedOf(report: Report, noun = ' must clauses'): string {
  const { judged, all } = coverageOf(report);
  return `${judged === all ? `all ${all}` : `${judged} of ${all}`}${noun} judged`;
}

function inPart(report: Report): readonly string[] {
  const { mustClauses, mustJudged } = report.outcome;
  return mustJudged === mustClauses ? [] : [judgedOf(report)];
}

/** Something that counts could not be judged, or nothing was. */
function isUndecided(report: Report): boolean {
  return report.ending.kind !== 'complete' || noCaseRan(report) || report.outcome.undecided !== undefined;
}

function clausesWith(report: Report, verdict: VerdictName, level?: string): Report['clauses'] {
  return report.clauses.filter((each) => each.verdict === verdict && (level === undefined || each.level === level));
}

function unjudged(report: Report): string {
  if (report.outcome.exit === EXIT.bug) return thrown(report);
  if (report.ending.kind !== 'complete') return formatEnding(report.ending);
  if (noCaseRan(report)) return 'no case ran';
  // A foreign recording may say nothing about any must clause.
  if (report.outcome.mustJudged === 0 && clausesWith(report, 'inconclusive').length === 0) return judgedOf(report);
  return inconclusive(report);
}

/** A check of the user's own threw an error. */
function thrown({ cases }: Report): string {
  const reason = cases
    .flatMap(({ expectations }) => expectations)
    .find((each) => each.reason?.kind === 'check-threw')?.reason;
  return reason ? inert(formatCause(reason), MAX_REASON_LENGTH) : '';
}

function why(report: Report): string {
  const { outcome, cases, ending } = report;
  const { undecided } = outcome;
  if (outcome.exit === EXIT.bug || ending.kind !== 'complete' || noCaseRan(report)) return '';
  const reason = cases
    .find(({ id }) => id === undecided?.case)
    ?.expectations.find(({ clause, verdict }) => clause === undecided?.clause && verdict === 'inconclusive')?.reason;
  if (!undecided || !reason) return '';
  const words = [formatCause(reason), formatRemedy(reason)].filter((part) => part !== undefined);
  return ` (${undecided.case}: ${inert(words.join('; '), MAX_REASON_LENGTH)})`;
}

function noCaseRan(report: Report): boolean {
  return Object.entries(report.counts.cases).every(([verdict, number]) => verdict === 'skipped' || number === 0);
}

function inconclusive(report: Report): string {
  const must = clausesWith(report, 'inconclusive', 'must').length;
  const should = report.strict ? clausesWith(report, 'inconclusive', 'should').length : 0;
  return joinCounts([must, 'must clause'], [should, 'should clause']) || '1 case';
}
