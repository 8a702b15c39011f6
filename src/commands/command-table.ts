/** Every command, once: its declaration, its help and what shells complete follow from its row. */
import { COMMAND } from '../contract/package-files.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { CHECK_COMMANDS } from './table/check-commands.ts';
import { type CommandRow, EXIT_CODES } from './table/command-row.ts';
import { OLD_COMMANDS } from './table/old-commands.ts';
import { PROJECT_COMMANDS } from './table/project-commands.ts';
import { STORED_RUN_COMMANDS } from './table/stored-run-commands.ts';

const ROWS = {
  ...CHECK_COMMANDS,
  ...STORED_RUN_COMMANDS,
  ...PROJECT_COMMANDS,
  ...OLD_COMMANDS,
};

/** In the order in which help lists them. */
export const COMMANDS: Readonly<Record<keyof typeof ROWS, CommandRow>> = ROWS;

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
