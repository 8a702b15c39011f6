/** Whole runs of a relay that is small and can be changed. */
import { runRelay, startRelayUpstream } from '../../src/gather/relay/run-relay.ts';
import type { RelayModifier } from '../../selftest/relays/relay-modifier.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';

/** Milliseconds. A gateway that is dead on purpose need not be waited for. */
export const SHORT_RECOVERY = 1_000;

export function checkRelayWith(modifier: RelayModifier, ...only: readonly string[]) {
  return checkLimitedRelay(modifier, {}, ...only);
}

export async function checkLimitedRelay(
  modifier: RelayModifier,
  limits: Pick<Settings, 'maxCompletions'>,
  ...only: readonly string[]
) {
  const { recovery } = DEFAULT_SETTINGS.relay;
  const isCorrect = Object.keys(modifier).length === 0;
  const relaySettings = { ...DEFAULT_SETTINGS.relay, recovery: isCorrect ? recovery : SHORT_RECOVERY };
  const settings = {
    ...DEFAULT_SETTINGS,
    ...limits,
    relay: relaySettings,
    only: only.map((name) => `relay/${name}`),
    baseUrl: '',
  };
  const keys = { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
  const started = await startRelayUpstream(settings, keys, 0);
  const relay = await startSmallRelay({ upstreamUrl: started.upstream.url, modifiers: [modifier] });
  try {
    return await runRelay({ ...settings, baseUrl: relay.baseUrl }, keys, started);
  } finally {
    await relay.close();
  }
}
