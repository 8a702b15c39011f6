/** A case as it stands in the YAML of a suite. */
import type { Contract } from '../contract/contract.ts';
import type { Case, Prerequisite, SourcePlace } from './case.ts';
import type { EditKeys, ExpectEntry } from './case-parts.ts';
import type { BaseRequests } from './load-requests.ts';

export interface CaseEntry extends EditKeys {
  readonly id: string;
  readonly title: string;
  readonly request?: string;
  readonly control?: string;
  readonly over?: readonly string[];
  readonly always?: boolean;
  readonly for?: readonly string[];
  readonly each?: Readonly<Record<string, Partial<CaseEntry>>>;
  readonly basis?: string;
  readonly coveredBy?: string;
  readonly confirm?: string;
  readonly sample?: boolean;
  readonly parallel?: boolean;
  readonly wave?: 'closing';
  readonly repeat?: { readonly until: number; readonly most: number };
  readonly needs?: readonly Prerequisite[];
  readonly expect: readonly ExpectEntry[];
}

/** Everything that an entry may refer to. */
export interface Known {
  readonly contract: Contract;
  readonly requests: BaseRequests;
  /** The cases read so far; one of them may be a control. */
  readonly cases: ReadonlyMap<string, Case>;
  /** Whether a case is of a built-in suite that this run leaves out. */
  isLeftOut(id: string): boolean;
  /** The line of a part of the entry. */
  lineOf(path: readonly (string | number)[]): number;
}

export type Path = readonly (string | number)[];
/** The place of a key of the entry, or of a part of its value: in the case itself, or in the variation that overrides it. */
export type PlaceOf = (key: keyof CaseEntry, ...rest: Path) => SourcePlace;
