/** Configurations of gateways that put the scripted upstream behind them, for `wirecheck relay --print-config`. */
import { COMMAND } from '../contract/package-files.ts';
import { inert } from '../text/inert.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Any keys will do: the upstream accepts all, and so do plain proxies. Without a word in them that a request may have,
 * and long enough to be found in answers.
 */
const UPSTREAM_KEY = 'sk-upstream-8c3e6a0d5f2b7194';
const CLIENT_KEY = 'sk-service-4f7d2c9a1b8e6053';

interface Ports {
  /** The upstream's address, as the gateway calls it. */
  readonly url: string;
  readonly upstream: number;
  /** Where the gateway listens. */
  readonly front: number;
}

interface GatewayConfig {
  /** The port that its own documentation uses, or a usual one. */
  readonly front: number;
  print(ports: Ports): string;
}

const CONFIGS = {
  nginx: {
    front: 8080,
    print: ({ url, upstream, front }) => `# nginx as a plain reverse proxy. Start it, then check it:
#   nginx -c "$PWD/nginx.conf" -p "$PWD"
${checkWith(front, upstream)}
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_max_body_size 8m;
  # So that it needs no rights of an administrator.
  client_body_temp_path nginx-temp;
  proxy_temp_path nginx-temp;
  fastcgi_temp_path nginx-temp;
  uwsgi_temp_path nginx-temp;
  scgi_temp_path nginx-temp;
  server {
    listen 127.0.0.1:${front};
    location /v1/ {
      proxy_pass ${url}/;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      # Without this line, nginx forwards the client's key.
      proxy_set_header Authorization "Bearer ${UPSTREAM_KEY}";
      # Without this line, nginx may hold streams back.
      proxy_buffering off;
      proxy_read_timeout 120s;
    }
  }
}
`,
  },
  caddy: {
    front: 8080,
    print: ({ url, upstream, front }) => `# Caddy as a plain reverse proxy. Start it, then check it:
#   caddy run --config Caddyfile
${checkWith(front, upstream)}
{
  admin off
  auto_https off
}
http://127.0.0.1:${front} {
  bind 127.0.0.1
  reverse_proxy /v1/* ${new URL(url).host} {
    # Without this line, Caddy forwards the client's key.
    header_up Authorization "Bearer ${UPSTREAM_KEY}"
  }
}
`,
  },
  haproxy: {
    front: 8080,
    print: ({ url, upstream, front }) => `# HAProxy as a plain reverse proxy. Start it, then check it:
#   haproxy -f haproxy.cfg
${checkWith(front, upstream)}
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
listen gateway
  bind 127.0.0.1:${front}
  # Without this line, HAProxy forwards the client's key.
  http-request set-header Authorization "Bearer ${UPSTREAM_KEY}"
  server upstream ${new URL(url).host}
`,
  },
  litellm: {
    front: 4000,
    print: ({ url, upstream, front }) => `# LiteLLM proxy. Start it, then check it:
#   pip install 'litellm[proxy]'
#   litellm --config litellm.yaml --host 127.0.0.1 --port ${front}
${checkWith(front, upstream, '--upstream-model scripted')}
model_list:
  - model_name: scripted
    litellm_params:
      model: openai/wirecheck-upstream
      api_base: ${url}
      api_key: ${UPSTREAM_KEY}
general_settings:
  master_key: ${CLIENT_KEY}
`,
  },
  portkey: {
    front: 8787,
    print: ({
      url,
      upstream,
      front,
    }) => `# Portkey AI Gateway. It has no configuration file: a header names the upstream. Start it, then check it:
#   npx @portkey-ai/gateway --headless --port=${front}
#   set -a; . ./portkey.env; set +a
#   ${COMMAND} relay http://127.0.0.1:${front}/v1 --upstream-port ${upstream} --header-env x-portkey-config=PORTKEY_CONFIG
WIRECHECK_API_KEY=${CLIENT_KEY}
PORTKEY_CONFIG='${JSON.stringify({ provider: 'openai', api_key: UPSTREAM_KEY, custom_host: url })}'
`,
  },
} satisfies Record<string, GatewayConfig>;

function checkWith(front: number, upstream: number, more?: string): string {
  const command = `${COMMAND} relay http://127.0.0.1:${front}/v1 --upstream-port ${upstream}`;
  return `#   export WIRECHECK_API_KEY=${CLIENT_KEY}
#   ${command}${more === undefined ? '' : ` ${more}`}`;
}

export const CONFIG_NAMES = Object.keys(CONFIGS) as readonly (keyof typeof CONFIGS)[];

/** `front`: the port of the gateway, if not the usual one. */
export function formatRelayConfig(name: string, host: string, port: number, front?: number): string {
  const known = CONFIG_NAMES.find((each) => each === name);
  if (known === undefined) {
    const guess = didYouMean(name, CONFIG_NAMES) || ` Use one of ${CONFIG_NAMES.join(', ')}; docs/relay.md has others.`;
    throw new UsageError(`No configuration for "${inert(name, 40)}".${guess}`, { code: 'UNKNOWN_NAME' });
  }
  // A gateway cannot call the address that means "all addresses".
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/v1`;
  const config = CONFIGS[known];
  return config.print({ url, upstream: port, front: front ?? config.front });
}
