/** The commands and their flags. Each command loads its code only when it is called, so that help is fast. */
import { EXIT } from '../exit-codes.ts';
import { Command, CommanderError, Option } from 'commander';
import { toUsageError } from './command-error.ts';
import { FOR_CLIENTS, FOR_RELAYS, HELP, WITHOUT_DEFAULT_FILES } from './help-texts.ts';
import {
  addTo,
  CLIENT_SETTINGS,
  DEMO_SETTINGS,
  flagsOf,
  JUDGE_SETTINGS,
  offSwitchOf,
  optionOf,
  PLAN_SETTINGS,
  RELAY_SETTINGS,
  RENDER_SETTINGS,
  RUN_SETTINGS,
} from './settings/command-settings.ts';
import { type SettingName, settingOf } from '../settings/setting-names.ts';
import { BASE_URL } from '../settings/settings-without-flag.ts';
import type { ClientFlags } from './client.ts';
import type { BoardFlags } from './board.ts';
import type { CompareFlags } from './compare.ts';
import type { Modifiers } from './gateway.ts';
import type { ExportOptions } from './export.ts';
import type { GatewayFlags } from './gateway.ts';
import type { InitOptions } from './init-notes.ts';
import type { SchemaOptions } from './schema.ts';
import type { CommandIo } from './command-io.ts';
import type { WaiveOptions } from './waive.ts';

/** Returns the exit code. Throws a UsageError for wrong arguments. */
export async function execute(args: readonly string[], io: CommandIo): Promise<number> {
  let exit: number = EXIT.passed;
  const program = build(args, io, (code) => (exit = code));
  if (args.length === 0) {
    io.stderr.write(program.helpInformation() + HELP.all);
    return EXIT.usage;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed the help that was asked for.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.passed;
    throw error;
  }
  return exit;
}

function build(args: readonly string[], io: CommandIo, exitWith: (code: number) => void): Command {
  const program = new Command('wirecheck')
    .description('Checks a chat-completions gateway against the v1 contract, clause by clause.')
    .option('-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // The error that is thrown has our own message.
      writeErr: () => undefined,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .configureHelp({ minWidthToWrap: 20 })
    .addHelpText('after', HELP.all);

  const add = (name: keyof typeof HELP, summary: string, settings: readonly SettingName[], words: Words = {}) => {
    const command = program.command(name).description(summary).helpOption('-h, --help', 'show this help');
    for (const setting of settings) {
      command.addOption(optionOf(setting, words[setting]));
      const off = offSwitchOf(setting);
      if (off) command.addOption(off);
    }
    command.addHelpText('after', HELP[name]);
    overrideExit(command, args);
    return command;
  };
  const addModifiers = (command: Command) =>
    command
      .option('--fault <ID>', 'make the gateway misbehave; `wirecheck list faults` lists the ids (repeatable)', addTo)
      .option(
        '--variant <ID>',
        'make it behave unusually but legally; `wirecheck list variants` lists the ids (repeatable)',
        addTo,
      )
      .option('--one-in <N>', 'only one of N replicas misbehaves; N/connection keeps each connection to one replica');

  add('run', 'check the gateway at BASE_URL', RUN_SETTINGS)
    .argument('[BASE_URL]', BASE_URL.summary)
    .action(async (baseUrl: string | undefined, _options: unknown, command: Command) => {
      const { runCommand } = await import('./run.ts');
      exitWith(await runCommand(baseUrl, flagsOf(command), io));
    });

  addModifiers(add('demo', 'check the reference gateway, which is built in', DEMO_SETTINGS)).action(
    async (options: Named, command: Command) => {
      const { demoCommand } = await import('./demo.ts');
      exitWith(await demoCommand(flagsOf(command), modifiersOf(options), io));
    },
  );

  add(
    'relay',
    'check what the gateway at BASE_URL does between its client and its upstream',
    RELAY_SETTINGS,
    FOR_RELAYS,
  )
    .argument('[BASE_URL]', BASE_URL.summary)
    .option(
      '--print-config <NAME>',
      'print a configuration that puts the scripted upstream behind a gateway: nginx, caddy, haproxy, litellm or portkey',
    )
    .action(
      async (baseUrl: string | undefined, { printConfig }: { readonly printConfig?: string }, command: Command) => {
        const { relayCommand } = await import('./relay.ts');
        exitWith(await relayCommand(baseUrl, printConfig, flagsOf(command), io));
      },
    );

  add('plan', 'show what a run would send and cost, without sending anything', PLAN_SETTINGS)
    .argument('[BASE_URL]', 'shown in the heading; the plan does not depend on it')
    .option('--json', 'print JSON')
    .action(async (baseUrl: string | undefined, options: Named, command: Command) => {
      const { planCommand } = await import('./plan.ts');
      exitWith(planCommand(baseUrl, flagsOf(command), options.json === true, io));
    });

  add('client', 'check a client: drive it through scenarios', CLIENT_SETTINGS, FOR_CLIENTS)
    .argument('[COMMAND...]', 'command that makes one call, after --; see below')
    .option('--driver', 'keep the command running and send it one JSON line per scenario')
    .option('--clients <FILE>', 'check several clients and write a matrix; see docs/clients.md')
    .action(async (words: readonly string[], options: Partial<ClientFlags>, command: Command) => {
      const { clientCommand } = await import('./client.ts');
      exitWith(await clientCommand(words, { driver: false, ...options }, flagsOf(command), io));
    });

  add(
    'list',
    'list cases, suites, scenarios, clauses, checks, faults, variants, test-clients, test-relays or settings',
    [],
  )
    .argument('[WHAT]', 'one of these lists (default: how many entries each has)')
    .option('--json', 'print JSON')
    .option('--suite <NAME|FILE>', 'only cases of this suite (repeatable)', addTo)
    .action(async (what: string | undefined, { json = false, suite = [] }: Named) => {
      const { listCommand } = await import('./list.ts');
      exitWith(await listCommand(what, { json, suite }, io));
    });

  add('explain', 'explain a clause, case, suite, scenario, check, fault, variant or setting', [])
    .argument('<NAME>', 'an id or name that `wirecheck list` shows')
    .option('--suite <NAME|FILE>', 'suite to search (repeatable)', addTo)
    .action(async (id: string, { suite = [] }: Named) => {
      const { explainCommand } = await import('./explain.ts');
      exitWith(explainCommand(id, suite, io));
    });

  addModifiers(add('gateway', 'serve the reference gateway until Ctrl-C', []))
    .addOption(new Option('--port <N>', 'port to listen on').default('0', 'a free port'))
    .addOption(new Option('--host <HOST>', 'address to listen on').default('127.0.0.1', '127.0.0.1'))
    .option('--latency <TIME>', 'delay before every answer, such as 200ms')
    .addOption(new Option('--seed <N>', 'seed of the texts and of the choice of replicas').default('1', '1'))
    .action(async (options: Named & Omit<GatewayFlags, keyof Modifiers>) => {
      const { gatewayCommand } = await import('./gateway.ts');
      exitWith(await gatewayCommand({ ...options, ...modifiersOf(options) }, io));
    });

  add('selftest', 'test wirecheck itself on every built-in fault, variant, client and relay', [])
    .argument('[NAME...]', 'faults, variants, test clients and test relays (default: all)')
    .option('--matrix <FILE>', 'Markdown file to write: which fault is found by what')
    .option('--pool', 'run each must fault and each variant on one of three replicas, with --detect 1/3')
    .addOption(
      new Option(
        '--one-in <N>',
        'with --pool: one replica of N, with --detect 1/N; N/connection keeps each connection to one replica',
      ).default('3', '3'),
    )
    .addOption(new Option('--seed <N>', 'with --pool: seed of the choice of replicas').default('1', '1'))
    .addOption(new Option('--seeds <N>', 'with --pool: number of seeds to try, one after the other').default('1', '1'))
    .action(async (names: readonly string[], { matrix, pool, oneIn, seed, seeds }: SelftestOptions) => {
      if (pool) {
        const { selftestPoolCommand } = await import('./selftest-pool.ts');
        exitWith(await selftestPoolCommand({ names, oneIn, seed, seeds }, io));
        return;
      }
      const { selftestCommand } = await import('./selftest.ts');
      exitWith(await selftestCommand({ names, ...(matrix !== undefined && { matrix }) }, io));
    });

  add('render', 'show a stored report in any format', RENDER_SETTINGS, WITHOUT_DEFAULT_FILES)
    .argument('<REPORT>', 'report.json of an earlier run')
    .action(async (report: string, _options: unknown, command: Command) => {
      const { renderCommand } = await import('./render.ts');
      exitWith(renderCommand(report, flagsOf(command), io));
    });

  add('waive', 'add a waiver, so that a known failure does not fail runs until a date', [])
    .argument('<ID>', 'clause, case (* matches any characters), or fingerprint of a finding')
    .option('--reason <TEXT>', 'why it is accepted for now (required)')
    .option('--until <DATE>', 'last day of the waiver (this or --announced is required)')
    .option('--announced <DATE>', 'instead of --until: day from which an announced removal is legal')
    .option('--owner <NAME>', 'who will fix it')
    .option('--link <URL>', 'where it is tracked or was announced')
    .option(
      '--report <FILE>',
      'report.json: shows how many of its findings the waiver covers, and looks up a fingerprint',
    )
    .option('--waivers <FILE>', 'waiver file (default: wirecheck.waivers.yaml)')
    .option('--suite <NAME|FILE>', 'suite of the case, if it is not built in (repeatable)', addTo)
    .action(async (id: string, options: WaiveOptions, command: Command) => {
      const { waiveCommand } = await import('./waive.ts');
      exitWith(waiveCommand(id, options, flagsOf(command), io));
    });

  add('init', 'write a config file, a waiver file and a CI job, unless they exist', [])
    .option('--base-url <URL>', 'base URL of the gateway, ending in the version segment')
    .option('--allow-http', settingOf('allow-http').summary)
    .option('--key-env <NAME>', 'variable that holds the key (default: WIRECHECK_API_KEY)')
    .option('--ci <NAME>', 'github, gitlab or none (default: whichever the folder uses, otherwise none)')
    .option('--install <SPEC>', 'where the CI job installs wirecheck from (default: ./wirecheck.tgz)')
    .option('--force', 'overwrite the config file and the CI job; a waiver file is never overwritten')
    .action(async (options: InitOptions) => {
      const { initCommand } = await import('./init.ts');
      exitWith(await initCommand(options, io));
    });

  add('judge', 'judge recordings again, without sending anything', JUDGE_SETTINGS, WITHOUT_DEFAULT_FILES)
    .argument('<FILE...>', 'recordings made with --record, or HAR files')
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      const { judgeCommand } = await import('./judge.ts');
      exitWith(await judgeCommand(files, flagsOf(command), io));
    });

  add('compare', 'show what changed between two runs: breaking, warning, additive, drift', [])
    .argument('<OLD>', 'recording or report.json of the older run')
    .argument('<NEW>', 'recording or report.json of the newer run')
    .option('--fail-on <KIND>', 'exit with 1 on breaking changes, or also on warning or drift (default: breaking)')
    .option(
      '--reporter <NAME[=FILE]>',
      'terminal, json, markdown, html, junit, sarif or github; without =FILE it goes to stdout (repeatable)',
      addTo,
    )
    .option('--waivers <FILE>', 'waiver file: accepted changes and announced removals')
    .action(async (older: string, newer: string, options: CompareFlags) => {
      const { compareCommand } = await import('./compare.ts');
      exitWith(await compareCommand(older, newer, options, io));
    });

  add('board', 'put many reports on one page: targets and clauses, differences, history', [])
    .argument('<REPORT...>', 'report.json of runs, or folders that hold them')
    .option('--out <DIR>', 'folder for board.html, board.json, board.md and badges, or none (default: wirecheck-board)')
    .option(
      '--reporter <NAME[=FILE]>',
      'html, json or markdown, instead of the folder; without =FILE it goes to stdout (repeatable)',
      addTo,
    )
    .option('--title <TEXT>', 'title of the board')
    .option('--fail-on <KIND>', 'exit with 1 if a target fails (must), or never (none) (default: must)')
    .action(async (reports: readonly string[], options: BoardFlags) => {
      const { boardCommand } = await import('./board.ts');
      exitWith(boardCommand(reports, options, io));
    });

  add('export', 'convert a recording to HAR', [])
    .argument('<RECORDING>', 'recording made with --record')
    .option('--har <FILE>', 'HAR 1.2 file to write, or - for stdout (required)')
    .option('--force', 'overwrite an existing file')
    .action(async (file: string, options: ExportOptions) => {
      const { exportCommand } = await import('./export.ts');
      exitWith(await exportCommand(file, options, io));
    });

  add('schema', 'print the JSON Schemas and the OpenAPI description', [])
    .argument('[NAME]', 'such as v1/model, files/recording or openapi (default: all)')
    .option('--list', 'print only the names')
    .option('--json', 'print the OpenAPI description as JSON instead of YAML')
    .action(async (name: string | undefined, options: SchemaOptions) => {
      const { schemaCommand } = await import('./schema.ts');
      exitWith(schemaCommand(name, options, io));
    });

  overrideExit(program, args);
  return program;
}

interface SelftestOptions {
  readonly matrix?: string;
  readonly pool?: boolean;
  readonly oneIn: string;
  readonly seed: string;
  readonly seeds: string;
}

interface Named {
  readonly json?: boolean;
  readonly suite?: readonly string[];
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  readonly oneIn?: string;
}

function modifiersOf({ fault = [], variant = [], oneIn }: Named): Modifiers {
  return { fault, variant, ...(oneIn !== undefined && { oneIn }) };
}

function overrideExit(command: Command, args: readonly string[]): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, command, args);
  });
}

/** Help of flags that mean something else in one command. */
type Words = Partial<Record<string, string>>;
