/** Every command, once: its declaration, its help and what shells complete follow from its row. */
import { COMMAND } from '../contract/package-files.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { usageError } from '../usage-error.ts';
import { CHECK_COMMANDS } from './table/check-commands.ts';
import { type CommandRow, EXIT_CODES } from './table/command-row.ts';
import { PROJECT_COMMANDS } from './table/project-commands.ts';
import { STORED_RUN_COMMANDS } from './table/stored-run-commands.ts';

/** Commands in the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  ...CHECK_COMMANDS,
  ...STORED_RUN_COMMANDS,
  ...PROJECT_COMMANDS,

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
  wirecheck run --help                 see every setting

Where wirecheck is not on the path, it is started as ${COMMAND}.
${EXIT_CODES}`;
