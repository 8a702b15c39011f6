/** Names that help does not show: those of 0.x that work until 1.0, and the one that completion asks. */
import { UsageError } from '../../usage-error.ts';
import { type Call, command, type CommandRow, JSON_OPTION, option, PROFILE_OPTION } from './command-row.ts';

export const OLD_COMMANDS = {
  contract: command<{ readonly profile?: string }>({
    summary: 'old name of `explain contract`',
    options: [PROFILE_OPTION],
    async run({ options, io }) {
      nameSuccessor(io, 'contract', 'explain contract');
      const { explainCommand } = await import('../explain.ts');
      return explainCommand('contract', { json: false, suite: [], ...options }, io);
    },
  }),

  editions: command<{ readonly json?: boolean }>({
    summary: 'old name of `list editions`',
    options: [JSON_OPTION],
    async run({ options: { json = false }, io }) {
      nameSuccessor(io, 'editions', 'list editions');
      const { listCommand } = await import('../list.ts');
      return listCommand('editions', { json, suite: [] }, io);
    },
  }),

  profile: command<{ readonly suggest?: string; readonly json?: boolean }>({
    summary: 'old name of `explain PROFILE`',
    args: [['[NAME|FILE]', 'profile to explain (default: list those of wirecheck)']],
    options: [option('--suggest <REPORT>', 'old form of `render REPORT --reporter profile`'), JSON_OPTION],
    async run({ args: [name], options, io }) {
      const { oldProfileCommand } = await import('../explain-profile.ts');
      const { suggest } = options;
      if (suggest !== undefined) nameSuccessor(io, 'profile --suggest', 'render REPORT --reporter profile');
      else if (name === undefined) nameSuccessor(io, 'profile', 'list profiles');
      else nameSuccessor(io, 'profile', 'explain PROFILE');
      return oldProfileCommand(name, options, io);
    },
  }),

  export: command<{ readonly har?: string; readonly force?: boolean }>({
    summary: 'old name of `render RECORDING --reporter har`',
    args: [['<RECORDING>', 'recording made with --record']],
    options: [
      option('--har <FILE>', 'HAR 1.2 file to write, or - for stdout (required)'),
      option('--force', 'overwrite'),
    ],
    async run({ args: [file = ''], options, io }) {
      nameSuccessor(io, 'export', 'render RECORDING --reporter har');
      const { oldExportCommand } = await import('../render.ts');
      return oldExportCommand(file, options, io);
    },
  }),

  /** Its targets are not in the package. The name is kept for those who still have it in a script. */
  selftest: command({
    summary: 'test wirecheck itself: npm run selftest, in a checkout',
    args: [['[NAME...]', 'fault, variant, client or relay']],
    isLenient: true,
    run() {
      throw new UsageError(
        'The self-test is not in the package, since its targets are not. Run `npm run selftest` in a checkout of wirecheck.',
        { code: 'UNKNOWN_COMMAND' },
      );
    },
  }),

  /** For the scripts of `completion`. */
  complete: command({
    summary: 'print what could stand in the place of the last word',
    args: [['[WORD...]', 'the words of the line, after --']],
    async run({ words, io }) {
      const { completeCommand } = await import('../completion.ts');
      return completeCommand(words, io);
    },
  }),
} satisfies Record<string, CommandRow>;

function nameSuccessor({ stderr }: Call['io'], old: string, successor: string): void {
  stderr.write(`\`wirecheck ${old}\` works until 1.0: use \`wirecheck ${successor}\`.\n`);
}
