/** A balancer in front of several replicas: the first has the modifiers, the others conform. A gateway on its own is a pool of one. */
import { KEYS, type Model, MODELS, RateLimit } from './access.ts';
import { type Memory, Prompts, Tally } from './call.ts';
import type { Modifier } from './modifier.ts';
import { hash, randomNumbers } from '../random.ts';
import type { Deployment } from './respond.ts';

export interface OneIn {
  readonly replicas: number;
  /** The balancer chooses a replica at random for each request, or once for each connection. */
  readonly per: 'request' | 'connection';
}

/** Each replica remembers its own calls only, so that a fault of the second call is that of its own second call. */
export interface Replica {
  readonly deployment: Deployment;
  readonly memory: Memory;
}

export interface PoolOptions {
  readonly modifiers: readonly Modifier[];
  readonly oneIn?: OneIn | undefined;
  readonly eventGapMs: number;
  readonly seed: number;
}

export class Pool {
  readonly replicas: readonly [Replica, ...Replica[]];
  readonly #perConnection: boolean;
  readonly #random: () => number;
  readonly #byConnection = new WeakMap<object, Replica>();

  constructor({ modifiers, oneIn, eventGapMs, seed }: PoolOptions) {
    const shared = sharedBy(modifiers);
    const gapOf = (own: readonly Modifier[]): number =>
      own.findLast((modifier) => modifier.eventGapMs !== undefined)?.eventGapMs ?? eventGapMs;
    const replicaWith = (own: readonly Modifier[], index: number): Replica => ({
      // Another seed for each replica, so that two of them never give the same id.
      deployment: { ...shared, modifiers: own, eventGapMs: gapOf(own), seed: seed + index },
      memory: { tally: new Tally(), prompts: new Prompts(), answers: new Map() },
    });
    const others = Array.from({ length: (oneIn?.replicas ?? 1) - 1 }, (_, index) => replicaWith([], index + 1));
    this.replicas = [replicaWith(modifiers, 0), ...others];
    this.#perConnection = oneIn?.per === 'connection';
    this.#random = randomNumbers(hash(`balancer:${seed}`));
  }

  /** The replica that answers the next request on a connection, which any object may stand for. */
  choose(connection: object): Replica {
    const before = this.#perConnection ? this.#byConnection.get(connection) : undefined;
    if (before !== undefined) return before;
    const chosen = this.replicas[Math.floor(this.#random() * this.replicas.length)] ?? this.replicas[0];
    this.#byConnection.set(connection, chosen);
    return chosen;
  }
}

/** Keys, models and limits are the configuration of the whole pool: a key or a model of one replica alone would be unknown to the others. */
function sharedBy(modifiers: readonly Modifier[]): Pick<Deployment, 'keys' | 'models' | 'rateLimit'> {
  return {
    keys: Object.assign({}, KEYS, ...modifiers.map((modifier) => modifier.keys ?? {})),
    models: modifiers.reduce<readonly Model[]>((models, modifier) => modifier.models?.(models) ?? models, MODELS),
    rateLimit: new RateLimit(),
  };
}
