/** The sentences of a comparison, the same in every format. But for `factsOf`, text of the target is raw: each format makes it inert. */

import { type Exit, EXIT } from '../../exit-codes.ts';
import {
  type Change,
  type Comparison,
  type FoldedChange,
  isOfModels,
  LEFT_OUT_FOR,
  type Side,
} from '../../report/comparison/comparison.ts';
import { inert } from '../../text/inert.ts';
import { count, listFirst } from '../../text/layout.ts';
import { formatActual } from '../../verdict/actual.ts';
import { formatExpected } from '../../verdict/expected.ts';
import { listCasesOf } from './change-titles.ts';
import { formatRemarkOnRuns, formatTimes } from './notice-text.ts';

/** Longer than what a side quotes, which is shortened where it enters: nothing is shortened twice. */
export const MAX_SIDE = 1_000;

export function formatSide(change: Change, side: Side): string {
  const { what, old } = change;
  const { answers = 0, types = [], status, value, finding, median, spread } = side;
  if (median !== undefined) return `${median} ms (median of ${count(answers, 'answer')}, spread ${spread ?? 0} ms)`;
  if (status !== undefined) return formatSideStatus(change, side);
  if (what === 'body-type') return `${types.join(' or ')} in ${count(answers, 'answer')}`;
  // The title names the models.
  if (what === 'model-gone') return side === old ? 'listed' : (value ?? 'not listed');
  if (what === 'model-new') return side === old ? 'not listed' : 'listed';
  if (finding) return `${formatActual(finding.actual)}, expected ${formatExpected(finding.expected)}`;
  if (value !== undefined) return value;
  return what === 'value-new' ? 'not seen' : formatPresence(side);
}

function formatSideStatus({ place }: Change, { status, code, exchanges }: Side): string {
  // A shared request has the name of one of its cases.
  const isShared = place.case !== undefined && exchanges.length > 0 && !exchanges.includes(place.case);
  return `status ${status}${code === undefined ? '' : `, code ${code}`}${isShared ? ', from a request shared with other cases' : ''}`;
}

function formatPresence({ answers = 0, present = 0, types = [] }: Side): string {
  if (present === 0) return `in none of ${count(answers, 'answer')}`;
  const share = `in ${present} of ${count(answers, 'answer')}`;
  return types.length === 0 ? share : `${types.join(' or ')}, ${share}`;
}

/** The lines of an entry below its title, as name and text; inert, for formats that write lists. */
export function factsOf({ change, others }: FoldedChange): readonly (readonly [name: string, text: string])[] {
  const { kind, clause, old, new: now, excused } = change;
  const [remark, waiver] = [formatRemark(change), formatWaiver(change)];
  const cases = listCasesOf({ change, others });
  return [
    ['Before', formatEvidence(change, old)],
    ['Now', formatEvidence(change, now)],
    ...(cases.length > 1 ? [['Cases', inert(listFirst(cases, MAX_CASES), 1_000)] as const] : []),
    ...(clause === undefined ? [] : [['Clause', listClauses(clause, [change, ...others])] as const]),
    ...(remark === undefined ? [] : [['Note', remark] as const]),
    ...(waiver === undefined ? [] : [['Waiver', inert(waiver, 400)] as const]),
    // The section of any other entry says so.
    ...(excused ? [['Kind', kind] as const] : []),
  ];
}

/** `versioning.no-breaking-change; newly broken: errors.code` */
function listClauses(clause: string, changes: readonly Change[]): string {
  const broken = new Set(changes.flatMap(({ breaks = [] }) => breaks.map((each) => each.clause)));
  return broken.size === 0 ? clause : `${clause}; newly broken: ${listFirst([...broken], MAX_CASES)}`;
}

/** One side, and the exchanges that show it. */
export function formatEvidence(change: Change, side: Side): string {
  const shown = inert(formatSide(change, side), MAX_SIDE);
  return side.exchanges.length === 0 ? shown : `${shown} (${inert(side.exchanges.join(', '), 300)})`;
}

/** Why it has its kind, if that is not obvious. */
export function formatRemark({ scant, mended, movedAlong, announcedFor, old }: Change): string | undefined {
  if (announcedFor !== undefined) return `announced for ${announcedFor}, but removed before that day`;
  if (mended) return 'now as the contract says; clients that relied on the old form will notice';
  if (movedAlong) return `moved with it, and not counted apart: ${formatTimes(movedAlong)}`;
  return scant
    ? `only a warning: the older run has ${count(old.answers ?? 0, 'answer')}, and breaking needs 3`
    : undefined;
}

const MAX_CASES = 6;
export const MAX_FINGERPRINTS = 6;

interface WaivableId {
  readonly id: string;
  /** What a waiver of it covers, if that is not plain. */
  readonly covers?: string;
}

/** The ids for a waiver: one fingerprint for one cause, and one each for models that are gone. */
export function fingerprintsOf({ change, others }: FoldedChange): readonly WaivableId[] {
  if (others.length === 0) return [{ id: change.fingerprint }];
  if (!isOfModels(change)) return [{ id: change.cause, covers: `for all ${others.length + 1}` }];
  return [change, ...others].map(({ fingerprint, old }) => ({ id: fingerprint, covers: old.value ?? '' }));
}

export function formatFingerprint(folded: FoldedChange): string {
  const all = fingerprintsOf(folded).map(({ id, covers }) => (covers === undefined ? id : `${id} (${covers})`));
  return listFirst(all, MAX_FINGERPRINTS);
}

export function formatWaiver({ excused }: Change): string | undefined {
  if (!excused) return undefined;
  const { by, reason, owner, link, date } = excused;
  const what = by === 'waiver' ? `waived until ${date}` : `removal announced for ${date}`;
  return `${what}${owner === undefined ? '' : ` by ${owner}`}: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** The last line of every format. */
export function formatResult(comparison: Comparison): string {
  const { compared, counts, exit, changes } = comparison;
  const isWaived = changes.some(({ kind, excused }) => excused && kind === 'breaking');
  const { casesOnlyIn, casesChanged } = compared;
  const alone = casesOnlyIn.old + casesOnlyIn.new + casesChanged;
  const numbers = [
    `${counts.breaking} breaking`,
    count(counts.warning, 'warning'),
    `${counts.additive} additive`,
    `${counts.drift} drift`,
    ...(alone > 0 && exit !== EXIT.notJudged
      ? [`${alone} of ${count(countCases(compared), 'case')} not compared`]
      : []),
    ...(counts.waived > 0 ? [`${counts.waived} waived`] : []),
  ].join(', ');
  if (exit === EXIT.notJudged) return `NOT COMPARED: ${formatObstacle(comparison)}; otherwise ${numbers}`;
  const words: Record<Exit<'passed' | 'failed'>, string> = {
    [EXIT.passed]: isWaived ? 'NO NEW BREAKING CHANGES' : 'NO BREAKING CHANGES',
    [EXIT.failed]: counts.breaking > 0 ? 'BREAKING CHANGES' : 'CHANGED',
  };
  return `${words[exit]}: ${numbers}`;
}

function formatObstacle({ compared, obstacles, old, new: now }: Comparison): string {
  const bare = [...(old.withoutBodies ? ['older'] : []), ...(now.withoutBodies ? ['newer'] : [])];
  if (bare.length > 0)
    return `the ${bare.join(' and the ')} run ${bare.length > 1 ? 'have' : 'has'} no bodies (--no-bodies)`;
  const [obstacle] = obstacles;
  if (obstacle?.kind === 'lacking')
    return `${formatShare(compared, obstacle.cases.length, ['was', 'were'])} judged only in the older run`;
  if (obstacle?.kind === 'undecided')
    return `${formatShare(compared, obstacle.cases.length, ['passed', 'passed'])} in the older run and could not be judged in the newer`;
  if (obstacle?.kind === 'no-case-in-common') return 'no case was judged in both runs';
  const left = formatLeftOut(compared);
  const why = obstacle ? formatRemarkOnRuns(obstacle).replace(/\.$/, '') : 'a run did not finish';
  return left === '' ? why : `${left} in one run or both`;
}

/** `8 of 147 cases were skipped`, or `102 of 144 cases were inconclusive (100) or flaky (2)` */
function formatLeftOut(compared: Comparison['compared']): string {
  const { casesLeftOut } = compared;
  const why = LEFT_OUT_FOR.filter((name) => casesLeftOut[name] > 0);
  const all = why.reduce((sum, name) => sum + casesLeftOut[name], 0);
  if (all === 0) return '';
  const reasons = why.length === 1 ? why : why.map((name) => `${name} (${casesLeftOut[name]})`);
  return `${formatShare(compared, all, ['was', 'were'])} ${reasons.join(' or ')}`;
}

/** `Not compared: 6 of 48 cases were skipped in one run or both, 38 of 48 cases are only in the older run.` */
function formatUncompared(compared: Comparison['compared']): readonly string[] {
  const { casesOnlyIn, casesChanged } = compared;
  const { old, new: now } = casesOnlyIn;
  const left = formatLeftOut(compared);
  const parts = [
    ...(left === '' ? [] : [`${left} in one run or both`]),
    ...(casesChanged === 0
      ? []
      : [`${formatShare(compared, casesChanged, ['has', 'have'])} another request in each run`]),
    ...(old === 0 ? [] : [`${formatShare(compared, old, ['is', 'are'])} only in the older run`]),
    ...(now === 0 ? [] : [`${formatShare(compared, now, ['is', 'are'])} only in the newer run`]),
  ];
  return parts.length === 0 ? [] : [`Not compared: ${parts.join(', ')}.`];
}

/** `6 of 48 cases were` */
function formatShare(
  compared: Comparison['compared'],
  cases: number,
  [singular, plural]: readonly [string, string],
): string {
  return `${cases} of ${count(countCases(compared), 'case')} ${cases === 1 ? singular : plural}`;
}

/** Of either run. */
function countCases({ cases, casesLeftOut, casesChanged, casesOnlyIn }: Comparison['compared']): number {
  const parts = [...Object.values(casesLeftOut), casesChanged, ...Object.values(casesOnlyIn)];
  return parts.reduce((sum, part) => sum + part, cases);
}

export function formatScope({ compared }: Comparison): string {
  const { cases, shapes, scantShapes, answers } = compared;
  const scant = `${count(scantShapes, 'kind')} of answer ${scantShapes === 1 ? 'has' : 'have'} fewer than 3 answers`;
  return [
    `Compared ${count(cases, 'case')} and ${count(shapes, 'kind')} of answer (${count(answers, 'answer')} in the older run).`,
    ...formatUncompared(compared),
    ...(scantShapes === 0 ? [] : [`${scant}: a field missing from them is only a warning.`]),
  ].join(' ');
}
