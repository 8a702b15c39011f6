/** Changes between two runs (parts 3 and 9 of the contract). Plain JSON: renderers write the sentences. */

import { createHash } from 'node:crypto';
import type { Ending } from '../../exchange/ending.ts';
import type { NamedWaiver } from '../../exchange/notice.ts';
import type { SummaryExit } from '../../exit-codes.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import type { Count, Day, Fingerprint, Integer } from '../../scalars.ts';
import type { Finding } from '../../verdict/verdict.ts';
import { groupBy } from '../counts.ts';
import type { Report } from '../report.ts';

/** The worst first. */
export const CHANGE_KINDS = ['breaking', 'warning', 'additive', 'drift'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Changes that may fail a comparison, together with everything worse. Additive ones never do. */
export const FAIL_ON = ['breaking', 'warning', 'drift'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Whether a change fails a comparison that fails on these and on everything worse. */
export function failsAt({ kind, excused }: Pick<Change, 'kind' | 'excused'>, failOn: FailOn): boolean {
  const failing: readonly ChangeKind[] = FAIL_ON.slice(0, FAIL_ON.indexOf(failOn) + 1);
  return !excused && failing.includes(kind);
}

const NO_BREAKING_CHANGE = 'versioning.no-breaking-change';
const ADDITIVE = 'versioning.additive';
const RETIRED_REMOVED = 'lifecycle.retired-removed';

interface ChangeRow {
  /** The change as a rule of SARIF names it. */
  readonly rule: string;
  /** The clause of part 3 or 9 that it touches. */
  readonly clause?: string;
  /** Removals can be announced (part 9.5). */
  readonly isRemoval?: true;
  /** It shows in the answer of one case. */
  readonly isOfCase?: true;
  /** One answer shows nothing of it, as of a list of models or of many times. */
  readonly isBodiless?: true;
}

const REMOVAL = { clause: NO_BREAKING_CHANGE, isRemoval: true } as const;

const CHANGE_TABLE = {
  'field-gone': { rule: 'A field is no longer in answers', ...REMOVAL },
  'field-type': { rule: 'A field has a different type', clause: NO_BREAKING_CHANGE },
  'field-new': { rule: 'A field is new', clause: ADDITIVE },
  'body-type': { rule: 'A body has a different type', ...REMOVAL },
  'answer-lost': { rule: 'A request is no longer answered', ...REMOVAL, isOfCase: true },
  'acceptance-lost': { rule: 'A request is no longer accepted', ...REMOVAL, isOfCase: true },
  'answer-new': { rule: 'A request was refused and is now answered', clause: ADDITIVE },
  'stream-lost': { rule: 'A request for a stream no longer gets one', ...REMOVAL },
  'end-marker-lost': { rule: 'Streams no longer have their end marker', ...REMOVAL },
  /** It names the clause that is broken now. */
  'clause-broken': { rule: 'A clause held and is broken now' },
  'refusal-status': { rule: 'A refusal has a different status', clause: NO_BREAKING_CHANGE, isOfCase: true },
  'refusal-code': { rule: 'A refusal has a different code', clause: NO_BREAKING_CHANGE, isOfCase: true },
  'model-gone': { rule: 'A model is no longer listed', clause: RETIRED_REMOVED, isRemoval: true, isBodiless: true },
  'model-new': { rule: 'A model is new', clause: ADDITIVE, isBodiless: true },
  'value-new': { rule: 'A field has a new value', clause: ADDITIVE },
  attempts: { rule: 'The upstream calls of a call have changed', isBodiless: true },
  time: { rule: 'A time has changed', isBodiless: true },
  'token-count': { rule: 'The count of prompt tokens has changed', isBodiless: true },
} satisfies Record<string, ChangeRow>;

export type ChangeName = keyof typeof CHANGE_TABLE;
export const CHANGES: Readonly<Record<ChangeName, ChangeRow>> = CHANGE_TABLE;

export interface ChangePlace {
  readonly endpoint?: Endpoint;
  readonly mode?: Mode;
  readonly status?: Integer;
  /** The place in the body, with `*` for every item of a list. */
  readonly pointer?: string;
  readonly case?: string;
  /** That of the case. */
  readonly title?: string;
  /** What was measured, for times and token counts. */
  readonly measure?: string;
}

/** @title an answer */
export interface ShownAnswer {
  readonly exchange: string;
  readonly status: Integer;
  readonly body: string;
  /** Only the beginning of the body is here. */
  readonly isCut?: true;
}

/**
 * One side of a change: what was seen there, and the exchanges that show it.
 *
 * @title one side of a change
 */
export interface ChangeSide {
  /** Answers that were looked at, and in how many of them it was. */
  readonly answers?: Count;
  readonly present?: Count;
  readonly types?: readonly string[];
  readonly status?: Integer;
  readonly code?: string;
  readonly value?: string;
  readonly finding?: Pick<Finding, 'expected' | 'actualType' | 'actual'>;
  /** Milliseconds. */
  readonly median?: number;
  readonly spread?: number;
  /** Milliseconds, each; of many, the first. */
  readonly times?: readonly number[];
  /** One of the answers that show it. */
  readonly answer?: ShownAnswer;
  /** There are at most three. */
  readonly exchanges: readonly string[];
}

export interface Excused {
  readonly by: 'waiver' | 'announcement';
  readonly reason: string;
  readonly owner?: string;
  readonly link?: string;
  readonly date?: string;
}

/** @title a clause that a change breaks */
export interface BrokenClause {
  readonly clause: string;
  /** The case that shows it. */
  readonly case: string;
}

/** @title a time that moved along with another */
export interface MovedTime {
  /** What was measured. */
  readonly measure: string;
  /** Medians of the two runs in milliseconds. */
  readonly old: number;
  readonly new: number;
}

/** @title a change */
export interface Change {
  readonly kind: ChangeKind;
  readonly what: ChangeName;
  /** Id of the clause of part 3 or 9, or of the one that is broken now; times touch none. */
  readonly clause?: string;
  readonly place: ChangePlace;
  readonly old: ChangeSide;
  readonly new: ChangeSide;
  /** The same as long as the same thing changes in the same place. Waivers can name it. */
  readonly fingerprint: Fingerprint;
  /** The same for all changes of one cause, wherever they are seen: one waiver can name them all by it. */
  readonly cause: Fingerprint;
  /** The command that sends the request of the newer run again. */
  readonly repeat?: string;
  /** The command that explains the clause, with the profile or the suite of the newer run if it needs one. */
  readonly explain?: string;
  /** Would be breaking, but there were fewer than three answers. */
  readonly scant?: true;
  /** A warning at most: the older run broke the contract there, and the newer one keeps it. */
  readonly mended?: true;
  /** Clauses that held in the older run, and that the newer one breaks by this change. A waiver can name them. */
  readonly breaks?: readonly BrokenClause[];
  /** Other times that moved with this one, by no more than it did. */
  readonly movedAlong?: readonly MovedTime[];
  /** The announced date of the removal, if it happened before that date. */
  readonly announcedFor?: string;
  /** It stays visible, and does not fail the comparison. */
  readonly excused?: Excused;
}

/** @title a run */
export interface ComparedRun {
  /** The file, as the user named it. */
  readonly source: string;
  readonly tool: string;
  readonly baseUrl: string;
  readonly model?: string;
  readonly startedAt: string;
  readonly contractHash: string;
  readonly outcome: Report['outcome']['name'];
  readonly ending: Report['ending']['kind'];
  /** Made with `--no-bodies`. */
  readonly withoutBodies?: true;
}

/** Why a case was not compared. */
export const LEFT_OUT_FOR = ['inconclusive', 'skipped', 'flaky'] as const;
export type LeftOutFor = (typeof LEFT_OUT_FOR)[number];

/**
 * The changes between two runs, as `wirecheck compare --reporter json` writes them.
 *
 * @title a comparison
 */
export interface Comparison {
  readonly format: 'wirecheck-comparison';
  readonly version: 2;
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  readonly old: ComparedRun;
  readonly new: ComparedRun;
  readonly failOn: FailOn;
  /** 3: too little could be compared to say that nothing broke. */
  readonly exit: SummaryExit;
  /** The result in one sentence, as every format ends. In the JSON only. */
  readonly line?: string;
  /** Why they cannot be compared, or only in part. */
  readonly obstacles: readonly Obstacle[];
  readonly notices: readonly ComparisonNotice[];
  /** What both runs have, and what was left out for being inconclusive, skipped or flaky in one of them. */
  readonly compared: {
    readonly cases: Count;
    readonly casesLeftOut: Readonly<Record<LeftOutFor, Count>>;
    /** Cases of both runs with another request in each: a suite or a limit has changed. */
    readonly casesChanged: Count;
    /** Cases that this run judged and the other does not have. */
    readonly casesOnlyIn: { readonly old: Count; readonly new: Count };
    readonly shapes: Count;
    /** Kinds of answer that the older run has fewer than three of: a loss there is only a warning. */
    readonly scantShapes: Count;
    readonly answers: Count;
  };
  /** Numbers of `entries`, not of `changes`. A waived entry counts as waived, and not by its kind. */
  readonly counts: Readonly<Record<ChangeKind | 'waived', Count>>;
  /** One for each cause, however many places show it. In the JSON only. */
  readonly entries?: readonly ComparisonEntry[];
  /** One for each place. */
  readonly changes: readonly Change[];
}

/** @title an entry */
export interface ComparisonEntry {
  /** What it counts as. */
  readonly counted: ChangeKind | 'waived';
  /** What changed, and where or in how many places. */
  readonly title: string;
  /** Its places: positions in `changes`, from 0. The first has the most answers. */
  readonly changes: readonly Count[];
}

/** The fingerprint says what changed and where, never values, texts or times. */
export function changeOf(parts: Omit<Change, 'fingerprint' | 'cause'>): Change {
  const { kind, what, ...rest } = parts;
  const { place, old, new: now } = rest;
  const { clause } = CHANGES[what];
  const { endpoint, mode, status, pointer, case: id, measure } = place;
  const identity = [
    ...[what, endpoint, mode, status, pointer, id, measure],
    what === 'field-type' ? [old.types, now.types] : [],
    // Unlike in findings, the model id is included: a waiver for one removed model must not cover another.
    ...(what === 'model-gone' ? [old.value] : what === 'model-new' ? [now.value] : []),
  ];
  return {
    ...{ kind, what, ...(clause !== undefined && { clause }), ...rest },
    fingerprint: hashOf(identity),
    cause: causeOf(parts),
  };
}

/** One cause shows in many cases and kinds of answer. Unlike a fingerprint it has values: a code is not just any code. */
export function causeOf({ what, clause, place, old, new: now }: Omit<Change, 'fingerprint' | 'cause'>): string {
  const { pointer, case: id, measure } = place;
  if (what === 'clause-broken') return hashOf([what, clause, pointer]);
  if (what === 'model-gone' || what === 'model-new') return hashOf([what, old.value, now.value]);
  if (id === undefined) return hashOf([what, pointer, old.types, newTypesOf(old, now), now.value, measure]);
  // Another status for whatever is refused is one cause, though each refusal keeps its own code.
  const codes = old.code === now.code ? [] : [old.code, now.code];
  return hashOf([what, old.status, now.status, codes, now.value]);
}

/** A field that has a new type in some answers only is treated like one that has it in all. */
function newTypesOf({ types: old = [] }: ChangeSide, { types: now }: ChangeSide): readonly string[] | undefined {
  const added = now?.filter((type) => !old.includes(type)) ?? [];
  return added.length === 0 ? now : added;
}

function hashOf(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
}

/** Why two runs cannot be compared, or only in part. Runs are named as the user named them. */
export type Obstacle =
  | { readonly kind: 'incomplete'; readonly source: string; readonly ending: Ending }
  /** A report that was made with `--no-bodies`. */
  | { readonly kind: 'without-bodies'; readonly source: string }
  | LostCases
  /** Both judged cases, but none of them is the same. */
  | { readonly kind: 'no-case-in-common' }
  | { readonly kind: 'nothing-in-common' };

/**
 * `undecided`: cases that kept a must in the older run, and could not be judged in the newer. `lacking`: cases that the
 * older run judged, and that the newer does not have.
 */
interface LostCases extends Readonly<Record<'older' | 'newer', string>> {
  readonly kind: 'undecided' | 'lacking';
  readonly cases: readonly string[];
}

export type ComparisonNotice =
  /** The run that was named second is the older one. */
  | { readonly kind: 'wrong-order'; readonly older: string; readonly newer: string }
  | { readonly kind: 'same-run' }
  /** A profile by name, version, number of changes and digest. */
  | { readonly kind: 'same-profile'; readonly profile: string }
  /** Absent for v1 as it is. */
  | { readonly kind: 'different-profiles'; readonly older?: string; readonly newer?: string }
  | { readonly kind: 'different-contracts' }
  /** Absent: no model was called. */
  | { readonly kind: 'different-models'; readonly older?: string; readonly newer?: string }
  /** Cases that this run judged and the other does not have. */
  | { readonly kind: 'only-here'; readonly source: string; readonly cases: readonly string[] }
  | { readonly kind: 'bodies-missing'; readonly source: string; readonly count: Count }
  /** Clauses that the two contracts define differently, so that their verdicts are not compared. */
  | { readonly kind: 'redefined'; readonly clauses: readonly string[] }
  /** Clauses on limits that differ: compared where both runs sent the same value, and nowhere else. */
  | { readonly kind: 'other-limits'; readonly clauses: readonly string[] }
  | { readonly kind: 'fixed'; readonly clauses: readonly string[] }
  /** Models that were marked deprecated, and are no longer listed. */
  | { readonly kind: 'retired'; readonly models: readonly string[] }
  /** Its changes count again. */
  | ({ readonly kind: 'waiver-expired'; readonly until: Day } & NamedWaiver)
  | ({
      readonly kind: 'waiver-idle';
      /** The last day of one that is over. */
      readonly expired?: Day;
      /** It is an announcement, which accepts removals only. */
      readonly isAnnounced: boolean;
      /** It names a case, and would otherwise match a change that belongs to a kind of answer and to no case. */
      readonly isOfNoCase?: true;
    } & NamedWaiver);

/** One entry for one cause: changes that differ only in their place. Every format counts entries. */
export interface FoldedChange {
  readonly change: Change;
  readonly others: readonly Change[];
}

export function foldChanges(changes: readonly Change[]): readonly FoldedChange[] {
  return [...groupBy(changes, entryOf).values()].flatMap(([change, ...others]) => (change ? [{ change, others }] : []));
}

/** New models, and models that are gone alike, share an entry, though each is a cause of its own. */
function entryOf(change: Change): string {
  const { kind, what, clause, cause, new: now, excused, scant, mended, announcedFor } = change;
  const group = isOfModels(change) ? [what, clause, what === 'model-gone' ? now.value : ''] : [cause];
  return JSON.stringify([kind, group, excused, scant, mended, announcedFor]);
}

export function isOfModels({ what }: Change): boolean {
  return what === 'model-gone' || what === 'model-new';
}

/** A waived change counts as waived, and not by its kind. */
export function countedAs({ kind, excused }: Change): ChangeKind | 'waived' {
  return excused ? 'waived' : kind;
}

/** Entries by kind. */
export function countEntries(changes: readonly Change[]): Comparison['counts'] {
  const counts = { breaking: 0, warning: 0, additive: 0, drift: 0, waived: 0 };
  for (const { change } of foldChanges(changes)) counts[countedAs(change)] += 1;
  return counts;
}
