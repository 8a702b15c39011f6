/** What planning has to know of a check. Each check says it of itself. */
export interface CheckTraits {
  /** What a request that edits a control has to get. Absent: any outcome counts. */
  readonly seeks?: 'refusal' | 'unauthorized';
  /** A completion is a finding, even if the control was not answered. */
  readonly isBrokenByAnswer?: true;
  /** Other edits of the request change neither whether it holds nor what it looks at. */
  readonly isIndependentOfEdits?: true;
  /** Whether it holds may depend on what is refused, but hardly on the value that was sent. */
  readonly judgesEachRefusal?: true;
}

/** By the names that suites use. */
export type TraitsOfChecks = Readonly<Record<string, CheckTraits>>;
