/** What planning has to know of a check. Each check says it of itself. */
export interface CheckTraits {
  /** What a request that edits a control has to get. Absent: any outcome counts. */
  readonly seeks?: 'refusal' | 'unauthorized';
  /** A completion is a finding, even if the control was not answered. */
  readonly isBrokenByAnswer?: true;
  /** Other edits of the request change neither whether it holds nor what it looks at. */
  readonly isIndependentOfEdits?: true;
}

/** By the names that suites use. */
export type TraitsOfChecks = Readonly<Record<string, CheckTraits>>;
