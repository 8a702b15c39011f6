/** What the user should know about a comparison besides its changes. Plain JSON: renderers write the sentences. */
import type { Ending } from '../../exchange/ending.ts';
import type { NamedWaiver } from '../../exchange/notice.ts';
import type { Count, Day } from '../../scalars.ts';

/** Why two runs cannot be compared, or only in part. Runs are named as the user named them. */
export type Obstacle =
  | { readonly kind: 'incomplete'; readonly source: string; readonly ending: Ending }
  /** A report that was made with `--no-bodies`. */
  | { readonly kind: 'without-bodies'; readonly source: string }
  /** Cases that kept a must in the older run, and could not be judged in the newer. */
  | {
      readonly kind: 'undecided';
      readonly cases: readonly string[];
      readonly older: string;
      readonly newer: string;
    }
  /** Cases that the older run judged, and that the newer does not have. */
  | {
      readonly kind: 'lacking';
      readonly cases: readonly string[];
      readonly older: string;
      readonly newer: string;
    }
  /** Both judged cases, but none of them is the same. */
  | { readonly kind: 'no-case-in-common' }
  | { readonly kind: 'nothing-in-common' };

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
      /** For removals only. */
      readonly isAnnounced: boolean;
      /** It names a case, and would otherwise match a change that belongs to a kind of answer and to no case. */
      readonly isOfNoCase?: true;
    } & NamedWaiver);
