/** The commands and their flags. Each command loads its code only when it is called, so that help is fast. */
import { EXIT } from '../exit-codes.ts';
import { Command, CommanderError } from 'commander';
import { toUsageError } from './command-error.ts';
import { HELP } from './help-texts.ts';
import { offSwitchOf, optionOf } from './settings/command-settings.ts';
import type { CommandIo } from './command-io.ts';
import {
  declareRun,
  declareDemo,
  declareExplore,
  declareLoad,
  declareRelay,
  declarePlan,
  declareClient,
} from './declarations/check-commands.ts';
import {
  declareList,
  declareExplain,
  declareGateway,
  declareSelftest,
  declareSchema,
  declareEditions,
  declareProfile,
  declareContract,
  declareCompletion,
} from './declarations/built-in-commands.ts';
import {
  declareRender,
  declareOpen,
  declareJudge,
  declareCompare,
  declareVerify,
  declareBoard,
  declareExport,
} from './declarations/stored-run-commands.ts';
import { declareWaive, declareInit } from './declarations/project-commands.ts';
import type { Declaring } from './declarations/declaring.ts';

/** In the order in which the help lists them. */
const DECLARATIONS: readonly ((declaring: Declaring) => void)[] = [
  declareRun,
  declareDemo,
  declareRelay,
  declareLoad,
  declareExplore,
  declarePlan,
  declareClient,
  declareList,
  declareExplain,
  declareGateway,
  declareSelftest,
  declareRender,
  declareOpen,
  declareWaive,
  declareInit,
  declareJudge,
  declareCompare,
  declareVerify,
  declareBoard,
  declareExport,
  declareSchema,
  declareEditions,
  declareProfile,
  declareContract,
  declareCompletion,
];

/** Returns the exit code. Throws a UsageError for wrong arguments. */
export async function execute(args: readonly string[], io: CommandIo): Promise<number> {
  let exit: number = EXIT.passed;
  const program = buildProgram(args, io, (code) => (exit = code));
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

/** For completion too, which reads the commands from it. */
export function buildProgram(args: readonly string[], io: CommandIo, exitWith: (code: number) => void): Command {
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

  const isShown = shownCommands(args);
  const add: Declaring['add'] = (name, summary, settings, words = {}) => {
    const command = program
      .command(name, { hidden: name === 'selftest' })
      .description(summary)
      .helpOption('-h, --help', 'show this help');
    for (const setting of isShown(name) ? settings : []) {
      command.addOption(optionOf(setting, words[setting]));
      const off = offSwitchOf(setting);
      if (off) command.addOption(off);
    }
    command.addHelpText('after', HELP[name]);
    overrideExit(command, args);
    return command;
  };
  for (const declare of DECLARATIONS) declare({ add, io, exitWith });

  overrideExit(program, args);
  return program;
}

/** Only the command that is called needs its flags, of which there are hundreds. Help and completion read those of all. */
function shownCommands([first = '']: readonly string[]): (name: string) => boolean {
  const isAlone = Object.hasOwn(HELP, first) && first !== 'completion';
  return (name) => !isAlone || name === first;
}

function overrideExit(command: Command, args: readonly string[]): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, command, args);
  });
}
