/** Tests `wirecheck relay` on relays with known faults, and on unusual but correct ones. */
import { runRelay, startRelayUpstream } from '../../relay/run-relay.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { compareBroken, foundBy } from '../compare.ts';
import { trySubjects } from '../try-subjects.ts';
import { FAULTY_RELAYS, RIGHT_RELAYS } from './catalogue.ts';
import { RELAY_KEYS, startSmallRelay } from './small-relay.ts';

export type RelaySubject =
  | { readonly kind: 'faulty relay'; readonly id: string; readonly breaks: readonly string[] }
  | { readonly kind: 'legal relay'; readonly id: string };

export interface RelayTrial {
  readonly subject: RelaySubject;
  /** Differences from what was expected; empty if all is well. */
  readonly problems: readonly string[];
  /** Case → clauses that it found broken. */
  readonly foundBy: Readonly<Record<string, readonly string[]>>;
}

export interface RelayTrialOptions {
  /** All by default. */
  readonly names?: readonly string[];
  /** Number of relays at a time. They mostly wait. */
  readonly parallel?: number;
  readonly onResult?: (result: RelayTrial) => void;
}

export function listRelaySubjects(): readonly RelaySubject[] {
  const faulty = Object.entries(FAULTY_RELAYS);
  return [
    // The legal ones take longest, since they are asked everything.
    ...Object.keys(RIGHT_RELAYS).map((id): RelaySubject => ({ kind: 'legal relay', id })),
    ...faulty.map(([id, { breaks }]): RelaySubject => ({ kind: 'faulty relay', id, breaks })),
  ];
}

export function tryRelays(options: RelayTrialOptions = {}): Promise<readonly RelayTrial[]> {
  const { names, parallel = 6, onResult } = options;
  const subjects = listRelaySubjects().filter(({ id }) => names?.includes(id) ?? true);
  const accepts = ({ problems }: RelayTrial): boolean => problems.length === 0;
  return trySubjects(subjects, { parallel, tryOut: tryRelay, accepts, onResult });
}

/** Cases that take long. A faulty relay is asked them only if its row says so. */
const SLOW = ['relay/stall-*', 'relay/leave-*', 'relay/stream-pieces', 'relay/plain-slow', 'relay/parallel*'];
/** Milliseconds. */
const RECOVERY = 5_000;
/** Factor of the pauses of `--patient`. */
const PACE = 0.02;

async function tryRelay(subject: RelaySubject, patience: number): Promise<RelayTrial> {
  const { id } = subject;
  const modifier = FAULTY_RELAYS[id] ?? RIGHT_RELAYS[id];
  const isFaulty = subject.kind === 'faulty relay';
  const only = modifier?.only?.map((name) => `relay/${name}`) ?? [];
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    only,
    skip: isFaulty && only.length === 0 ? SLOW : [],
    patient: modifier?.patient ?? false,
    // A broken should in a legal relay also fails the run.
    strict: !isFaulty,
    relay: {
      ...DEFAULT_SETTINGS.relay,
      recovery: RECOVERY * patience,
      ...(modifier?.patient && { pace: PACE }),
      ...(modifier?.models && { upstreamModel: modifier.models }),
    },
  };
  const keys = { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
  const started = await startRelayUpstream(settings, keys, 0);
  const relay = await startSmallRelay({
    upstreamUrl: started.upstream.url,
    modifiers: modifier === undefined ? [] : [modifier],
  });
  try {
    const report = await runRelay({ ...settings, baseUrl: relay.baseUrl }, keys, started);
    return {
      subject,
      problems: compareBroken(report, isFaulty ? subject.breaks : []),
      foundBy: foundBy(report),
    };
  } finally {
    await relay.close();
  }
}
