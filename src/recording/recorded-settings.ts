/** The settings of a run in a recording: everything that judging depends on, and nothing secret. */
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { RecordingStart } from './recording.ts';

export function stripSecrets(settings: Settings): Settings {
  const { proxy, headers, ...rest } = settings;
  return {
    ...rest,
    headers: headers.map((header) => (header.secret ? { ...header, value: '' } : header)),
    ...(proxy !== undefined && { proxy: removeUser(proxy) }),
  };
}

function removeUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Settings that the recorded run did not have yet get their defaults. */
export function restoreSettings({ settings }: Pick<RecordingStart, 'settings'>): Settings {
  const { timeouts, limits, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
  };
}
