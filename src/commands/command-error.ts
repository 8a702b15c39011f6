/** Errors of the command line parser in our own words, with the nearest known name. */
import type { Command, CommanderError } from 'commander';
import { COMMAND } from '../contract/package-files.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';

export function toUsageError(error: CommanderError, command: Command, args: readonly string[]): UsageError {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const help = `\`${[command.parent?.name(), command.name()].filter(Boolean).join(' ')} --help\``;
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, command, help);
    case 'commander.unknownCommand':
      return unknownCommand(quoted, command, help);
    case 'commander.optionMissingArgument': {
      const flag = quoted.replace(/^-\w, /, '');
      return new UsageError(`${flag.split(' ')[0]} needs a value: write it as ${flag}.`, { code: 'VALUE_MISSING' });
    }
    // `help NAME` with an unknown name.
    case 'commander.help':
      return unknownCommand(args[args.indexOf('help') + 1] ?? '', command, help);
    case 'commander.missingArgument':
      return new UsageError(`${quoted} is missing. See ${help}.`, { code: 'VALUE_MISSING' });
    case 'commander.excessArguments':
      return new UsageError(
        `Too many arguments for \`${command.name()}\`: quote globs, as in --only 'auth/*', or see ${help}.`,
        { code: 'TOO_MANY_ARGUMENTS' },
      );
    default:
      return new UsageError(`${error.message.replace(/^error: /, '')}: see ${help}.`);
  }
}

const KEY_FLAG = /^--(api|restricted|exhausted|limited|revoked)?-?(key|token)$/i;

/** Quotes only the name: a key may follow the equals sign. */
function unknownOption(given: string, command: Command, help: string): UsageError {
  const flag = inert(given.split('=')[0] ?? given, 60);
  if (KEY_FLAG.test(flag)) return keyOnCommandLine(flag);
  const flags = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  if (given.includes('=') && flags.includes(flag)) {
    return valueOfSwitch(flag, given.slice(flag.length + 1), flags);
  }
  const alone = given.split(/\s/)[0] ?? '';
  if (alone !== given && flags.includes(alone)) return joinedValue(alone, command);
  if (command.name() === 'explain' && SETTING_NAMES.some((name) => flag === `--${name}`)) {
    return new UsageError(`Leave out the dashes: wirecheck explain ${flag.slice(2)}`, { code: 'UNKNOWN_FLAG' });
  }
  return new UsageError(`Unknown flag ${flag}.${didYouMean(flag, flags) || ` See ${help}.`}`, { code: 'UNKNOWN_FLAG' });
}

function keyOnCommandLine(flag: string): UsageError {
  const [, role = 'api'] = KEY_FLAG.exec(flag) ?? [];
  const variable = `WIRECHECK_${role.toUpperCase()}_KEY`;
  const file = role.toLowerCase() === 'api' ? ', or use --api-key-env NAME or --api-key-file FILE' : '';
  return new UsageError(
    `Unknown flag ${flag}: every user of the machine can read a key on the command line. Set ${variable}${file}.`,
    { code: 'KEY_EXPOSED' },
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
  if (option?.required !== true) {
    return new UsageError(`${flag} takes no value: remove everything after it, including spaces and line breaks.`);
  }
  return new UsageError(
    `${flag} and its value were passed as one argument: write ${flag}=VALUE, or pass them separately.`,
  );
}

function unknownCommand(given: string, command: Command, help: string): UsageError {
  const names = command.commands.map((each) => each.name());
  const hint = /^https?:/i.test(given)
    ? ` To check a gateway: ${COMMAND} run ${inert(given, 100)}`
    : didYouMean(given, names);
  return new UsageError(`Unknown command "${inert(given, 60)}".${hint || ` See ${help}.`}`, {
    code: 'UNKNOWN_COMMAND',
  });
}
