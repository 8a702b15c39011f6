/** The settings of a run as a report shows them: only what was set, and nothing secret. */
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Report } from './report.ts';

type Shown = Report['provenance']['settings'];

export function describeSettings(settings: Settings): Shown {
  const { headers, seed: _, baseUrl: __, proxy, tls, ...rest } = settings;
  const named = headers.map(({ name, value, secret, variable }) => {
    const hidden = variable === undefined ? '(secret)' : `(secret in ${variable})`;
    return `${name}: ${secret ? hidden : value}`;
  });
  return {
    ...flatten({ ...rest, tls: withoutPem(tls) }, DEFAULT_SETTINGS, ''),
    ...(proxy !== undefined && { proxy: withoutLogin(proxy) }),
    ...(named.length > 0 && { headers: named }),
  };
}

/** Certificates and keys may be given as files or as they are; a file may be named. */
function withoutPem(tls: Settings['tls']): object {
  return Object.fromEntries(
    Object.entries(tls).map(([name, value]) => [
      name,
      String(value).includes('-----BEGIN') ? '(given as text)' : value,
    ]),
  );
}

function withoutLogin(address: string): string {
  if (!URL.canParse(address)) return '(given)';
  const url = new URL(address);
  const login = url.username !== '' || url.password !== '' ? '(login)@' : '';
  return `${url.protocol}//${login}${url.host}`;
}

function flatten(values: object, defaults: unknown, prefix: string): Shown {
  const shown: Record<string, Shown[string]> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const usual = (defaults as Record<string, unknown> | undefined)?.[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual)) continue;
    if (Array.isArray(value)) shown[prefix + name] = value.map(String);
    else if (typeof value === 'object' && value !== null)
      Object.assign(shown, flatten(value, usual, `${prefix}${name}.`));
    else shown[prefix + name] = value as Shown[string];
  }
  return shown;
}
