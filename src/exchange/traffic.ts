/** Everything that one run sent and received, and how it came to its end. */
import type { Json } from '../json.ts';
import type { FilledRequest } from '../plan/bind-request.ts';
import type { Bindings, Cost } from '../plan/plan.ts';
import type { ExtraKey } from '../suite/case.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';

/** What is known of a key without holding it. */
export interface KeyFacts {
  readonly role: 'full' | ExtraKey;
  readonly hasPrefix: boolean;
}

/** What the deployment publishes about itself (part 9.8). Not an exchange: nothing of the API was asked. */
export type Description =
  | { readonly kind: 'document'; readonly source: string; readonly value: Json }
  /** `reason` stands behind "the description". */
  | { readonly kind: 'unavailable'; readonly source: string; readonly reason: string };

export interface Traffic {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  readonly bindings: Bindings;
  readonly keys: readonly KeyFacts[];
  readonly ending: Ending;
  readonly used: Cost;
  /** Things that the user should know, such as a key too short to be found in bodies. */
  readonly notices: readonly string[];
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The target's clock less ours, from its Date header. */
  readonly clockSkew?: number;
  /** Where the user named one and a case looks at it. */
  readonly description?: Description;
}

/** A request with every value filled in, ready for the transport. */
export type BoundRequest = FilledRequest;
