/** What stands below the options in `--help`: examples first. */
import { DEFAULT_FILES, FORMAT_LIST } from '../settings/settings-table.ts';
import { BASE_URL, KEY_VARIABLES } from '../settings/settings-without-flag.ts';

/** Of commands that write no file by themselves, these flags say something else. */
export const WITHOUT_DEFAULT_FILES: Partial<Record<string, string>> = {
  reporter: `format to write (${FORMAT_LIST}); without a file it goes to stdout and all else to stderr (repeatable; default: terminal)`,
  out: `folder for ${DEFAULT_FILES} (default: no files)`,
};

const SETTINGS_NOTE = `
Every flag is also a variable and a key of wirecheck.config.yaml:
--reply-tokens 8 is WIRECHECK_REPLY_TOKENS=8 and replyTokens: 8. The flag goes
first, then the variable, then the file. Several values in one variable are
separated by commas (headers by line ends).
Times are 500ms, 30s, 10m or milliseconds; sizes are 64KiB, 4MiB or bytes.
Keys are taken from the environment or from --env-file:
  ${KEY_VARIABLES.full}         the key to check with
  ${KEY_VARIABLES.restricted}  a key that may not call --forbidden-model
  ${KEY_VARIABLES.exhausted}   a key with nothing left to spend
  ${KEY_VARIABLES.limited}     a key with a low rate limit
`;

const EXIT_CODES = `
Exit codes: 0 conforms; 1 a must failed; 2 wrong usage, nothing was sent;
  3 not judged; 70 a bug in wirecheck; 130 interrupted.
`;

export const HELP = {
  all: `
Examples:
  wirecheck demo                       see it work, without any target
  ${KEY_VARIABLES.full}=… wirecheck run https://gateway.example/v1
  wirecheck plan                       what a run costs
  wirecheck explain errors.code        why a clause is read as it is
  wirecheck run --help                 every setting
${EXIT_CODES}`,
  run: `
Examples:
  ${KEY_VARIABLES.full}=… wirecheck run https://gateway.example/v1
  wirecheck run https://gateway.example/v1 --api-key-file key.txt
  wirecheck run https://gateway.example/v1 --only 'auth/*' --skip '*stream*'
  wirecheck run https://gateway.example/v1 --model small-1 --max-completions 30
  wirecheck run https://gateway.example/v1 \\
    --rerun-failed wirecheck-report/report.json
  wirecheck run https://gateway.example/v1 \\
    --waivers wirecheck.waivers.yaml --baseline last-release/report.json
  export ${BASE_URL.variable}=https://gateway.example/v1
  wirecheck run --reporter json > report.json

No output replaces a file that the run reads, even by another name; only a
report given to --rerun-failed is renewed.
${SETTINGS_NOTE}${EXIT_CODES}`,
  demo: `
Examples:
  wirecheck demo
  wirecheck demo --only 'auth/*' --verbose
  wirecheck demo --fault error-code-integer   see a violation caught
${EXIT_CODES}`,
  plan: `
Examples:
  wirecheck plan
  wirecheck plan --only 'parameters/*' --json
  ${KEY_VARIABLES.restricted}=… wirecheck plan --forbidden-model large-1

It takes every flag of run, so that the same command line can be planned first.
${SETTINGS_NOTE}`,
  list: `
Examples:
  wirecheck list
  wirecheck list clauses
  wirecheck list cases --suite auth
  wirecheck list faults --json
`,
  explain: `
Examples:
  wirecheck explain service.base-address
  wirecheck explain 'auth/unknown-key[models]'
  wirecheck explain auth                 a suite: its cases
  wirecheck explain error-code-integer   a fault
  wirecheck explain --suite own.yaml own/case
`,
  gateway: `
Examples:
  wirecheck gateway
  wirecheck gateway --port 8080 --fault error-code-integer
  wirecheck gateway --latency 200ms
`,
  selftest: `
Examples:
  wirecheck selftest
  wirecheck selftest error-code-integer gzip
  wirecheck selftest --matrix reports/kill-matrix.md
`,
  render: `
Examples:
  wirecheck render wirecheck-report/report.json
  wirecheck render wirecheck-report/report.json --verbose
  wirecheck render wirecheck-report/report.json --reporter json=copy.json
`,
  judge: `
Examples:
  wirecheck run https://gateway.example/v1 --record old.ndjson.gz
  wirecheck judge old.ndjson.gz
  wirecheck judge old.ndjson.gz --out judged-again
  wirecheck judge traffic.har          what a browser or a proxy recorded

The settings are those of the recorded run, and so is the exit code where
clauses and suites are the same. Unlike a run, it writes no file unless --out or
--reporter says so.
`,
  compare: `
Examples:
  wirecheck compare old.ndjson.gz new.ndjson.gz
  wirecheck compare old/report.json new/report.json --fail-on warning
  wirecheck compare old.ndjson.gz new.ndjson.gz --reporter html=changes.html

Exit codes: 0 nothing breaks; 1 something does, or changes as --fail-on says;
  2 wrong usage; 3 the two runs cannot be compared, or only in part.
`,
  export: `
Examples:
  wirecheck export old.ndjson.gz --har old.har
`,
  schema: `
Examples:
  wirecheck schema --list
  wirecheck schema openapi > openapi.yaml
  wirecheck schema v1/chat-completion-request
`,
  waive: `
Examples:
  wirecheck waive errors.code --reason 'numbers until 2.4' --until 2030-12-31
  wirecheck waive 'parameters/temperature-*' --reason 'ticket 42' \\
    --owner gateway --until 2030-12-31
  wirecheck waive 5f1c0e9a7b3d2846 --report wirecheck-report/report.json \\
    --reason 'ticket 43' --until 2030-12-31
  wirecheck waive completion.usage-present --reason removed \\
    --announced 2030-06-01 --link https://gateway.example/changelog
`,
  init: `
Examples:
  wirecheck init
  wirecheck init --base-url https://staging.example/v1 --ci github
  wirecheck init --ci gitlab           adds the CI file to a configuration
  wirecheck init --ci github --install ./vendor/wirecheck-0.1.0.tgz
  wirecheck init --ci github --install git+https://HOST/REPO.git#COMMIT
  wirecheck init --ci github --install @acme/wirecheck@0.1.0

It asks for what no flag says; where there is no terminal, --base-url is needed.
Files that are there are kept.

wirecheck is on no public registry, so the CI job installs it from SPEC: a
tarball that \`npm pack\` makes in a clone, a git address with a full commit, or
a package that you published in a scope of your own.
`,
} as const satisfies Record<string, string>;
