/** How a client is judged unless the user says otherwise. */
import type { ClientSettings } from '../exchange/client-traffic.ts';
import { DEFAULT_SCENARIO_TIMEOUT, DEFAULT_SETTINGS } from '../settings.ts';

export const DEFAULT_CLIENT_SETTINGS: ClientSettings = {
  only: [],
  skip: [],
  strict: false,
  levels: {},
  concurrency: DEFAULT_SETTINGS.concurrency,
  scenarioTimeout: DEFAULT_SCENARIO_TIMEOUT,
};
