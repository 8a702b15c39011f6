/** The sentences for obstacles and notices of a comparison. Text of the target is raw: each format makes it inert. */

import { formatEnding } from '../../exchange/ending.ts';
import { formatNamedWaiver } from '../../exchange/notice.ts';
import type { Comparison, ComparisonNotice, MovedTime, Obstacle } from '../../report/comparison/comparison.ts';
import { count, listFirst } from '../../text/layout.ts';
import type { OfKind } from '../../verdict/reason.ts';

type Remark = Obstacle | ComparisonNotice;

/** Clauses and models that a sentence lists; the JSON has all. */
const MAX_LISTED = 10;

const REMARKS: { readonly [Kind in Remark['kind']]: (remark: OfKind<Remark, Kind>) => string } = {
  incomplete: ({ source, ending }) =>
    `Not everything can be compared: ${source} is incomplete (${formatEnding(ending)}).`,
  'without-bodies': ({ source }) =>
    `The report ${source} was made with --no-bodies, so its answers cannot be compared. Compare recordings, or reports with bodies.`,
  undecided: ({ cases: [first = '', ...others], older, newer }) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first}${more} passed in ${older} and could not be judged in ${newer}. Look up the reason there, and run it again.`;
  },
  lacking: ({ cases, older, newer }) =>
    `${newer} lacks ${count(cases.length, 'case')} that ${older} judged: ${listFirst(cases, MAX_LISTED)}. Make both runs with the same settings.`,
  'no-case-in-common': () => 'No case was judged in both runs.',
  'nothing-in-common': () => 'The two runs have no case and no kind of answer in common.',
  'wrong-order': ({ older, newer }) => `${older} is older than ${newer}. If it is the older version, name it first.`,
  'same-run': () => 'Both files contain the same run.',
  'same-profile': ({ profile }) => `Both runs were judged by ${profile}.`,
  'different-profiles': ({ older = 'v1', newer = 'v1' }) =>
    `The runs were judged by different contracts: ${older}, then ${newer}. Their verdicts do not mean the same.`,
  'different-contracts': () => 'The runs used different clauses or suites. Only cases in both are compared.',
  'different-models': ({ older = 'none', newer = 'none' }) =>
    `The runs used different models: ${older}, then ${newer}.`,
  'bodies-missing': ({ source, count: missing }) =>
    `${source} lacks ${missing === 1 ? 'one complete body' : `${missing} complete bodies`}, so their fields are not compared. A recording has all bodies.`,
  'only-here': ({ source, cases }) =>
    `Only ${source} has ${count(cases.length, 'case')}, which cannot be compared: ${listFirst(cases, MAX_LISTED)}.`,
  redefined: ({ clauses }) =>
    `The two contracts define these clauses differently, so their verdicts were not compared: ${listFirst(clauses, MAX_LISTED)}.`,
  'other-limits': ({ clauses }) =>
    `The two contracts set different limits, so these clauses were compared only where both runs sent the same value: ${listFirst(clauses, MAX_LISTED)}.`,
  fixed: ({ clauses }) => `Fixed since the older run: ${clauses.slice(0, MAX_LISTED).join(', ')}.`,
  retired: ({ models }) => `Removed after deprecation: ${models.slice(0, MAX_LISTED).join(', ')}.`,
  'waiver-expired': ({ until, ...waiver }) =>
    `${formatNamedWaiver(waiver)} expired on ${until}, so its changes count again. Fix them, or set a later date.`,
  'waiver-idle': ({ expired, isAnnounced, isOfNoCase, ...waiver }) => {
    const why = isOfNoCase
      ? ' A changed field belongs to a kind of answer, not to a case: leave out case, and name the fingerprint.'
      : '';
    const idle = `matches nothing that ${isAnnounced ? 'was removed' : 'changed'} between the two runs.${why}`;
    return `${formatNamedWaiver(waiver)} ${expired === undefined ? idle : `expired on ${expired}, and ${idle}`}`;
  },
};

/** `first text of a stream from 27 to 316 ms` */
export function formatTimes(times: readonly MovedTime[]): string {
  return times.map(({ measure, old, new: now }) => `${measure} from ${old} to ${now} ms`).join(', ');
}

export function formatRemarkOnRuns(remark: Remark): string {
  // The table is keyed by the kind itself, which the compiler cannot follow through an index.
  return (REMARKS[remark.kind] as (remark: Remark) => string)(remark);
}

/** Obstacles first: they decide the exit code. */
export function listRemarks({ obstacles, notices }: Pick<Comparison, 'obstacles' | 'notices'>): readonly string[] {
  return [...obstacles, ...notices].filter((remark) => !isOnContracts(remark)).map(formatRemarkOnRuns);
}

/** Stands before everything else: verdicts by a profile do not mean what those by v1 mean. */
export function contractRemarks({ notices }: Pick<Comparison, 'notices'>): readonly string[] {
  return notices.filter(isOnContracts).map(formatRemarkOnRuns);
}

function isOnContracts({ kind }: Remark): boolean {
  return kind === 'different-profiles' || kind === 'same-profile';
}
