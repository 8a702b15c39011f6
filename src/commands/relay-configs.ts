/** Configurations of gateways that put the scripted upstream behind them, for `wirecheck relay --print-config`. */
import { inert } from '../text/inert.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';

/** Any key will do: the upstream accepts all. Long enough to be found in answers. */
const UPSTREAM_KEY = 'sk-upstream-accepts-anything';
const CLIENT_KEY = 'sk-service-wirecheck-client';

const CONFIGS = {
  nginx: (url, port) => `# nginx as a plain reverse proxy. Start it, then check it:
#   nginx -c "$PWD/nginx.conf" -p "$PWD"
#   WIRECHECK_API_KEY=${CLIENT_KEY} \\
#     wirecheck relay http://127.0.0.1:8080/v1 --upstream-port ${port}
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_max_body_size 8m;
  server {
    listen 127.0.0.1:8080;
    location /v1/ {
      proxy_pass ${url}/;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      # Without this line, nginx sends the client's key on.
      proxy_set_header Authorization "Bearer ${UPSTREAM_KEY}";
      # Without this line, nginx may hold streams back.
      proxy_buffering off;
      proxy_read_timeout 120s;
    }
  }
}
`,
  litellm: (url, port) => `# LiteLLM proxy. Start it, then check it:
#   pip install 'litellm[proxy]'
#   litellm --config litellm.yaml --host 127.0.0.1 --port 4000
#   WIRECHECK_API_KEY=${CLIENT_KEY} \\
#     wirecheck relay http://127.0.0.1:4000/v1 --upstream-port ${port} --upstream-model scripted
model_list:
  - model_name: scripted
    litellm_params:
      model: openai/wirecheck-upstream
      api_base: ${url}
      api_key: ${UPSTREAM_KEY}
general_settings:
  master_key: ${CLIENT_KEY}
`,
} satisfies Record<string, (url: string, port: number) => string>;

export const CONFIG_NAMES = Object.keys(CONFIGS) as readonly (keyof typeof CONFIGS)[];

export function formatRelayConfig(name: string, host: string, port: number): string {
  const known = CONFIG_NAMES.find((each) => each === name);
  if (known === undefined) {
    const guess = didYouMean(name, CONFIG_NAMES) || ` Use one of ${CONFIG_NAMES.join(', ')}; docs/relay.md has others.`;
    throw new UsageError(`No configuration for "${inert(name, 40)}".${guess}`);
  }
  // A gateway cannot call the address that means "all addresses".
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return CONFIGS[known](`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/v1`, port);
}
