/** What the report has of a case of a relay. */
import type { PositiveInteger } from '../scalars.ts';

/** Its exchanges at both ends, in order. */
export interface RelayEvidence {
  readonly front: readonly string[];
  readonly upstream: readonly string[];
  /** If the upstream got no call of a question: chat calls without a word of the run that it refused meanwhile. */
  readonly wordless?: PositiveInteger;
}
