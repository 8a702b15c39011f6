/** What is known while the entry of a case is read. */
import type { Contract } from '../contract/contract.ts';
import type { Path } from '../contract/yaml/yaml-document.ts';
import type { Case, SourcePlace } from './case.ts';
import type { BaseRequests } from './load-requests.ts';
import type { IsUnread } from './read-cases.ts';
import type { CaseEntry } from './suite-file.ts';

/** Everything that an entry may refer to. */
export interface Known {
  readonly contract: Contract;
  readonly requests: BaseRequests;
  /** The cases read so far; one of them may be a control. */
  readonly cases: ReadonlyMap<string, Case>;
  /** Whether a case is of a built-in suite that this run leaves out. */
  isLeftOut(id: string): boolean;
  readonly isUnread: IsUnread;
}

/** The place of a key of the entry, or of a part of its value: in the case itself, or in the variation that overrides it. */
export type PlaceOf = (key: keyof CaseEntry, ...rest: Path) => SourcePlace;
