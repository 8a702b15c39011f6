/** Tries `wirecheck relay` on a relay with a known fault, or on an unusual but correct one. */
import { runRelay, startRelayUpstream } from '../../src/gather/relay/run-relay.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import type { TestSubject } from '../test-subjects.ts';
import type { Judged, TestSide, TrialOptions } from '../trial.ts';
import type { LegalRelay } from './relay-modifier.ts';
import { UPSTREAM_TIMEOUT } from './failovers.ts';
import { RELAY_KEYS, startSmallRelay } from './small-relay.ts';

/** They mostly wait. */
export const RELAY_TRIALS: TestSide = { parallel: 10, tryOut: tryRelay };

/** Cases that take long. A faulty relay is asked them only if its row says so. */
const SLOW = ['relay/stall-*', 'relay/leave-*', 'relay/stream-pieces', 'relay/plain-slow', 'relay/parallel*'];
/** Milliseconds. */
const RECOVERY = 5_000;
/** The cases of relays with two upstreams. */
const OF_TWO = ['plain', 'stream', 'failover-*'];
/** Factor of the pauses of `--patient`. */
const PACE = 0.02;

async function tryRelay(
  relay: TestSubject & LegalRelay,
  patience: number,
  { casesFor }: TrialOptions,
): Promise<Judged> {
  const { breaks, patient = false, models, two, fallbackModel } = relay;
  const named = relay.only ?? (two ? OF_TWO : undefined);
  const only = named?.map((name) => `relay/${name}`) ?? casesFor?.(relay) ?? [];
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    only,
    skip: (breaks || casesFor) && !named ? SLOW : [],
    patient,
    // A broken should in a legal relay also fails the run.
    strict: breaks === undefined,
    relay: {
      ...DEFAULT_SETTINGS.relay,
      recovery: RECOVERY * patience,
      ...(patient && { pace: PACE }),
      ...(models && { upstreamModel: models }),
      ...(two && { fallbackPort: 0, upstreamTimeout: UPSTREAM_TIMEOUT }),
      ...(fallbackModel !== undefined && { fallbackModel }),
    },
  };
  const keys = { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
  const started = await startRelayUpstream(settings, keys, 0);
  const { url: upstreamUrl, fallbackUrl } = started.upstream;
  const front = await startSmallRelay({ upstreamUrl, fallbackUrl, modifiers: [relay] });
  try {
    return { plain: await runRelay({ ...settings, baseUrl: front.baseUrl }, keys, started) };
  } finally {
    await front.close();
  }
}
