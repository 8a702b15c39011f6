/** What changed between two runs (parts 3 and 9 of the contract). Plain JSON: renderers write the sentences. */
import type { Endpoint, Mode } from '../../plan/plan.ts';
import type { Finding } from '../../verdict/verdict.ts';
import type { Report } from '../report.ts';

/** The worst first. */
export const CHANGE_KINDS = ['breaking', 'warning', 'additive', 'drift'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What may fail a comparison, together with everything that is worse. */
export const FAIL_ON = ['breaking', 'warning', 'drift'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export const CHANGES = [
  'field-gone',
  'field-type',
  'field-new',
  'body-type',
  'answer-lost',
  'acceptance-lost',
  'answer-new',
  'stream-lost',
  'end-marker-lost',
  'clause-broken',
  'refusal-status',
  'refusal-code',
  'model-gone',
  'model-new',
  'value-new',
  'time',
] as const;
export type ChangeName = (typeof CHANGES)[number];

export interface ChangePlace {
  readonly endpoint?: Endpoint;
  readonly mode?: Mode;
  readonly status?: number;
  /** In the body, with `*` for every item of a list. */
  readonly pointer?: string;
  readonly case?: string;
  /** What was measured, for times. */
  readonly measure?: string;
}

/** One side of a change: what was seen there, and the exchanges that show it. */
export interface Side {
  /** Answers that were looked at, and in how many of them it was. */
  readonly answers?: number;
  readonly present?: number;
  readonly types?: readonly string[];
  readonly status?: number;
  readonly code?: string;
  readonly value?: string;
  readonly finding?: Pick<Finding, 'expected' | 'actualType' | 'actual'>;
  /** Milliseconds. */
  readonly median?: number;
  readonly spread?: number;
  /** At most three. */
  readonly exchanges: readonly string[];
}

export interface Excused {
  readonly by: 'waiver' | 'announcement';
  readonly reason: string;
  readonly link?: string;
  readonly date?: string;
}

export interface Change {
  readonly kind: ChangeKind;
  readonly what: ChangeName;
  /** Id of the clause of part 3 or 9, or of the one that is broken now; times touch none. */
  readonly clause?: string;
  readonly place: ChangePlace;
  readonly old: Side;
  readonly new: Side;
  /** The same as long as the same thing changes in the same place. Waivers can name it. */
  readonly fingerprint: string;
  /** Gone from all answers, as what breaks is, but of fewer than three. */
  readonly scant?: true;
  /** The day for which its removal was announced, where it went before that. */
  readonly announcedFor?: string;
  /** It stays visible, and does not fail the comparison. */
  readonly excused?: Excused;
}

export interface ComparedRun {
  /** As the user named it. */
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

export interface Comparison {
  readonly format: 'wirecheck-comparison';
  readonly version: 1;
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  readonly old: ComparedRun;
  readonly new: ComparedRun;
  readonly failOn: FailOn;
  /** 3 where too little of both could be compared to say that nothing broke. */
  readonly exit: 0 | 1 | 3;
  /** Why they cannot be compared, or only in part. */
  readonly obstacles: readonly string[];
  readonly notices: readonly string[];
  /** What both runs have, and what was left out for being inconclusive, skipped or flaky in one of them. */
  readonly compared: {
    readonly cases: number;
    readonly casesLeftOut: Readonly<Record<LeftOutFor, number>>;
    readonly shapes: number;
    /** Kinds of answer of which the older run has fewer than three: what is gone from them is a warning at most. */
    readonly scantShapes: number;
    readonly answers: number;
  };
  readonly counts: Readonly<Record<ChangeKind, number>>;
  readonly changes: readonly Change[];
}
