/** The settings with which the self-test explores. */
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import { settingsFor } from '../try-gateway.ts';

export const TRIED_REQUESTS = 300;
const COMPLETIONS = 295;
const SHRINK_COMPLETIONS = 40;

const NO_LIMIT = 100_000;

/** Nothing is drawn, and as much as needed may be asked. */
export function endlessSettings(baseUrl: string, seed: number): Settings {
  const { maxCompletions: _most, ...settings } = exploreSettings(baseUrl, seed, 0);
  return { ...settings, explore: { requests: 0, completions: 0, shrinkCompletions: NO_LIMIT } };
}

export function exploreSettings(baseUrl: string, seed: number, requests: number): Settings {
  const { timeouts, retryPauses, maxRetryWait } = settingsFor(baseUrl, '', 1);
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    seed,
    timeouts,
    retryPauses,
    maxRetryWait,
    maxCompletions: COMPLETIONS + SHRINK_COMPLETIONS,
    explore: { requests, completions: COMPLETIONS, shrinkCompletions: SHRINK_COMPLETIONS },
  };
}
