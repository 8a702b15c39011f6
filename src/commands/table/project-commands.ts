/** The commands that look things up, and those that set a project up. */
import { settingOf } from '../../settings/setting-names.ts';
import { type CommandRow, JSON_OPTION, MODIFIER_OPTIONS, option, PROFILE_OPTION } from './command-row.ts';

const LOOK_UP = 'Look things up';
const SET_UP = 'Set up';

export const PROJECT_COMMANDS = {
  list: {
    group: LOOK_UP,
    summary:
      'list cases, suites, scenarios, relay-cases, load-cases, explore-cases, clauses, checks, faults, variants, settings, profiles or editions',
    args: [['[WHAT]', 'list to show (default: the number of entries in each)']],
    options: [
      JSON_OPTION,
      option('--suite <NAME|FILE>', 'only cases of this suite (repeatable)', { isList: true }),
      PROFILE_OPTION,
    ],
    help: `
Examples:
  wirecheck list
  wirecheck list clauses
  wirecheck list cases --suite auth
  wirecheck list faults --json
  wirecheck list editions                the tests, and what changed in them
`,
    load: async () => (await import('../list.ts')).listCommand,
  },

  explain: {
    group: LOOK_UP,
    summary:
      'explain a clause, case, scenario, suite, check, fault, variant, setting or profile, or the whole contract',
    args: [['<NAME>', 'an id or name that `wirecheck list` shows, a profile file, or contract']],
    options: [
      JSON_OPTION,
      option('--suite <NAME|FILE>', 'suite to search (repeatable)', { isList: true }),
      PROFILE_OPTION,
    ],
    help: `
Examples:
  wirecheck explain service.base-address
  wirecheck explain 'auth/unknown-key[models]'
  wirecheck explain auth                 a suite
  wirecheck explain error-code-integer   a fault
  wirecheck explain --suite own.yaml own/case
  wirecheck explain acme.yaml            a profile: your contract
  wirecheck explain contract > contract.md
  wirecheck explain contract --profile acme.yaml

A profile is a file with changes to v1, each with its reason: your contract, by
name. docs/profiles.md has every kind of change.
`,
    load: async () => (await import('../explain.ts')).explainCommand,
  },

  schema: {
    group: LOOK_UP,
    summary: 'print the JSON Schemas and the OpenAPI description',
    args: [['[NAME]', 'such as v1/model, files/recording or openapi (default: all)']],
    options: [
      option('--list', 'print only the names'),
      option('--json', 'print the OpenAPI description or the list of names as JSON'),
      PROFILE_OPTION,
    ],
    help: `
Examples:
  wirecheck schema --list
  wirecheck schema openapi > openapi.yaml
  wirecheck schema openapi --profile acme.yaml
  wirecheck schema v1/chat-completion-request
`,
    load: async () => (await import('../schema.ts')).schemaCommand,
  },

  init: {
    group: SET_UP,
    summary: 'write a config file, a waiver file and a CI job, unless they exist',
    options: [
      option('--base-url <URL>', 'base URL of the gateway, ending in the version segment'),
      option('--allow-http', settingOf('allow-http').summary),
      option('--key-env <NAME>', 'variable that holds the key (default: WIRECHECK_API_KEY)'),
      option('--ci <NAME>', 'github, gitlab or none (default: whichever the folder uses, otherwise none)'),
      option('--install <SPEC>', '', { isHidden: true }),
      option('--force', 'overwrite the config file and the CI job; a waiver file is never overwritten'),
    ],
    help: `
Examples:
  wirecheck init
  wirecheck init --base-url https://staging.example/v1 --ci github
  wirecheck init --ci gitlab           add the CI job to an existing config file

\`init\` asks for missing values. Without a terminal, --base-url is
required. Existing files are kept.

The CI job installs the wirecheck that package.json has, as package-lock.json
pins it: a tarball that \`npm pack\` makes in a clone, a git address, or a
package that you published in a scope of your own.
`,
    load: async () => (await import('../init.ts')).initCommand,
  },

  waive: {
    group: SET_UP,
    summary: 'add a waiver, so that a known failure does not fail runs until a date',
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
    help: `
Examples:
  wirecheck waive errors.code --reason 'fixed in 2.4' --until 2030-12-31
  wirecheck waive 'parameters/temperature-*' --reason 'ticket 42' \\
    --owner gateway --until 2030-12-31
  wirecheck waive 5f1c0e9a7b3d2846 --report wirecheck-report/report.json \\
    --reason 'ticket 43' --until 2030-12-31
  wirecheck waive completion.usage-present --reason removed \\
    --announced 2030-06-01 --link https://gateway.example/changelog
`,
    load: async () => (await import('../waive.ts')).waiveCommand,
  },

  gateway: {
    group: SET_UP,
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
    help: `
Examples:
  wirecheck gateway
  wirecheck gateway --port 8080 --fault error-code-integer
  wirecheck gateway --latency 200ms
  wirecheck gateway --fault error-code-integer --one-in 3/connection
`,
    load: async () => (await import('../gateway.ts')).gatewayCommand,
  },

  completion: {
    group: SET_UP,
    summary: 'print the completion script of a shell',
    args: [['<SHELL>', 'bash, zsh or fish']],
    help: `
Completes commands, flags, names such as those of reporters, and files. The
script asks wirecheck for them, so that it need not be made anew.

Examples:
  wirecheck completion bash > ~/.wirecheck-bash    # source it in ~/.bashrc
  wirecheck completion zsh > ~/.zfunc/_wirecheck   # a folder of $fpath
  wirecheck completion fish > ~/.config/fish/completions/wirecheck.fish

If wirecheck is installed in a project, your shell has no such command. Define
it, in ~/.bashrc or ~/.zshrc for instance:

  wirecheck() { npx --no-install wirecheck "$@"; }
`,
    load: async () => (await import('../completion.ts')).completionCommand,
  },
} satisfies Record<string, CommandRow>;
