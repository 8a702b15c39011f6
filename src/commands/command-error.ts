/** What the parser of the command line complains of, in our words and with the nearest right name. */
import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';

export function wordsFor(error: CommanderError, command: Command, args: readonly string[]): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const help = `\`${[command.parent?.name(), command.name()].filter(Boolean).join(' ')} --help\``;
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, command, help);
    case 'commander.unknownCommand':
      return unknownCommand(quoted, command, help);
    case 'commander.optionMissingArgument':
      return new UsageError(`${quoted.split(/[ ,]/)[0]} needs a value: write it as ${quoted}.`);
    // What `help NAME` says of a name that it does not know.
    case 'commander.help':
      return unknownCommand(args[args.indexOf('help') + 1] ?? '', command, help);
    case 'commander.missingArgument':
      return new UsageError(`${quoted} is missing: see ${help}.`);
    case 'commander.excessArguments':
      return new UsageError(
        `There are more arguments than \`${command.name()}\` takes: see ${help}; quote globs, as in --only 'auth/*'.`,
      );
    default:
      return new UsageError(`${error.message.replace(/^error: /, '')}: see ${help}.`);
  }
}

const KEY_FLAG = /^--(api|restricted|exhausted|limited)?-?(key|token)$/i;

/** Only the name is repeated: behind the equals sign there may be a key. */
function unknownOption(given: string, command: Command, help: string): UsageError {
  const flag = inert(given.split('=')[0] ?? given, 60);
  const [, role = 'api'] = KEY_FLAG.exec(flag) ?? [];
  if (KEY_FLAG.test(flag)) {
    const variable = `WIRECHECK_${role.toUpperCase()}_KEY`;
    const file = role.toLowerCase() === 'api' ? ', or use --api-key-env NAME or --api-key-file FILE' : '';
    return new UsageError(
      `There is no ${flag}: a key on the command line can be read by every user of the machine; set ${variable}${file}.`,
    );
  }
  const flags = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const value = given.slice(flag.length + 1);
  if (given.includes('=') && flags.includes(flag)) {
    const off = ['false', 'no', 'off', '0'].includes(value.toLowerCase());
    return new UsageError(`${flag} takes no value: leave ${off ? 'the flag out to turn it off' : 'the value away'}.`);
  }
  const alone = given.split(/\s/)[0] ?? '';
  if (alone !== given && flags.includes(alone)) {
    const option = command.options.find(({ long }) => long === alone);
    if (option?.required !== true) {
      return new UsageError(`${alone} takes no value: leave away what follows it, be it only a blank or a line end.`);
    }
    return new UsageError(`${alone} and its value came as one argument: write ${alone}=VALUE, or make two of it.`);
  }
  if (command.name() === 'explain' && SETTING_NAMES.some((name) => flag === `--${name}`)) {
    return new UsageError(`A setting is explained by its name alone: wirecheck explain ${flag.slice(2)}`);
  }
  return new UsageError(`There is no flag ${flag}.${didYouMean(flag, flags) || ` See ${help}.`}`);
}

function unknownCommand(given: string, command: Command, help: string): UsageError {
  const names = command.commands.map((each) => each.name());
  const hint = /^https?:/i.test(given)
    ? ` To check an address: wirecheck run ${inert(given, 100)}`
    : didYouMean(given, names);
  return new UsageError(`There is no command "${inert(given, 60)}".${hint || ` See ${help}.`}`);
}
