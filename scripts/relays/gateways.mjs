// Real gateways: how each is installed, started and asked. Nothing here is a dependency of wirecheck, and nothing is
// installed outside FOLDER.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runStep } from './processes.mjs';
/** @import { Command } from './processes.mjs' */

/**
 * @typedef {object} RealGateway
 * @property {string} title
 * @property {string} program
 * @property {string} [made] what the last step of the installation makes, if not the program
 * @property {readonly Command[]} install the commands that make the program, in order
 * @property {(program: string) => string | undefined} version
 * @property {string} config name of the configuration file
 * @property {(config: string, port: number) => readonly string[]} args from the configuration and the port of the front
 * @property {readonly string[]} [flags] for wirecheck
 */

export const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/relays/', import.meta.url));
export const CLIENT_KEY = 'sk-service-4f7d2c9a1b8e6053';

const LITELLM = '1.106.2';
const PORTKEY = '1.15.2';
const PORTKEY_SERVER = `${FOLDER}portkey/node_modules/@portkey-ai/gateway/build/start-server.js`;

/** @type {Readonly<Record<string, RealGateway>>} */
export const GATEWAYS = {
  nginx: {
    title: 'nginx',
    ...fromDebian('nginx', 'usr/sbin/nginx'),
    version: (program) => runStep(program, ['-v']).stderr.match(/nginx\/([\d.]+)/)?.[1],
    config: 'nginx.conf',
    args: (config) => ['-c', config, '-p', FOLDER],
  },
  caddy: {
    title: 'Caddy',
    ...fromDebian('caddy', 'usr/bin/caddy'),
    version: (program) => runStep(program, ['version']).stdout.match(/[\d.]+/)?.[0],
    config: 'Caddyfile',
    args: (config) => ['run', '--config', config],
  },
  haproxy: {
    title: 'HAProxy',
    // What Debian's HAProxy is linked with, and a plain machine does not have.
    ...fromDebian('haproxy', 'usr/sbin/haproxy', ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']),
    version: (program) => runStep(program, ['-v']).stdout.match(/version ([\d.]+)/)?.[1],
    config: 'haproxy.cfg',
    args: (config) => ['-f', config],
  },
  litellm: {
    title: 'LiteLLM',
    program: `${FOLDER}litellm/bin/litellm`,
    install: [
      ['python3', '-m', 'venv', 'litellm'],
      ['litellm/bin/pip', 'install', '--quiet', '--only-binary', ':all:', `litellm[proxy]==${LITELLM}`],
    ],
    version: () => LITELLM,
    config: 'litellm.yaml',
    args: (config, port) => ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    flags: ['--upstream-model', 'scripted'],
  },
  portkey: {
    title: 'Portkey',
    program: process.execPath,
    made: PORTKEY_SERVER,
    install: [
      [
        'npm',
        'install',
        '--prefix',
        'portkey',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        `@portkey-ai/gateway@${PORTKEY}`,
      ],
    ],
    version: () => PORTKEY,
    config: 'portkey.env',
    args: (_config, port) => [PORTKEY_SERVER, '--headless', `--port=${port}`],
    flags: ['--header-env', 'x-portkey-config=PORTKEY_CONFIG', '--env-file', `${FOLDER}portkey.env`],
  },
};

/**
 * The installed program, otherwise the one of the Debian package, unpacked without installing it.
 * @param {string} name
 * @param {string} path
 * @param {readonly string[]} libraries packages that it needs besides
 * @returns {Pick<RealGateway, 'program' | 'install'>}
 */
function fromDebian(name, path, libraries = []) {
  const installed = `/${path}`;
  if (existsSync(installed)) return { program: installed, install: [] };
  const start = `LD_LIBRARY_PATH=$(echo ${FOLDER}${name}/usr/lib/*-linux-gnu) exec ${FOLDER}${name}/${path} "$@"`;
  const packages = [name, ...libraries];
  return {
    program: `${FOLDER}${name}/start`,
    install: [
      ['apt-get', 'download', ...packages],
      ['sh', '-c', `for package in ${packages.join(' ')}; do dpkg -x "$package"_*.deb ${name} || exit; done`],
      ['sh', '-c', `printf '#!/bin/sh\\n%s\\n' '${start}' > ${name}/start && chmod +x ${name}/start`],
    ],
  };
}
