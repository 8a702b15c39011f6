/** The commands that check something, and the plan of a check. */
import { BASE_URL, KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import {
  CLIENT_SETTINGS,
  DEMO_SETTINGS,
  EXPLORE_SETTINGS,
  LOAD_SETTINGS,
  RELAY_SETTINGS,
  RUN_SETTINGS,
} from '../settings/command-settings.ts';
import { type CommandRow, EXIT_CODES, JSON_OPTION, MODIFIER_OPTIONS, noteSettings, option } from './command-row.ts';

const group = 'Check';
const BASE_URL_ARGUMENT = ['[BASE_URL]', BASE_URL.summary] as const;
const PLAN_OPTION = option('--plan', 'show what would be sent and what it costs, without sending anything');

export const CHECK_COMMANDS = {
  run: {
    group,
    summary: 'check the gateway at BASE_URL',
    args: [BASE_URL_ARGUMENT],
    settings: RUN_SETTINGS,
    hasReporters: true,
    help: `
Examples:
  ${KEY_VARIABLES.full}=… wirecheck run https://gateway.example/v1
  wirecheck run https://gateway.example/v1 --api-key-file key.txt
  wirecheck run https://gateway.example/v1 --only 'auth/*' --skip '*stream*'
  wirecheck run https://gateway.example/v1 --model small-1 --max-completions 40
  wirecheck run https://gateway.example/v1 \\
    --rerun-failed wirecheck-report/report.json
  wirecheck run https://gateway.example/v1 --last-failed
  wirecheck run https://gateway.example/v1 \\
    --waivers wirecheck.waivers.yaml --baseline last-release/report.json
  export ${BASE_URL.variable}=https://gateway.example/v1
  wirecheck run --reporter json > report.json
  wirecheck run --targets targets.yaml --out reports
  wirecheck run --targets targets.yaml --shard 1/4 --out reports

A run never overwrites a file that it reads. Without --out, a run with
--rerun-failed or --last-failed writes to wirecheck-rerun.
${noteSettings()}${EXIT_CODES}`,
    load: async () => (await import('../run.ts')).runCommand,
  },

  demo: {
    group,
    summary: 'check the built-in reference gateway',
    settings: DEMO_SETTINGS,
    hasReporters: true,
    options: MODIFIER_OPTIONS,
    help: `
Examples:
  wirecheck demo
  wirecheck demo --only 'auth/*' --verbose
  wirecheck demo --fault error-code-integer   see a violation caught
${EXIT_CODES}`,
    load: async () => (await import('../demo.ts')).demoCommand,
  },

  relay: {
    group,
    summary: 'check both ends of the gateway at BASE_URL, with a scripted upstream behind it',
    args: [BASE_URL_ARGUMENT],
    settings: RELAY_SETTINGS,
    words: {
      only: 'run only cases whose id matches, such as relay/stream*, or that judge a clause, such as relay.pieces (repeatable)',
      requests: 'with --explore: requests to draw (1 to 10000; default: 300)',
      seed: 'with --explore: seed of the draws, or random (default: fixed for each version)',
    },
    hasReporters: true,
    options: [
      option(
        '--print-config <NAME>',
        'print a configuration that puts the scripted upstream behind a gateway: nginx, caddy, haproxy, litellm or portkey',
      ),
      option('--explore', 'send drawn requests in place of the cases, and compare what arrives; see docs/explore.md'),
      option('--plan', 'with --explore: show what would be drawn, without sending anything'),
      option(
        '--path <PATH>',
        'with --explore: send only this draw, as a report names it, with the --seed of that report',
      ),
      option('--save <FILE>', 'with --explore: write each finding at the front as a case of a suite'),
    ],
    help: `
The gateway has to call the scripted upstream: configure http://127.0.0.1:N/v1
as its upstream, with any key, and restart it first.

Examples:
  wirecheck relay --print-config nginx --upstream-port 5055 > nginx.conf
  ${KEY_VARIABLES.full}=… wirecheck relay http://127.0.0.1:8080/v1 \\
    --upstream-port 5055
  wirecheck relay http://127.0.0.1:4000/v1 --upstream-port 5055 \\
    --upstream-model scripted --only 'relay/stream*'
  wirecheck relay http://127.0.0.1:8080/v1 --upstream-port 5055 --explore
${noteSettings(['full', 'second'])}${EXIT_CODES}`,
    load: async () => (await import('../relay.ts')).relayCommand,
  },

  load: {
    group,
    summary: 'check the gateway at BASE_URL under load: every answer is judged',
    args: [BASE_URL_ARGUMENT, ['[COMMAND...]', 'with --during: command that runs while the load is held, after --']],
    settings: LOAD_SETTINGS,
    words: {
      only: 'judge only cases whose id matches, such as load/*, or that judge a clause, such as load.text (repeatable)',
      concurrency: 'the most calls in flight (1 to 256; default: 64, with --during 8)',
      seed: 'seed of the calls; the same seed sends the same calls (default: fixed for each version)',
      recovery: 'how long to wait for an answer to one call at a time after the load (default: 60s)',
      'upstream-port':
        'port of the scripted upstream; without it the target answers by itself, and --max-completions is required',
      'max-completions': 'end the run after this many charged completions; required without --upstream-port',
    },
    hasReporters: true,
    options: [
      option('--allow-load <HOST>', 'host that may be loaded, typed out; needed for any but this machine'),
      option('--during', 'hold one stage while COMMAND runs, such as a rolling restart'),
      PLAN_OPTION,
      option('--targets <FILE>', '', { isHidden: true }),
    ],
    help: `
Load only a gateway whose operator agreed. Every answer may cost money, unless
the scripted upstream is behind the gateway (--upstream-port).

Examples:
  ${KEY_VARIABLES.full}=… wirecheck load http://127.0.0.1:8080/v1 \\
    --upstream-port 5055
  wirecheck load http://127.0.0.1:8080/v1 --max-completions 2000 --plan
  wirecheck load https://staging.example/v1 --max-completions 2000 \\
    --allow-load staging.example --concurrency 16
  wirecheck load http://127.0.0.1:8080/v1 --upstream-port 5055 \\
    --during -- ./rolling-restart.sh
${noteSettings(['full', 'restricted', 'second'])}${EXIT_CODES}`,
    load: async () => (await import('../load.ts')).loadCommand,
  },

  explore: {
    group,
    summary: 'send drawn requests to the gateway at BASE_URL, and shrink what fails',
    args: [BASE_URL_ARGUMENT],
    settings: EXPLORE_SETTINGS,
    words: {
      seed: 'seed of the draws, or random; the same seed draws the same requests (default: fixed for each version)',
      'max-completions':
        'the most completions that a conforming gateway charges, with the controls; asking again may take those of --shrink-completions besides (6 or more; default: 300)',
    },
    hasReporters: true,
    options: [
      PLAN_OPTION,
      option('--path <PATH>', 'send only this draw, as a report names it, with the --seed of that report'),
      option('--save <FILE>', 'write each finding but sequences as a case of a suite, for wirecheck run --suite FILE'),
    ],
    help: `
The list of requests depends on the version, the profile and the seed alone, so
that a change of the target is never blamed for another draw.

Examples:
  ${KEY_VARIABLES.full}=… wirecheck explore https://gateway.example/v1
  wirecheck explore https://gateway.example/v1 --plan
  wirecheck explore https://gateway.example/v1 --requests 100 --seed random
  wirecheck explore https://gateway.example/v1 --save found.yaml
  wirecheck explore https://gateway.example/v1 --seed 7 --path 17:3:0
${noteSettings(['full'])}${EXIT_CODES}`,
    load: async () => (await import('../explore.ts')).exploreCommand,
  },

  plan: {
    group,
    summary: 'show what a run would send and cost, without sending anything',
    args: [['[BASE_URL]', 'shown in the heading; the plan does not depend on it']],
    settings: RUN_SETTINGS,
    options: [JSON_OPTION],
    help: `
Examples:
  wirecheck plan
  wirecheck plan --verbose              every request, in order
  wirecheck plan --only 'parameters/*' --json
  ${KEY_VARIABLES.restricted}=… wirecheck plan --forbidden-model large-1
  wirecheck plan --targets targets.yaml

\`plan\` takes every flag of \`run\`, and needs no key.
${noteSettings()}`,
    load: async () => (await import('../plan.ts')).planCommand,
  },

  client: {
    group,
    summary: 'check a client: drive it through scenarios',
    args: [['[COMMAND...]', 'command that makes one call, after --; see below']],
    settings: CLIENT_SETTINGS,
    words: {
      only: 'play only scenarios whose id matches, such as client/stream*, or that judge a clause, such as client.errors-known (repeatable)',
      skip: 'skip scenarios whose id matches (repeatable)',
      concurrency: 'scenarios at the same time (1 to 64; default: 4)',
      'rerun-failed': 'play only the scenarios that failed or were inconclusive in this report.json',
      'last-failed':
        'play only the scenarios that failed or were inconclusive in the last run: in report.json of the usual folder',
    },
    hasReporters: true,
    options: [
      option('--driver', 'keep the command running and send it one JSON line per scenario'),
      option('--clients <FILE>', 'check several clients and write a matrix; see docs/clients.md'),
    ],
    help: `
Examples:
  wirecheck client -- node client.js
  wirecheck client --only 'client/stream*' -- python client.py
  wirecheck client --driver -- node driver.js
  wirecheck client --clients clients.yaml --out clients-report

The command runs once per scenario, without a shell. It makes one call, which
its environment describes: OPENAI_BASE_URL, OPENAI_API_KEY, WIRECHECK_MODEL,
WIRECHECK_PROMPT, WIRECHECK_MODE (plain, stream or models) and
WIRECHECK_TIMEOUT_MS. It prints the text of the reply, or one model id per line,
and exits with 0. If the call fails, it exits with any other code.

A driver gets one line per scenario on stdin: {"scenario", "baseUrl", "apiKey",
"model", "mode", "prompt", "timeoutMs"}. It answers on stdout, in any order:
{"scenario", "ok": true, "text"}, {"scenario", "ok": false, "error"} or
{"scenario", "unsupported": true}.
${EXIT_CODES}`,
    load: async () => (await import('../client.ts')).clientCommand,
  },
} satisfies Record<string, CommandRow>;
