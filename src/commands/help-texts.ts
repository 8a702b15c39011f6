/** The text below the options in `--help`: examples first. */
import { COMMAND } from '../contract/package-files.ts';
import { EXIT, EXIT_MEANINGS, type ExitMeanings, formatExits } from '../exit-codes.ts';
import { wrap } from '../text/layout.ts';
import { BASE_URL, KEY_SUMMARIES, KEY_VARIABLES } from '../settings/settings-without-flag.ts';

type KeyRole = keyof typeof KEY_VARIABLES;

const GATEWAY_KEYS: readonly KeyRole[] = ['full', 'restricted', 'exhausted', 'limited', 'revoked'];
const RELAY_KEYS: readonly KeyRole[] = ['full', 'second'];
const LOAD_KEYS: readonly KeyRole[] = ['full', 'restricted', 'second'];

function keyRows(roles: readonly KeyRole[]): string {
  return roles.map((role) => `  ${KEY_VARIABLES[role].padEnd(26)}${KEY_SUMMARIES[role]}\n`).join('');
}

const noteSettings = (keys = GATEWAY_KEYS): string => `
Flags override environment variables, which override wirecheck.config.yaml:
--max-requests 90, WIRECHECK_MAX_REQUESTS=90 and maxRequests: 90 are the same.
In a variable, separate values with commas and headers with line breaks.
Times are 500ms, 30s, 10m or milliseconds. Sizes are 64KiB, 4MiB or bytes.

Keys come from the environment or from the env file:
${keyRows(keys)}`;

const EXIT_CODES = `
${listExits(EXIT_MEANINGS)}
`;

function listExits(meanings: ExitMeanings, more = ''): string {
  return wrap(`Exit codes: ${formatExits(meanings)}.${more}`, 78).join('\n  ');
}

export const HELP = {
  all: `
Examples:
  wirecheck demo                       see it work, without a target
  ${KEY_VARIABLES.full}=… wirecheck run https://gateway.example/v1
  wirecheck plan                       see what a run costs
  wirecheck explain errors.code        explain a clause
  wirecheck run --help                 see every setting

Where wirecheck is not on the path, it is started as ${COMMAND}.
${EXIT_CODES}`,
  run: `
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
  relay: `
The gateway has to call the scripted upstream: configure http://127.0.0.1:N/v1
as its upstream, with any key, and restart it first.

Examples:
  wirecheck relay --print-config nginx --upstream-port 5055 > nginx.conf
  ${KEY_VARIABLES.full}=… wirecheck relay http://127.0.0.1:8080/v1 \\
    --upstream-port 5055
  wirecheck relay http://127.0.0.1:4000/v1 --upstream-port 5055 \\
    --upstream-model scripted --only 'relay/stream*'
  wirecheck relay http://127.0.0.1:8080/v1 --upstream-port 5055 --explore
${noteSettings(RELAY_KEYS)}${EXIT_CODES}`,
  load: `
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
${noteSettings(LOAD_KEYS)}${EXIT_CODES}`,
  explore: `
The list of requests depends on the version, the profile and the seed alone, so
that a change of the target is never blamed for another draw.

Examples:
  ${KEY_VARIABLES.full}=… wirecheck explore https://gateway.example/v1
  wirecheck explore https://gateway.example/v1 --plan
  wirecheck explore https://gateway.example/v1 --requests 100 --seed random
  wirecheck explore https://gateway.example/v1 --save found.yaml
  wirecheck explore https://gateway.example/v1 --seed 7 --path 17:3:0
${noteSettings(['full'])}${EXIT_CODES}`,
  demo: `
Examples:
  wirecheck demo
  wirecheck demo --only 'auth/*' --verbose
  wirecheck demo --fault error-code-integer   see a violation caught
${EXIT_CODES}`,
  plan: `
Examples:
  wirecheck plan
  wirecheck plan --verbose              every request, in order
  wirecheck plan --only 'parameters/*' --json
  ${KEY_VARIABLES.restricted}=… wirecheck plan --forbidden-model large-1
  wirecheck plan --targets targets.yaml

\`plan\` takes every flag of \`run\`, and needs no key.
${noteSettings()}`,
  client: `
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
  wirecheck explain auth                 a suite
  wirecheck explain error-code-integer   a fault
  wirecheck explain --suite own.yaml own/case
`,
  gateway: `
Examples:
  wirecheck gateway
  wirecheck gateway --port 8080 --fault error-code-integer
  wirecheck gateway --latency 200ms
  wirecheck gateway --fault error-code-integer --one-in 3/connection
`,
  selftest: '',
  render: `
Examples:
  wirecheck render wirecheck-report/report.json
  wirecheck render wirecheck-report/report.json --verbose
  wirecheck render wirecheck-report/report.json --reporter json=copy.json
`,
  open: `
Examples:
  wirecheck open
  wirecheck open reports/staging
  wirecheck open wirecheck-report/report.json

Without a name, it shows the newest page in the usual folder for reports, in
wirecheck-rerun and in wirecheck-board. A run that judged next to nothing, such
as one whose target was down, keeps the report before it in last-judged, which
is then shown. Without a browser, it prints the path.
`,
  completion: `
Completes commands, flags, names such as those of reporters, and files.

Examples:
  wirecheck completion bash > ~/.wirecheck-bash    # source it in ~/.bashrc
  wirecheck completion zsh > ~/.zfunc/_wirecheck   # a folder of $fpath
  wirecheck completion fish > ~/.config/fish/completions/wirecheck.fish

Make the file anew after an update. If wirecheck is installed in a project, your
shell has no such command. Define it, in ~/.bashrc or ~/.zshrc for instance:

  wirecheck() { npx --no-install wirecheck "$@"; }
`,
  judge: `
Examples:
  wirecheck run https://gateway.example/v1 --record old.ndjson.gz
  wirecheck judge old.ndjson.gz
  wirecheck judge old.ndjson.gz --out judged-again
  wirecheck judge traffic.har          traffic that a browser or proxy recorded

The settings of the recorded run apply, and the exit code is the same unless
clauses or suites changed. Without --out or --reporter, no files are written.
`,
  board: `
Examples:
  wirecheck board reports/*/report.json
  wirecheck board reports/ --out board --title 'Our gateways'
  wirecheck board reports/ --reporter markdown >> "$GITHUB_STEP_SUMMARY"

Reports on the same target become its history; the latest one is its state.
${listExits(
  {
    passed: 'every target passes',
    failed: 'a target fails',
    usage: 'usage error',
    notJudged: 'a target was not judged',
  },
  ` --fail-on none turns ${EXIT.failed} and ${EXIT.notJudged} into ${EXIT.passed}.`,
)}
`,
  compare: `
Examples:
  wirecheck compare old.ndjson.gz new.ndjson.gz
  wirecheck compare old/report.json new/report.json --fail-on warning
  wirecheck compare old.ndjson.gz new.ndjson.gz --reporter html=changes.html

${listExits({
  passed: 'no breaking change',
  failed: 'a breaking change, or one that --fail-on names',
  usage: 'usage error',
  notJudged: 'a run is incomplete or without bodies, or the newer one judged less',
})}
`,
  verify: `
Examples:
  wirecheck run https://gateway.example/v1 --record run.ndjson.gz \\
    --product 'Sea Gateway' --product-version 2.4
  wirecheck verify wirecheck-report/report.json run.ndjson.gz

The recording is judged again, offline, and everything in the report is
compared. Digests find damage and mismatch, not forgery. Nothing is signed.

${listExits({
  passed: 'the report follows from the recording',
  failed: 'it does not',
  usage: 'usage error, or another version of wirecheck made the report and this one comes to other verdicts',
})}
`,
  export: `
Examples:
  wirecheck export old.ndjson.gz --har old.har
`,
  profile: `
A profile is a file with changes to v1, each with its reason: your contract, by
name. docs/profiles.md has every kind of change.

Examples:
  wirecheck profile acme.yaml
  wirecheck profile common-servers
  wirecheck profile --suggest wirecheck-report/report.json > acme.yaml
  wirecheck run https://gateway.example/v1 --profile acme.yaml
`,
  contract: `
Examples:
  wirecheck contract > contract.md
  wirecheck contract --profile acme.yaml
`,
  schema: `
Examples:
  wirecheck schema --list
  wirecheck schema openapi > openapi.yaml
  wirecheck schema openapi --profile acme.yaml
  wirecheck schema v1/chat-completion-request
`,
  editions: `
Examples:
  wirecheck editions --json
`,
  waive: `
Examples:
  wirecheck waive errors.code --reason 'fixed in 2.4' --until 2030-12-31
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
  wirecheck init --ci gitlab           add the CI job to an existing config file
  wirecheck init --ci github --install ./vendor/wirecheck-VERSION.tgz
  wirecheck init --ci github --install git+https://HOST/REPO.git#COMMIT
  wirecheck init --ci github --install @acme/wirecheck@VERSION

\`init\` asks for missing values. Without a terminal, --base-url is
required. Existing files are kept.

wirecheck is not on a public registry, so the CI job installs it from SPEC: a
tarball that \`npm pack\` makes in a clone, a git address with a full commit, or
a package that you published in a scope of your own.
`,
} as const satisfies Record<string, string>;
