/** The last line of every run: the outcome in capitals, then the short reason. */
import { EXIT } from '../exit-codes.ts';
import { formatEnding } from '../exchange/ending.ts';
import type { OutcomeName, Report } from '../report/report.ts';
import { formatLoadVerdict } from './load-facts.ts';
import { formatProfile, shortDigest } from './profile-text.ts';
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
import { OUTCOME_LOOKS } from './looks.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatCause, formatRemedy } from '../verdict/reason.ts';

const MAX_REASON_LENGTH = 300;
const MAX_PROFILE_LENGTH = 200;

/** Under load, how much the target bore is the result, unless failures are excused. */
const LOAD_OUTCOMES: readonly OutcomeName[] = ['conforms', 'conforms-in-part', 'does-not-conform', 'not-judged'];

/** The word CONFORMS alone is kept for v1 unchanged: with a profile, every line names it. */
export function verdictLine(report: Report): string {
  const { profile } = report;
  return profile ? `${lineOf(report)} [profile ${shortDigest(profile)}]` : lineOf(report);
}

function lineOf(report: Report): string {
  const { name } = report.outcome;
  if (report.load && LOAD_OUTCOMES.includes(name)) {
    const held = `${formatLoadVerdict(report.load.verdict, report.ending)}${by(', judged by', report, '')}`;
    return listed(held, countWarnings(report), notCounted(report), alsoUnused(report));
  }
  const [title, preposition] = TITLES[name];
  return `${title.toUpperCase()}${by(preposition.toUpperCase(), report)}${REASONS[name](report)}`;
}

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

const REASONS: Readonly<Record<OutcomeName, (report: Report) => string>> = {
  conforms: (report) => `: ${listed(`${allJudged(report)}${formatDetected(report)}`, countWarnings(report))}`,
  'conforms-in-part': (report) =>
    `: ${listed(`${inPart(report).join('')}${formatDetected(report)}`, countWarnings(report))}`,
  'conforms-but-waived': (report) =>
    ` EXCEPT FOR ${waivedOnly(report)} WAIVED: ${listed(broken(report), ...inPart(report), countWarnings(report))}`,
  'no-new-violations': (report) =>
    `: ${listed(`${formatExcused(report, true).join(', ')} (${broken(report)})`, ...inPart(report), countWarnings(report))}`,
  'unused-waivers': (report) =>
    `: ${listed(`${staleWaivers(report).length} (--fail-on-unused-waivers)`, `nothing else failed${but(report)}`, notCounted(report))}`,
  'does-not-conform': (report) => {
    const early = report.ending.kind !== 'complete' && `ended early: ${formatEnding(report.ending)}`;
    const threw = report.outcome.exit === EXIT.bug && thrown(report);
    return `: ${listed(counting(report), notCounted(report), early, alsoUnused(report), threw)}`;
  },
  'not-judged': (report) => `: ${listed(unjudged(report), notCounted(report), alsoUnused(report))}`,
};

/** Those that there are. */
function listed(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('; ');
}

/** ` TO acme-gateway 3 (v1 with 6 changes)`; ` TO v1 WITH 1 CHANGE` for changed levels alone; nothing for v1 as it is. */
function by(word: string, { profile }: Report, gap = ' '): string {
  if (!profile) return '';
  const words = inert(formatProfile(profile), MAX_PROFILE_LENGTH);
  const isLoud = profile.name === undefined && word === word.toUpperCase();
  return `${gap}${word} ${isLoud ? words.toUpperCase().replace(/^V/, 'v') : words}`;
}

/** A short form for the badge: every count, no reasons. */
export function verdictInBrief(report: Report): string {
  const { outcome, profile } = report;
  const [title, preposition] = TITLES[outcome.name];
  const [number = '', ...more] = IN_BRIEF[outcome.name](report);
  const parts = [`${title}${by(preposition, report)}${number}`, ...more];
  return [...parts, ...(profile ? [`profile ${shortDigest(profile)}`] : [])].join(', ');
}

/** What follows the title at once, and after commas. */
const IN_BRIEF: Readonly<Record<OutcomeName, (report: Report) => readonly string[]>> = {
  conforms: (report) => ['', count(coverageOf(report).judged, 'must clause')],
  'conforms-in-part': (report) => ['', ...inPart(report)],
  'conforms-but-waived': (report) => [` except for ${waivedOnly(report)} waived`, ...inPart(report)],
  'no-new-violations': (report) => ['', ...formatExcused(report), ...inPart(report)],
  'does-not-conform': (report) => {
    const failed = `${byLevel(report, countingClauses(report))} broken`;
    return ['', failed, ...inPart(report), ...formatExcused(report)];
  },
  'unused-waivers': (report) => [`: ${staleWaivers(report).length}`, 'nothing else failed', ...formatExcused(report)],
  'not-judged': (report) => ['', ...formatExcused(report)],
};

const MAX_SHORT = 3;

/** How rare a fault `--detect` would have seen. */
function formatDetected({ outcome: { detect } }: Report): string {
  if (!detect) return '';
  const { oneIn, short } = detect;
  if (short.length === 0) return ` (would have seen a fault in 1 of ${oneIn} answers)`;
  return ` (too few answers to see a fault in 1 of ${oneIn}: ${listFirst(short, MAX_SHORT)})`;
}

/** Clauses with failures that are not excused. */
function countingClauses(report: Report): Report['clauses'] {
  const apart = fullyExcusedClauses(report, 'fail');
  return clausesWith(report, 'fail').filter(({ id }) => !apart.includes(id));
}

/** `2 must clauses broken (6 of 63 judged)`, unless all were. Beside should clauses it says which clauses are meant. */
function counting(report: Report): string {
  const failed = countingClauses(report);
  const { mustClauses, mustJudged } = report.outcome;
  const { judged, all } = coverageOf(report);
  const of = failed.every((clause) => brokenLevel(report, clause) === 'must') ? '' : ' must clauses';
  const part = mustJudged === mustClauses ? '' : ` (${judged} of ${all}${of} judged)`;
  return `${byLevel(report, failed)} broken${part}${formatCountedSince(report)}`;
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

/** Broken clauses that are excused. */
function notCounted(report: Report): string {
  const parts = formatExcused(report, report.outcome.name === 'not-judged');
  return parts.length === 0 ? '' : `not counted: ${parts.join(', ')}`;
}

/** `all 75 must clauses judged, none broken`; `68 of 75 must clauses judged, none broken; 7 need an extra key or --openapi` */
function allJudged(report: Report): string {
  const { judged: number, all, rest } = coverageOf(report);
  const counted = number === all ? `all ${all}` : `${number} of ${all}`;
  return `${counted} must clauses judged, none broken${rest}`;
}

function inPart(report: Report): readonly string[] {
  const { mustClauses, mustJudged } = report.outcome;
  if (mustJudged === mustClauses) return [];
  const { judged: number, all, rest } = coverageOf(report);
  return [`${number} of ${all} must clauses judged${rest}`];
}

/** Unused waivers are not the only reason for the exit code. */
function alsoUnused(report: Report): string {
  const unused = staleWaivers(report).length;
  return unused === 0 ? '' : `${count(unused, 'waiver')} unused (--fail-on-unused-waivers)`;
}

/** Something that counts could not be judged, or nothing was. */
function but(report: Report): string {
  const isUndecided = report.ending.kind !== 'complete' || noCaseRan(report) || report.outcome.undecided !== undefined;
  return isUndecided ? `, but ${unjudged(report)}` : '';
}

function clausesWith(report: Report, verdict: VerdictName, level?: string): Report['clauses'] {
  return report.clauses.filter((each) => each.verdict === verdict && (level === undefined || each.level === level));
}

function unjudged(report: Report): string {
  if (report.outcome.exit === EXIT.bug) return thrown(report);
  if (report.ending.kind !== 'complete') return formatEnding(report.ending);
  if (noCaseRan(report)) return 'no case ran';
  // A foreign recording may say nothing about any must clause.
  if (report.outcome.mustJudged === 0 && clausesWith(report, 'inconclusive').length === 0)
    return inPart(report).join('');
  return `${inconclusive(report)} inconclusive${why(report)}`;
}

/** A check of the user's own threw an error. */
function thrown({ cases }: Report): string {
  const reason = cases
    .flatMap(({ expectations }) => expectations)
    .find((each) => each.reason?.kind === 'check-threw')?.reason;
  return reason ? inert(formatCause(reason), MAX_REASON_LENGTH) : '';
}

function why({ outcome: { undecided }, cases }: Report): string {
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
  return joinCounts([must, 'must clause'], [should, 'should clause']) || count(0, 'must clause');
}

/** A badge, in the shape that https://shields.io/badges/endpoint-badge reads. */
export function renderBadgeJson(report: Report): string {
  const color = OUTCOME_LOOKS[report.outcome.name].badge;
  return `${JSON.stringify({ schemaVersion: 1, label: 'wirecheck', message: verdictInBrief(report), color })}\n`;
}
