/** Every command, once: its declaration, its help and what shells complete follow from its row. */
import { COMMAND, pathOfPage } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { settingOf } from '../settings/setting-names.ts';
import { BASE_URL, KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { usageError } from '../usage-error.ts';
import {
  CLIENT_SETTINGS,
  DEMO_SETTINGS,
  EXPLORE_SETTINGS,
  JUDGE_SETTINGS,
  LOAD_SETTINGS,
  RELAY_SETTINGS,
  RENDER_SETTINGS,
  RUN_SETTINGS,
} from './settings/command-settings.ts';
import {
  type CommandRow,
  EXIT_CODES,
  GATEWAY_KEYS,
  JSON_OPTION,
  listExits,
  MODIFIER_OPTIONS,
  option,
  PROFILE_OPTION,
  WITHOUT_DEFAULT_FILES,
} from './command-row.ts';

const BASE_URL_ARGUMENT = ['[BASE_URL]', BASE_URL.summary] as const;
const WATCH_OPTIONS = [
  option('--watch', 'ask again what was broken whenever the gateway restarts, and show each round in the browser'),
  option('--watch-path <PATH>', 'with --watch: ask again also when this file or folder changes (repeatable)', {
    isList: true,
    isRare: true,
  }),
  option('--no-open', 'with --watch: print the address of the page, and open no browser', { isRare: true }),
];
const PLAN_OPTION = option('--plan', 'show what would be sent and what it costs, without sending anything');

/** Commands in the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  run: {
    group: 'Check',
    summary: 'check the gateway at BASE_URL',
    args: [BASE_URL_ARGUMENT],
    settings: RUN_SETTINGS,
    hasReporters: true,
    options: [PLAN_OPTION, ...WATCH_OPTIONS],
    keys: GATEWAY_KEYS,
    exits: EXIT_CODES,
    load: async () => (await import('./run.ts')).runCommand,
  },

  demo: {
    group: 'Check',
    summary: 'check the built-in reference gateway',
    settings: DEMO_SETTINGS,
    hasReporters: true,
    options: [...MODIFIER_OPTIONS, PLAN_OPTION, ...WATCH_OPTIONS],
    exits: EXIT_CODES,
    load: async () => (await import('./demo.ts')).demoCommand,
  },

  relay: {
    group: 'Check',
    summary: 'check both ends of a gateway, with a scripted upstream behind it',
    args: [BASE_URL_ARGUMENT],
    settings: RELAY_SETTINGS,
    words: {
      only: 'run only cases whose id matches, such as relay/stream*, or that judge a clause, such as relay.pieces (repeatable)',
      requests: 'with --explore: requests to draw (1 to 10000; default: 300)',
      seed: 'with --explore: seed of the draws, or random (default: fixed for each version)',
      'upstream-port': 'port of the scripted upstream, which the gateway calls; required, but not with --plan',
    },
    hasReporters: true,
    options: [
      option(
        '--print-config <NAME>',
        'print a configuration that puts the scripted upstream behind a gateway: nginx, caddy, haproxy, litellm or portkey',
      ),
      option(
        '--explore',
        `send random requests in place of the cases, and compare what arrives; see ${pathOfPage('explore.md')}`,
      ),
      PLAN_OPTION,
      option('--path <PATH>', 'with --explore: send one draw again: PATH and --seed as a report names them'),
      option('--save <FILE>', 'with --explore: write findings at the front as cases of a suite'),
    ],
    keys: ['full', 'second'],
    exits: EXIT_CODES,
    load: async () => (await import('./relay.ts')).relayCommand,
  },

  load: {
    group: 'Check',
    summary: 'check a gateway under load: every answer is judged',
    args: [BASE_URL_ARGUMENT, ['[COMMAND...]', 'with --during: command that runs while the load is held, after --']],
    settings: LOAD_SETTINGS,
    words: {
      only: 'judge only cases whose id matches, such as load/*, or that judge a clause, such as load.text (repeatable)',
      concurrency: 'the most calls in flight (1 to 256; default: 64, with --during 8)',
      seed: 'seed of the calls; the same seed sends the same calls (default: fixed for each version)',
      recovery: 'how long to wait for an answer to one call at a time after the load (default: 60s)',
      'upstream-port': 'port of the scripted upstream behind the gateway; without it, --max-completions is required',
      'max-completions': 'end the run after this many charged completions; required without --upstream-port',
    },
    hasReporters: true,
    options: [
      option('--allow-load <HOST>', 'host of the gateway, typed out; needed for any but this machine'),
      option('--during', 'hold one stage while COMMAND runs, such as a rolling restart'),
      PLAN_OPTION,
      option('--targets <FILE>', '', { isHidden: true }),
    ],
    keys: ['full', 'restricted', 'second'],
    exits: EXIT_CODES,
    load: async () => (await import('./load.ts')).loadCommand,
  },

  explore: {
    group: 'Check',
    summary: 'send random requests to a gateway, and shorten those that fail',
    args: [BASE_URL_ARGUMENT],
    settings: EXPLORE_SETTINGS,
    words: {
      seed: 'seed of the draws, or random; the same seed draws the same requests (default: fixed for each version)',
      'max-completions':
        'limit for charged completions of draws and controls; those of --shrink-completions come on top (6 or more; default: 300)',
    },
    hasReporters: true,
    options: [
      PLAN_OPTION,
      option(
        '--yes',
        'agree to the completions that --plan shows; needed for any target but this machine, unless --max-completions is given',
      ),
      option('--path <PATH>', 'send one draw again: PATH and --seed as a report names them'),
      option(
        '--save <FILE>',
        'write findings as cases of a suite, for `wirecheck run --suite FILE`; sequences are left out',
      ),
    ],
    keys: ['full'],
    exits: EXIT_CODES,
    load: async () => (await import('./explore.ts')).exploreCommand,
  },

  plan: {
    group: 'Check',
    summary: 'show what a run would send and cost, without sending anything',
    args: [['[BASE_URL]', 'shown in the heading; the plan does not depend on it']],
    settings: RUN_SETTINGS,
    options: [JSON_OPTION],
    keys: GATEWAY_KEYS,
    load: async () => (await import('./plan.ts')).planCommand,
  },

  client: {
    group: 'Check',
    summary: 'check a client: drive it through scenarios',
    args: [['[COMMAND...]', 'command that makes one call, after --; see below']],
    settings: CLIENT_SETTINGS,
    words: {
      only: 'play only scenarios whose id matches, such as client/stream*, or that judge a clause, such as client.errors-known (repeatable)',
      skip: 'skip scenarios whose id matches (repeatable)',
      concurrency: 'scenarios at the same time (1 to 64; default: 4)',
      'rerun-failed': 'play only the scenarios that were broken or could not be judged in this report.json',
      'last-failed':
        'play only the scenarios that were broken or could not be judged in the last run, by its report.json in the usual folder',
    },
    hasReporters: true,
    options: [
      option('--plan', 'show which scenarios would be played, without starting the command'),
      option('--driver', 'keep the command running and send it one JSON line per scenario'),
      option('--clients <FILE>', `check several clients and write a matrix; see ${pathOfPage('clients.md')}`),
    ],
    exits: EXIT_CODES,
    load: async () => (await import('./client.ts')).clientCommand,
  },

  judge: {
    group: 'Compare and publish',
    summary: 'judge recordings again, without sending anything',
    args: [['<FILE...>', 'recordings made with --record, or HAR files']],
    settings: JUDGE_SETTINGS,
    words: {
      ...WITHOUT_DEFAULT_FILES,
      profile:
        "judge by this profile: a file with changes to v1, or a profile of wirecheck's such as common-servers (default: the profile of the recorded run)",
    },
    hasReporters: true,
    load: async () => (await import('./judge.ts')).judgeCommand,
  },

  compare: {
    group: 'Compare and publish',
    summary: 'show what changed between two runs',
    args: [
      ['<OLD>', 'recording or report.json of the older run'],
      ['<NEW>', 'recording or report.json of the newer run'],
    ],
    hasReporters: true,
    options: [
      option(
        '--fail-on <KIND>',
        'least severe change that exits with 1: breaking, warning or drift (default: breaking)',
      ),
      option(
        '--reporter <NAME[=FILE]>',
        'terminal, json, markdown, html, junit, sarif, github or agent; without =FILE it goes to stdout (repeatable)',
        { isList: true },
      ),
      option('--waivers <FILE>', 'waiver file: accepted changes and announced removals'),
      option('--profile <NAME|FILE>', 'judge both recordings by this profile; a report stays judged as it was'),
      option('--profile-digest <SHA>', 'refuse any profile but the one with this digest'),
    ],
    exits: listExits({
      passed: 'no breaking change',
      failed: 'a breaking change, or one that --fail-on names',
      usage: 'usage error',
      notJudged: 'a run is incomplete or without bodies, or the newer one judged less',
    }),
    load: async () => (await import('./compare.ts')).compareCommand,
  },

  verify: {
    group: 'Compare and publish',
    summary: 'check that a report follows from a recording',
    args: [
      ['<REPORT>', 'report.json of a run'],
      ['<RECORDING>', 'recording of the run, made with --record, or a HAR file'],
    ],
    options: [
      option('--profile <NAME|FILE>', 'the profile of the report, if neither wirecheck nor the recording has it'),
      option('--baseline <FILE>', 'the older report that the report was compared with, if it was'),
      option(
        '--submission',
        'also say whether the result counts in a table of results: its row, or every reason why not',
      ),
      option('--json', 'print the result as JSON'),
    ],
    exits: listExits({
      passed: 'the report follows from the recording; with --submission, its result counts',
      failed: 'it does not',
      usage: 'usage error, or another version of wirecheck made the report and this one comes to other verdicts',
    }),
    load: async () => (await import('./verify.ts')).verifyCommand,
  },

  render: {
    group: 'Compare and publish',
    summary: 'show a report in another format',
    args: [['<REPORT>', 'report.json of an earlier run, or its folder; for har, a recording made with --record']],
    settings: RENDER_SETTINGS,
    words: {
      ...WITHOUT_DEFAULT_FILES,
      reporter: `${WITHOUT_DEFAULT_FILES['reporter']}; also profile, which drafts a profile from the failures of a report, without safety clauses, and har, which converts a recording to HAR 1.2`,
    },
    hasReporters: true,
    load: async () => (await import('./render.ts')).renderCommand,
  },

  board: {
    group: 'Compare and publish',
    summary: 'put many reports on one page',
    args: [['<REPORT...>', 'report.json of runs, or folders that hold them']],
    hasReporters: true,
    options: [
      option(
        '-o, --out <DIR>',
        'folder for board.html, board.json, board.md and badges, or none (default: wirecheck-board)',
      ),
      option(
        '--reporter <NAME[=FILE]>',
        'html, json or markdown, instead of the folder; terminal or agent, beside it; without =FILE it goes to stdout (repeatable)',
        { isList: true },
      ),
      option('--title <TEXT>', 'title of the board'),
      option('--fail-on <KIND>', 'exit with 1 if a target fails (must), or never (none) (default: must)'),
    ],
    exits: listExits(
      {
        passed: 'every target passes',
        failed: 'a target fails',
        usage: 'usage error',
        notJudged: 'a target was not judged',
      },
      ` --fail-on none turns ${EXIT.failed} and ${EXIT.notJudged} into ${EXIT.passed}.`,
    ).trimStart(),
    load: async () => (await import('./board.ts')).boardCommand,
  },

  open: {
    group: 'Compare and publish',
    summary: 'show the last report in the browser',
    args: [['[REPORT]', 'folder, report.json or page to show (default: the newest of the last runs)']],
    load: async () => (await import('./open.ts')).openCommand,
  },

  list: {
    group: 'Look things up',
    summary: 'list clauses, cases, faults, settings and the like',
    args: [
      [
        '[WHAT]',
        'clauses, cases, suites, scenarios, relay-cases, load-cases, explore-cases, checks, faults, variants, settings, profiles or editions (default: the number of entries in each)',
      ],
    ],
    options: [
      JSON_OPTION,
      option('--suite <NAME|FILE>', 'only cases of this suite (repeatable)', { isList: true }),
      PROFILE_OPTION,
    ],
    load: async () => (await import('./list.ts')).listCommand,
  },

  explain: {
    group: 'Look things up',
    summary: 'explain a clause, a case, a setting or the whole contract',
    args: [['<NAME>', 'an id or name that `wirecheck list` shows, an error code, a profile file, or contract']],
    options: [
      JSON_OPTION,
      option('--suite <NAME|FILE>', 'suite to search (repeatable)', { isList: true }),
      PROFILE_OPTION,
    ],
    load: async () => (await import('./explain.ts')).explainCommand,
  },

  schema: {
    group: 'Look things up',
    summary: 'print the JSON Schemas or the OpenAPI description',
    args: [['[NAME]', 'such as v1/model, files/recording or openapi (default: all)']],
    options: [
      option('--list', 'print only the names'),
      option('--json', 'print the OpenAPI description or the list of names as JSON'),
      PROFILE_OPTION,
    ],
    load: async () => (await import('./schema.ts')).schemaCommand,
  },

  init: {
    group: 'Set up',
    summary: 'write a config file, a waiver file and a CI job',
    options: [
      option('--base-url <URL>', 'base URL of the gateway, ending in the version segment'),
      option('--allow-http', settingOf('allow-http').summary),
      option('--key-env <NAME>', 'variable that holds the key (default: WIRECHECK_API_KEY)'),
      option('--ci <NAME>', 'github, gitlab or none (default: whichever the folder uses, otherwise none)'),
      option('--install <SPEC>', '', { isHidden: true }),
      option('--force', 'overwrite the config file and the CI job; a waiver file is never overwritten'),
    ],
    load: async () => (await import('./init.ts')).initCommand,
  },

  waive: {
    group: 'Set up',
    summary: 'accept a known failure until a date',
    args: [['<ID>', 'clause, case (* matches any characters), or fingerprint of a finding']],
    options: [
      option('--reason <TEXT>', 'why it is accepted for now (required)'),
      option('--until <DATE>', 'last day of the waiver (this or --announced is required)'),
      option('--announced <DATE>', 'instead of --until: day from which an announced removal is legal'),
      option('--owner <NAME>', 'who will fix it'),
      option('--link <URL>', 'where it is tracked or was announced'),
      option(
        '--report <FILE>',
        'report.json: shows how many of its findings the waiver covers, and looks up a fingerprint',
      ),
      option('--waivers <FILE>', 'waiver file (default: wirecheck.waivers.yaml)'),
      option('--suite <NAME|FILE>', 'suite of the case or the clause, if it is not built in (repeatable)', {
        isList: true,
      }),
      option('--profile <NAME|FILE>', 'profile of the clause, if v1 does not have it'),
    ],
    load: async () => (await import('./waive.ts')).waiveCommand,
  },

  gateway: {
    group: 'Set up',
    summary: 'serve the reference gateway until Ctrl-C',
    options: [
      ...MODIFIER_OPTIONS,
      option('--port <N>', 'port to listen on', { default: '0', shownDefault: 'a free port' }),
      option('--host <HOST>', 'address to listen on', { default: '127.0.0.1' }),
      option('--latency <TIME>', 'delay before every answer, such as 200ms'),
      option('--seed <N>', 'seed for the texts and for choosing replicas', { default: '1' }),
      option('--json', 'print the address, the keys and the models as JSON'),
      option('--profile <NAME|FILE>', 'follow this profile instead of v1'),
    ],
    load: async () => (await import('./gateway.ts')).gatewayCommand,
  },

  completion: {
    group: 'Set up',
    summary: 'print the completion script of a shell',
    args: [['<SHELL>', 'bash, zsh or fish']],
    load: async () => (await import('./completion.ts')).completionCommand,
  },

  // Its targets are not in the package. The name is kept for those who still have it in a script.
  selftest: {
    summary: 'test wirecheck itself: npm run selftest, in a checkout',
    args: [['[NAME...]', 'fault, variant, client or relay']],
    isLenient: true,
    load() {
      throw usageError.UNKNOWN_COMMAND(
        'The self-test is not in the package, since its targets are not. Run `npm run selftest` in a checkout of wirecheck.',
      );
    },
  },

  // For the scripts of `completion`.
  complete: {
    summary: 'print what could stand in the place of the last word',
    args: [['[WORD...]', 'the words of the line, after --']],
    load: async () => (await import('./completion.ts')).completeCommand,
  },
};

/** Below the list of commands. */
export const GENERAL_HELP = `
Examples:
  wirecheck demo                       see it work, without a target
  ${KEY_VARIABLES.full}=… wirecheck run https://gateway.example/v1
  wirecheck plan                       see what a run costs
  wirecheck explain errors.code        explain a clause
  wirecheck run --help                 see the usual settings

Where wirecheck is not on the path, start it as ${COMMAND}.
${EXIT_CODES}`;
