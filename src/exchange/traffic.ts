/** Everything that a run sent and received, and how it ended. */
import type { Json } from '../json.ts';
import type { Bindings, Cost } from '../plan/plan.ts';
import type { ExtraKey } from '../suite/case.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import type { Notice } from './notice.ts';
import type { DescriptionProblem } from './openapi/description-problem.ts';

/** What is known about a key, without the key itself. */
export interface KeyFacts {
  readonly role: 'full' | ExtraKey;
  readonly hasPrefix: boolean;
}

/** The description that the deployment publishes (part 9.8). Fetching it is not an exchange with the API. */
export type Description =
  | { readonly kind: 'document'; readonly source: string; readonly value: Json }
  | { readonly kind: 'unavailable'; readonly source: string; readonly problem: DescriptionProblem };

export interface Traffic {
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly bindings: Bindings;
  readonly keys: readonly KeyFacts[];
  readonly ending: Ending;
  readonly used: Cost;
  readonly notices: readonly Notice[];
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The target's clock minus ours in milliseconds, from its Date header. */
  readonly clockSkew?: number;
  /** Present if one was given and a case looks at it. */
  readonly description?: Description;
}
