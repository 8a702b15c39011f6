/**
 * Configurations of gateways that put the scripted upstream behind them, for `wirecheck relay --print-config`. Any keys
 * will do: the upstream accepts all, and so do plain proxies. Those in the templates have no word that a request may have,
 * and are long enough to be found in answers.
 */
import { pathOfPage, readPackageFile } from '../contract/package-files.ts';
import { requireName } from '../text/suggestion.ts';

/** `front`: the port that its own documentation uses, or a usual one. */
const CONFIGS = {
  nginx: { file: 'nginx.conf', front: 8080 },
  caddy: { file: 'Caddyfile', front: 8080 },
  haproxy: { file: 'haproxy.cfg', front: 8080 },
  litellm: { file: 'litellm.yaml', front: 4000 },
  portkey: { file: 'portkey.env', front: 8787 },
} as const;

export const CONFIG_NAMES = Object.keys(CONFIGS) as readonly (keyof typeof CONFIGS)[];

/** `front`: the port of the gateway, if not the usual one. */
export function formatRelayConfig(name: string, host: string, port: number, front?: number): string {
  const otherwise = `Use one of ${CONFIG_NAMES.join(', ')}; ${pathOfPage('relay.md')} has others.`;
  const { file, front: usual } = CONFIGS[requireName('No configuration for', name, CONFIG_NAMES, { otherwise })];
  // A gateway cannot call the address that means "all addresses".
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/v1`;
  const values: Readonly<Record<string, string>> = {
    UPSTREAM_URL: url,
    UPSTREAM_HOST: new URL(url).host,
    UPSTREAM_PORT: String(port),
    FRONT_PORT: String(front ?? usual),
  };
  return readPackageFile(`templates/relay/${file}`).replaceAll(/@([A-Z_]+)@/g, (whole, each) => values[each] ?? whole);
}
