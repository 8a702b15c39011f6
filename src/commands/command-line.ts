/** The command line: declares the commands of the table, and calls the one that was typed. */
import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { COMMAND } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { SETTING_NAMES, type SettingName } from '../settings/setting-names.ts';
import { inert } from '../text/layout.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { type CommandIo, type Call, type CommandRow, helpBelow, type OwnOption } from './command-row.ts';
import { COMMANDS, GENERAL_HELP } from './command-table.ts';
import { addTo, flagsOf, offSwitchOf, optionOf, rareSettings } from './settings/command-settings.ts';
import { withoutOldName } from './old-names.ts';

/** Returns the exit code. Throws a UsageError for wrong arguments. */
export async function execute(typed: readonly string[], io: CommandIo): Promise<number> {
  const args = withoutOldName(typed, io);
  let exit: number = EXIT.passed;
  const program = buildProgram(args, io, async ({ load }, call) => {
    const run = await load();
    exit = (await run(call)) ?? EXIT.passed;
  });
  if (args.length === 0) {
    io.stderr.write(program.helpInformation() + GENERAL_HELP);
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

type Execute = (row: CommandRow, call: Call) => Promise<void>;

/** Declares the commands. Completion reads the flags from it too. */
export function buildProgram(args: readonly string[], io: CommandIo, run: Execute): Command {
  const program = new Command('wirecheck')
    .description('Checks a chat-completions gateway against the v1 contract, clause by clause.')
    .option('-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // The error that is thrown has our own message.
      writeErr: () => undefined,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    // `help NAME` works, but `NAME --help` says the same.
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({
      minWidthToWrap: 20,
      visibleCommands: (command) => new Help().visibleCommands(command).filter((each) => each.name() !== 'help'),
      // Every command has options.
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
    })
    .addHelpText('after', GENERAL_HELP);
  const [typed = ''] = args;
  const isAllHelp = /^(?:-h|--help) all$/.test(args.slice(-2).join(' '));
  for (const [name, row] of Object.entries(COMMANDS)) {
    const command = program.command(name, { hidden: row.group === undefined });
    // Only the command that is called needs its settings, of which there are hundreds. Help reads those of all.
    const { settings = [] } = name === typed || !Object.hasOwn(COMMANDS, typed) ? row : {};
    declare(command, { ...row, settings }, isAllHelp);
    overrideExit(command, args);
    command.action(() => run(row, { ...readCall(command, row), io }));
  }
  overrideExit(program, args);
  return program;
}

/** `isWhole`: its help leaves nothing out. */
function declare(command: Command, row: CommandRow, isWhole: boolean): void {
  const { group, summary, args = [], settings = [], words = {}, options = [], hasReporters, isLenient } = row;
  const rare: readonly SettingName[] = isWhole ? [] : rareSettings(settings);
  const rareOptions = isWhole ? [] : options.filter(({ isRare }) => isRare);
  command.description(summary).helpOption('-h, --help', 'show this help');
  // Its text is read when it is asked for.
  if (group !== undefined)
    command
      .helpGroup(`${group}:`)
      .addHelpText('after', () => helpBelow(command.name(), row, rare.length + rareOptions.length));
  if (isLenient) command.allowUnknownOption();
  const add = (option: Option, isHidden: boolean): Command => command.addOption(isHidden ? option.hideHelp() : option);
  for (const [form, meaning] of args) command.addArgument(new Argument(form, meaning));
  for (const setting of settings) {
    add(optionOf(setting, words[setting]), rare.includes(setting));
    const off = offSwitchOf(setting);
    if (off) command.addOption(off);
  }
  if (hasReporters) command.option('--json', 'short for --reporter json');
  for (const own of options) add(toOption(own), own.isHidden === true || rareOptions.includes(own));
}

function toOption({ flags, summary, isList, default: usual, shownDefault }: OwnOption): Option {
  const option = new Option(flags, summary);
  if (isList) option.argParser(addTo);
  if (usual !== undefined) option.default(usual, shownDefault ?? usual);
  return option;
}

function readCall(command: Command, { hasReporters }: CommandRow): Omit<Call, 'io'> {
  const given: readonly unknown[] = command.processedArgs;
  const read = {
    args: given.filter((each) => typeof each === 'string'),
    words: given.flatMap((each) => (Array.isArray(each) ? (each as readonly string[]) : [])),
    options: command.opts(),
    flags: flagsOf(command),
  };
  if (!hasReporters) return read;
  const { json, reporter, ...flags } = read.flags;
  const reporters = [...(Array.isArray(reporter) ? (reporter as readonly string[]) : []), ...(json ? ['json'] : [])];
  const told = reporters.length === 0 ? {} : { reporter: reporters };
  return { ...read, flags: { ...flags, ...told }, options: { ...read.options, ...told } };
}

function overrideExit(command: Command, args: readonly string[]): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, command, args);
  });
}

/** What the parser complains about, in our own words and with the nearest known name. */
function toUsageError(error: CommanderError, command: Command, args: readonly string[]): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const help = [COMMAND, ...(command.parent ? [command.name()] : []), '--help'].join(' ');
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, command, help);
    case 'commander.unknownCommand':
      return unknownCommand(quoted, command, help);
    case 'commander.optionMissingArgument': {
      const flag = quoted.replace(/^-\w, /, '');
      return usageError.VALUE_MISSING(`${flag.split(' ')[0]} needs a value: write it as ${flag}.`);
    }
    // `help NAME` with an unknown name.
    case 'commander.help':
      return unknownCommand(args[args.indexOf('help') + 1] ?? '', command, help);
    case 'commander.missingArgument':
      return usageError.VALUE_MISSING(`${quoted} is missing${meaningOf(quoted, command)}. See ${help}`);
    case 'commander.excessArguments':
      return usageError.TOO_MANY_ARGUMENTS(
        `Too many arguments for \`${command.name()}\`: quote globs, as in --only 'auth/*', or see ${help}`,
      );
    default:
      return new UsageError(`${error.message.replace(/^error: /, '')}: see ${help}`);
  }
}

/** `: report.json of the older run` */
function meaningOf(name: string, { registeredArguments }: Command): string {
  const { description = '' } = registeredArguments.find((each) => each.name() === name) ?? {};
  return description && `: ${description}`;
}

const KEY_FLAG = /^--(api|restricted|exhausted|limited|revoked)?-?(key|token)$/i;

/** Quotes only the name: a key may follow the equals sign. */
function unknownOption(given: string, command: Command, help: string): UsageError {
  const flag = inert(given.split('=')[0] ?? given, 60);
  if (KEY_FLAG.test(flag)) return keyOnCommandLine(flag);
  const flags = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  if (given.includes('=') && flags.includes(flag)) return valueOfSwitch(flag, given.slice(flag.length + 1), flags);
  const alone = given.split(/\s/)[0] ?? '';
  if (alone !== given && flags.includes(alone)) return joinedValue(alone, command);
  if (command.name() === 'explain' && SETTING_NAMES.some((name) => flag === `--${name}`))
    return usageError.UNKNOWN_FLAG(`Leave out the dashes: wirecheck explain ${flag.slice(2)}`);
  return usageError.UNKNOWN_FLAG(`Unknown flag ${flag}.${didYouMean(flag, flags) || ` See ${help}`}`);
}

function keyOnCommandLine(flag: string): UsageError {
  const [, role = 'api'] = KEY_FLAG.exec(flag) ?? [];
  const variable = `WIRECHECK_${role.toUpperCase()}_KEY`;
  const file = role.toLowerCase() === 'api' ? ', or use --api-key-env NAME or --api-key-file FILE' : '';
  return usageError.KEY_EXPOSED(
    `Unknown flag ${flag}: every user of the machine can read a key on the command line. Set ${variable}${file}.`,
  );
}

/** `--flag=value`, where the flag takes no value. */
function valueOfSwitch(flag: string, value: string, flags: readonly string[]): UsageError {
  const off = ['false', 'no', 'off', '0'].includes(value.toLowerCase());
  // `--no-bodies` is turned off by `--bodies`.
  const opposite = flag.startsWith('--no-') ? `--${flag.slice(5)}` : `--no-${flag.slice(2)}`;
  const remedy =
    off && flags.includes(opposite)
      ? `write ${opposite} to turn it off`
      : `remove the ${off ? 'flag to turn it off' : 'value'}`;
  return new UsageError(`${flag} takes no value: ${remedy}.`);
}

/** A flag and something after it in one argument, as quotes around both make it. */
function joinedValue(flag: string, command: Command): UsageError {
  const option = command.options.find(({ long }) => long === flag);
  if (option?.required !== true)
    return new UsageError(`${flag} takes no value: remove everything after it, including spaces and line breaks.`);
  return new UsageError(
    `${flag} and its value were passed as one argument: write ${flag}=VALUE, or pass them separately.`,
  );
}

function unknownCommand(given: string, command: Command, help: string): UsageError {
  const names = command.commands.map((each) => each.name());
  const hint = /^https?:/i.test(given)
    ? ` To check a gateway: ${COMMAND} run ${inert(given, 100)}`
    : didYouMean(given, names);
  return usageError.UNKNOWN_COMMAND(`Unknown command "${inert(given, 60)}".${hint || ` See ${help}`}`);
}
