/** The commands as the user types them. Each loads its own code only when it is called, so that help comes at once. */
import { Command, CommanderError, Option } from 'commander';
import { wordsFor } from './command-error.ts';
import { HELP, WITHOUT_DEFAULT_FILES } from './help-texts.ts';
import type { Flags } from './settings/merge-settings.ts';
import { DEMO_SETTINGS, JUDGE_SETTINGS, RENDER_SETTINGS } from './settings/command-settings.ts';
import { formatNotes, SETTING_NAMES, type SettingName, settingOf } from '../settings/setting-names.ts';
import type { CompareFlags } from './compare.ts';
import type { Departures } from './departures.ts';
import type { ExportOptions } from './export.ts';
import type { GatewayFlags } from './gateway.ts';
import type { InitOptions } from './init.ts';
import type { SchemaOptions } from './schema.ts';
import type { Surroundings } from './surroundings.ts';
import type { WaiveOptions } from './waive.ts';

/** The exit code. Throws a UsageError for whatever is wrong with the arguments. */
export async function execute(args: readonly string[], around: Surroundings): Promise<number> {
  let exit = 0;
  const program = build(args, around, (code) => (exit = code));
  if (args.length === 0) {
    around.stderr.write(program.helpInformation() + HELP.all);
    return 2;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Help was asked for and printed.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    throw error;
  }
  return exit;
}

function build(args: readonly string[], around: Surroundings, exitWith: (code: number) => void): Command {
  const program = new Command('wirecheck')
    .description('Checks a chat-completions gateway against the v1 contract, clause by clause.')
    .option('-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      // What commander would say is said by us, with the error that is thrown.
      writeErr: () => undefined,
      getOutHelpWidth: () => around.stdout.columns ?? 100,
    })
    .configureHelp({ minWidthToWrap: 20 })
    .addHelpText('after', HELP.all);

  const add = (name: keyof typeof HELP, summary: string, settings: readonly SettingName[], words: Words = {}) => {
    const command = program.command(name).description(summary).helpOption('-h, --help', 'show this help');
    for (const setting of settings) command.addOption(optionOf(setting, words[setting]));
    command.addHelpText('after', HELP[name]);
    overrideExit(command, args);
    return command;
  };
  const departures = (command: Command) =>
    command
      .option('--fault <ID>', 'let the gateway break clauses; `wirecheck list faults` (repeatable)', addTo)
      .option('--variant <ID>', 'let it be odd but legal; `wirecheck list variants` (repeatable)', addTo);

  add('run', 'check the gateway at BASE_URL', SETTING_NAMES)
    .argument('[BASE_URL]', 'address that ends in the version segment, such as https://gateway.example/v1')
    .action(async (baseUrl: string | undefined, _options: unknown, command: Command) => {
      const { runCommand } = await import('./run.ts');
      exitWith(await runCommand(baseUrl, flagsOf(command), around));
    });

  departures(add('demo', 'start the embedded gateway and check that', DEMO_SETTINGS)).action(
    async (options: Named, command: Command) => {
      const { demoCommand } = await import('./demo.ts');
      exitWith(await demoCommand(flagsOf(command), departuresOf(options), around));
    },
  );

  add('plan', 'show what a run would send, and what it would cost; sends nothing', SETTING_NAMES)
    .argument('[BASE_URL]', 'as for run; the plan does not depend on it')
    .option('--json', 'the plan as JSON')
    .action(async (baseUrl: string | undefined, options: Named, command: Command) => {
      const { planCommand } = await import('./plan.ts');
      exitWith(planCommand(baseUrl, flagsOf(command), options.json === true, around));
    });

  add('list', 'list cases, suites, clauses, checks, faults, variants or settings', [])
    .argument('[WHAT]', 'cases, suites, clauses, checks, faults, variants or settings')
    .option('--json', 'as JSON')
    .option('--suite <NAME|FILE>', 'the cases of this suite (repeatable)', addTo)
    .action(async (what: string | undefined, { json = false, suite = [] }: Named) => {
      const { listCommand } = await import('./list.ts');
      exitWith(await listCommand(what, { json, suite }, around));
    });

  add('explain', 'why a clause is read as it is, what a case asks and judges, what any other name stands for', [])
    .argument('<NAME>', 'a clause, case, suite, check, fault, variant or setting')
    .option('--suite <NAME|FILE>', 'look in this suite (repeatable)', addTo)
    .action(async (id: string, { suite = [] }: Named) => {
      const { explainCommand } = await import('./explain.ts');
      exitWith(explainCommand(id, suite, around));
    });

  departures(add('gateway', 'serve the embedded gateway until Ctrl-C', []))
    .addOption(new Option('--port <N>', 'port to listen on').default('0', 'a free one'))
    .addOption(new Option('--host <HOST>', 'address to listen on').default('127.0.0.1', '127.0.0.1'))
    .option('--latency <TIME>', 'wait so long before every answer, such as 200ms')
    .action(async (options: Named & Omit<GatewayFlags, keyof Departures>) => {
      const { gatewayCommand } = await import('./gateway.ts');
      const { port, host, latency } = options;
      const delay = latency !== undefined && { latency };
      exitWith(await gatewayCommand({ ...departuresOf(options), port, host, ...delay }, around));
    });

  add('selftest', 'try the checker on every built-in fault and every odd but legal variant', [])
    .argument('[NAME...]', 'faults and variants; all of them where none is named')
    .option('--matrix <FILE>', 'write which case finds which fault, as Markdown')
    .action(async (names: readonly string[], { matrix }: { readonly matrix?: string }) => {
      const { selftestCommand } = await import('./selftest.ts');
      exitWith(await selftestCommand({ names, ...(matrix !== undefined && { matrix }) }, around));
    });

  add('render', 'show a stored report again, in any format', RENDER_SETTINGS, WITHOUT_DEFAULT_FILES)
    .argument('<REPORT>', 'report.json of an earlier run')
    .action(async (report: string, _options: unknown, command: Command) => {
      const { renderCommand } = await import('./render.ts');
      exitWith(renderCommand(report, flagsOf(command), around));
    });

  add('waive', 'add a known failure to the waiver file, so that it does not fail runs for a time', [])
    .argument('<ID>', 'a clause, a case (* stands for any characters), or the fingerprint of a finding')
    .option('--reason <TEXT>', 'why it is accepted for now (needed)')
    .option('--until <DATE>', 'the last day on which it holds (this or --announced is needed)')
    .option('--announced <DATE>', 'in place of --until: the day from which an announced removal is legal')
    .option('--owner <NAME>', 'who will see to it')
    .option('--link <URL>', 'where it is tracked, or was announced')
    .option(
      '--report <FILE>',
      'report.json: says how many of its findings are covered, and the case and the clause of a fingerprint',
    )
    .option('--waivers <FILE>', 'file to add it to (default: wirecheck.waivers.yaml)')
    .option('--suite <NAME|FILE>', 'where the case is not of a built-in suite: its suite (repeatable)', addTo)
    .action(async (id: string, options: WaiveOptions, command: Command) => {
      const { waiveCommand } = await import('./waive.ts');
      exitWith(waiveCommand(id, options, flagsOf(command), around));
    });

  add('init', 'write a configuration, a waiver file and a CI job, where they are not there yet', [])
    .option('--base-url <URL>', 'address of the gateway, ending in v1')
    .option('--allow-http', 'let the key go over plain http to a host that is not this machine')
    .option('--key-env <NAME>', 'variable that holds the key (default: WIRECHECK_API_KEY)')
    .option('--ci <NAME>', 'github, gitlab or none (default: what the folder has, else none)')
    .option('--install <SPEC>', 'where the CI job installs wirecheck from (default: ./wirecheck.tgz)')
    .option('--force', 'replace the configuration and the CI file; a waiver file is never replaced')
    .action(async (options: InitOptions) => {
      const { initCommand } = await import('./init.ts');
      exitWith(await initCommand(options, around));
    });

  add('judge', 'judge recordings again, offline', JUDGE_SETTINGS, WITHOUT_DEFAULT_FILES)
    .argument('<FILE...>', 'recordings that --record wrote, or HAR files')
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      const { judgeCommand } = await import('./judge.ts');
      exitWith(await judgeCommand(files, flagsOf(command), around));
    });

  add('compare', 'what changed from one run to another: breaking, warning, additive, drift', [])
    .argument('<OLD>', 'recording or report.json of the older run')
    .argument('<NEW>', 'that of the newer run')
    .option('--fail-on <KIND>', 'exit 1 on breaking changes, or on warning or drift as well (default: breaking)')
    .option(
      '--reporter <NAME[=FILE]>',
      'terminal, json, markdown or html; without a file it goes to stdout (repeatable)',
      addTo,
    )
    .option('--waivers <FILE>', 'accepted changes, and removals that were announced')
    .option('--force', 'replace files that are there')
    .action(async (older: string, newer: string, options: CompareFlags) => {
      const { compareCommand } = await import('./compare.ts');
      exitWith(await compareCommand(older, newer, options, around));
    });

  add('export', 'make a HAR of a recording', [])
    .argument('<RECORDING>', 'what --record wrote')
    .option('--har <FILE>', 'HAR 1.2 to write; - for stdout (needed)')
    .option('--force', 'replace a file that is there')
    .action(async (file: string, options: ExportOptions) => {
      const { exportCommand } = await import('./export.ts');
      exitWith(await exportCommand(file, options, around));
    });

  add('schema', 'print the JSON Schemas and the OpenAPI description', [])
    .argument('[NAME]', 'one of them, such as v1/model, files/recording or openapi; all where none is named')
    .option('--list', 'only the names')
    .option('--json', 'the OpenAPI description as JSON too')
    .action(async (name: string | undefined, options: SchemaOptions) => {
      const { schemaCommand } = await import('./schema.ts');
      exitWith(schemaCommand(name, options, around));
    });

  overrideExit(program, args);
  return program;
}

interface Named {
  readonly json?: boolean;
  readonly suite?: readonly string[];
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
}

/** A flag that may be repeated. */
function addTo(text: string, before?: readonly string[]): readonly string[] {
  return [...(before ?? []), text];
}

function departuresOf({ fault = [], variant = [] }: Named) {
  return { fault, variant };
}

function overrideExit(command: Command, args: readonly string[]): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : wordsFor(error, command, args);
  });
}

/** What a flag does where a command has its own way with it. */
type Words = Partial<Record<string, string>>;

function optionOf(name: SettingName, own?: string): Option {
  const { type, summary, several, group } = settingOf(name);
  const notes = formatNotes(name);
  const flag = type.placeholder === '' ? `--${name}` : `--${name} <${type.placeholder}>`;
  const words = own ?? (notes === undefined ? summary : `${summary} (${notes})`);
  const option = new Option(flag, words).helpGroup(`${group}:`);
  return several === undefined ? option : option.argParser(addTo);
}

/** What was typed, by the name of the row. */
function flagsOf(command: Command): Flags {
  const flags: Record<string, string | true | readonly string[]> = {};
  for (const option of command.options) {
    const attribute = option.attributeName();
    if (command.getOptionValueSource(attribute) !== 'cli') continue;
    const value: unknown = command.getOptionValue(attribute);
    // A flag that starts with `--no-` is kept by commander as the opposite of the rest of its name.
    const name = option.long?.slice(2) ?? option.name();
    flags[name] = option.negate ? true : (value as string | true | readonly string[]);
  }
  return flags;
}
