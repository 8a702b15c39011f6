/** Tries `wirecheck load` on a gateway or a relay whose fault shows only under load, or on one that copes in an unusual way. */
import { KEYS, startGateway } from '../../src/gateway/index.ts';
import type { Watcher } from '../../src/gateway/send.ts';
import { runLoad, setUpLoad } from '../../src/gather/load/run-load.ts';
import type { Report } from '../../src/report/report.ts';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../src/settings.ts';
import { RELAY_KEYS, type RelayOptions, startSmallRelay } from '../relays/small-relay.ts';
import type { TestSubject } from '../test-subjects.ts';
import type { Judged, TestSide } from '../trial.ts';
import { timeoutsFor } from '../try-gateway.ts';
import type { GatewayRow, LoadRow, RelayRow } from './load-row.ts';
import { type Condition, openSlots, Pressure } from './pressure.ts';

/** Milliseconds before an answer. A server that answers at once never has many calls in flight. */
const LATENCY = 15;

export interface Front {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Those of a caller: with a second one, a list may be another key's. */
export function frontKeys({ front }: LoadRow): Keys {
  return front === 'gateway'
    ? { full: KEYS.full, restricted: KEYS.restricted }
    : { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
}

/** `urls`: of the upstreams, for relays. */
export function startFront(row: LoadRow, urls: Urls): Promise<Front> {
  return row.front === 'gateway' ? startGatewayFront(row) : startRelayFront(row, urls);
}

type Urls = Pick<RelayOptions, 'upstreamUrl' | 'fallbackUrl'>;

async function startGatewayFront({ title, always, change, slots, latencyMs, when }: GatewayRow): Promise<Front> {
  const pressure = new Pressure();
  const holds = allOf(when, pressure);
  const places = slots === undefined ? undefined : openSlots(slots);
  const ends = new WeakMap<object, (left: boolean) => void>();
  const gateway = await startGateway({
    latencyMs: latencyMs ?? LATENCY,
    eventGapMs: 1,
    modifiers: always ? [{ title, ...always }] : [],
    route: (call) => {
      ends.set(call, pressure.begin());
      return change && holds(call) ? [{ title, ...change }] : [];
    },
    watch: (call): Watcher => ({
      answers: () => undefined,
      wrote: () => undefined,
      ended(left) {
        ends.get(call)?.(left);
        places?.free();
      },
    }),
    hold: () => places?.take(),
  });
  return { baseUrl: gateway.baseUrl, close: () => gateway.close() };
}

function startRelayFront({ always, change, when }: RelayRow, urls: Urls): Promise<Front> {
  const pressure = new Pressure();
  const holds = allOf(when, pressure);
  const changed = typeof change === 'function' ? change(pressure) : change;
  return startSmallRelay({
    ...urls,
    modifiers: [{ delay: LATENCY }, ...(always ? [always] : [])],
    watch(response) {
      const end = pressure.begin(() => response.writableLength);
      response.on('close', () => end(!response.writableFinished));
    },
    route: (call) => (changed && holds(call) ? changed : {}),
  });
}

function allOf<Call>(when: readonly Condition<(call: Call) => boolean>[] = [], pressure: Pressure) {
  const conditions = when.map(({ watch }) => watch(pressure));
  return (call: Call): boolean => conditions.every((holds) => holds(call));
}

/** Clauses on times. */
const TIMED = ['load.pieces', 'stream.closes'];

/** Two, since each pauses for seconds. Replies of 8 MiB take all of a core, and times of a busy stage do not count. */
export const LOAD_TRIALS: TestSide = {
  parallel: 2,
  needsQuiet: ({ load, breaks }: TestSubject & LoadRow) =>
    load?.slowReaders !== undefined || (breaks?.some((clause) => TIMED.includes(clause)) ?? false),
  tryOut: tryLoad,
};

/** The conditions of all rows are met by these. */
const STAGES = ['1', '4', '16'];
/** Milliseconds. */
const DURATION = 5_000;
const RECOVERY = 2_500;
const SILENCE = 6_000;
/** Factor of the pause before the burst, for targets that do nothing special after one. */
const PACE = 0.1;

async function tryLoad(row: TestSubject & LoadRow, patience: number): Promise<Judged> {
  const keys = frontKeys(row);
  const settings = settingsFor(row, patience);
  const setup = await setUpLoad(settings, keys, row.front === 'relay' ? 0 : undefined);
  const { url: upstreamUrl = '', fallbackUrl } = setup.upstream ?? {};
  const front = await startFront(row, { upstreamUrl, fallbackUrl });
  try {
    const pace = row.when?.some(({ kind }) => kind === 'idle') ? 1 : PACE;
    const plain = await runLoad({ ...settings, baseUrl: front.baseUrl }, keys, setup, { pace });
    return { plain, problems: seenTooEarly(plain, row) };
  } finally {
    await front.close();
  }
}

/**
 * Sightings at a load that does not show the fault. Half of it, since calls of clients that have left may still be under
 * way at the target.
 */
function seenTooEarly({ load }: Report, { breaks = [], when = [] }: LoadRow): readonly string[] {
  const limits = when.flatMap(({ inFlight }) => inFlight ?? []);
  const least = Math.max(0, ...limits) / 2;
  const counts = load?.counts.filter(({ clause }) => breaks.includes(clause)) ?? [];
  return counts.flatMap(({ clause, firstAt = Infinity, threshold }) => {
    const seenAt = Math.min(firstAt, ...(threshold?.fewer ?? []).map(({ inFlight }) => inFlight));
    return seenAt > least ? [] : [`${clause} was seen at ${seenAt} in flight, too few to show it`];
  });
}

function settingsFor(row: LoadRow, patience: number): Settings {
  const { breaks, load: { duration = DURATION, ...others } = {} } = row;
  const { models, two } = row.front === 'relay' ? row : {};
  return {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    // A broken should in an honest target also fails the run.
    strict: breaks === undefined,
    concurrency: 16,
    load: { ...DEFAULT_SETTINGS.load, slowReaders: 0, ...others, stages: STAGES, duration: duration * patience },
    relay: {
      ...DEFAULT_SETTINGS.relay,
      recovery: RECOVERY * patience,
      ...(models && { upstreamModel: models }),
      ...(two && { fallbackPort: 0 }),
    },
    timeouts: timeoutsFor(SILENCE, 240_000, patience),
  };
}
