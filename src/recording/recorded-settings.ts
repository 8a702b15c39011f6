/** The settings of a run as a recording keeps them: everything that judging may depend on, nothing secret. */
import type { Settings } from '../settings.ts';

export function recordedSettings(settings: Settings): Settings {
  const { proxy, headers, ...rest } = settings;
  return {
    ...rest,
    headers: headers.map((header) => (header.secret ? { ...header, value: '' } : header)),
    ...(proxy !== undefined && { proxy: withoutUser(proxy) }),
  };
}

function withoutUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
