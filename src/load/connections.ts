/** The connections of a run: two pools, one of which is dropped before the pause, new ones, and some that were idle. */
import type { Transport } from '../exchange/transport/transport.ts';
import type { ConnectionUse } from './mix.ts';

/** Connections that are used only after they were idle. */
const IDLE_LANES = 4;
/** Milliseconds. */
const SHORTEST_IDLE = 1_000;
const LONGEST_IDLE = 5_000;

/** What a pool has to do here; the bench measures a bare one. */
type Renewable = Pick<Transport, 'renew' | 'close'>;

interface Lane<Wire> {
  readonly transport: Wire;
  isBusy: boolean;
  lastUse: number;
  /** How long it is left idle this time. */
  idle: number;
}

/** Where a call is sent. */
export interface Line<Wire = Transport> {
  readonly transport: Wire;
  readonly isFresh: boolean;
  readonly use: ConnectionUse;
  /** To be called when the call has ended. */
  release(): void;
}

export class LoadConnections<Wire extends Renewable = Transport> {
  readonly #kept: Wire;
  readonly #renewed: Wire;
  readonly #lanes: readonly Lane<Wire>[];
  #turn = 0;

  /** `open`: for this many calls at once. */
  constructor(open: (connections: number) => Wire, inFlight: number) {
    this.#kept = open(inFlight);
    this.#renewed = open(inFlight);
    this.#lanes = Array.from({ length: IDLE_LANES }, (_, place) => ({
      transport: open(1),
      isBusy: false,
      lastUse: -Infinity,
      idle: SHORTEST_IDLE + ((LONGEST_IDLE - SHORTEST_IDLE) * place) / (IDLE_LANES - 1),
    }));
  }

  /** For describing requests and single calls. */
  get main(): Wire {
    return this.#kept;
  }

  choose(use: ConnectionUse): Line<Wire> {
    if (use === 'new') return this.#line(this.#kept, true, 'new');
    const now = performance.now();
    const lane =
      use === 'idle' ? this.#lanes.find(({ isBusy, lastUse, idle }) => !isBusy && now - lastUse > idle) : undefined;
    if (!lane) return this.#line(this.#turn++ % 2 === 0 ? this.#kept : this.#renewed, false, 'kept');
    lane.isBusy = true;
    const release = (): void => {
      lane.isBusy = false;
      lane.lastUse = performance.now();
    };
    return { transport: lane.transport, isFresh: false, use: 'idle', release };
  }

  /** Half of the connections stay open over the pause. */
  async renewHalf(): Promise<void> {
    await this.#renewed.renew();
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#kept, this.#renewed, ...this.#lanes.map(({ transport }) => transport)].map((each) => each.close()),
    );
  }

  #line(transport: Wire, isFresh: boolean, use: ConnectionUse): Line<Wire> {
    return { transport, isFresh, use, release: () => undefined };
  }
}
