/** A statement of the contract, and how it is read. */
export const KINDS = ['stated', 'implied', 'prudent', 'silent', 'outside'] as const;
export type Kind = (typeof KINDS)[number];

export const LEVELS = ['must', 'should', 'observe'] as const;
export type Level = (typeof LEVELS)[number];

/** The input a clause needs: any run, a run with an extra key, two runs, or the published description. */
export const SCOPES = ['run', 'extra-key', 'comparison', 'description'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Clause {
  readonly id: string;
  /** Part of the contract, such as `5.5`; `-` if the contract does not mention it. */
  readonly part: string;
  readonly kind: Kind;
  /** `none` if it does not show over the wire. */
  readonly level: Level | 'none';
  /** Why the level is not the usual one of its kind, or why it does not show. */
  readonly why?: string;
  readonly scope: Scope;
  readonly summary: string;
}

export const USUAL_LEVEL: Record<Kind, Level | 'none'> = {
  stated: 'must',
  implied: 'should',
  prudent: 'should',
  silent: 'observe',
  outside: 'none',
};
