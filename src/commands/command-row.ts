/** A row of the table of commands, and the texts that several rows share. */
import { EXIT_MEANINGS, type ExitMeanings, formatExits } from '../exit-codes.ts';
import { COMMAND, pathOfPage, readPackageFile } from '../contract/package-files.ts';
import { DEFAULT_FILE_LIST, FORMAT_LIST } from '../settings/format-names.ts';
import type { SettingName } from '../settings/setting-names.ts';
import { KEY_SUMMARIES, KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { count, wrap } from '../text/layout.ts';
import type { Flags } from './settings/merge-settings.ts';

/** Groups in the order in which `--help` shows them. */
const COMMAND_GROUPS = ['Check', 'Compare and publish', 'Look things up', 'Set up'] as const;

/** The options of commands that are no settings, by their names for commander. Absent: not typed, or the command has none. */
export type OwnOptions = Readonly<
  Partial<Record<OwnSwitch, boolean> & Record<OwnList, readonly string[]> & Record<OwnText, string>>
>;

type OfSubjects = 'allowHttp' | 'driver' | 'during' | 'explore' | 'open' | 'plan' | 'watch' | 'yes';
type OwnSwitch = OfSubjects | 'force' | 'json' | 'list' | 'submission';
type OwnList = 'fault' | 'reporter' | 'suite' | 'variant' | 'watchPath';
type OfChecks = 'allowLoad' | 'clients' | 'path' | 'printConfig' | 'save' | 'targets';
type OfReports = 'baseline' | 'failOn' | 'out' | 'profile' | 'title' | 'waivers';
type OfGateway = 'host' | 'latency' | 'oneIn' | 'port' | 'seed';
type OfInit = 'baseUrl' | 'ci' | 'install' | 'keyEnv';
type OfWaive = 'announced' | 'link' | 'owner' | 'reason' | 'report' | 'until';
type OwnText = OfChecks | OfReports | OfGateway | OfInit | OfWaive;

/** What was typed. */
export interface Call {
  readonly args: readonly string[];
  /** A last argument that takes several words. */
  readonly words: readonly string[];
  readonly options: OwnOptions;
  /** The same options as settings take them, by the name of the flag. */
  readonly flags: Flags;
  readonly io: CommandIo;
}

/** An option of one command, which is no setting. */
export interface OwnOption {
  /** Its form, such as `--port <N>`. */
  readonly flags: string;
  readonly summary: string;
  /** May be given several times. */
  readonly isList?: true;
  readonly default?: string;
  /** How help shows the default. */
  readonly shownDefault?: string;
  readonly isHidden?: true;
  /** Only `--help all` shows it. */
  readonly isRare?: true;
}

/** A command without an exit code of its own has passed. */
type Exit = number | void;

/** Declaration, help and completion of a command follow from its row. */
export interface CommandRow {
  /** Its group; absent for a name that help does not show. */
  readonly group?: (typeof COMMAND_GROUPS)[number];
  readonly summary: string;
  /** Its arguments as commander writes them: `<REPORT>`, `[BASE_URL]` or `[COMMAND...]`. */
  readonly args?: readonly (readonly [form: string, summary: string])[];
  readonly settings?: readonly SettingName[];
  /** The help of settings that mean something else in this command. */
  readonly words?: SettingWords;
  readonly options?: readonly OwnOption[];
  /** It has reporters, and `--json` is short for one of them. */
  readonly hasReporters?: true;
  /** Takes any flag. */
  readonly isLenient?: true;
  /** Help tells how settings are given, and of these keys. */
  readonly keys?: readonly KeyRole[];
  /** The exit codes as help tells them. */
  readonly exits?: string;
  /** Its code is loaded when it is called, so that help and other commands do without. */
  readonly load: () => Promise<(call: Call) => Exit | Promise<Exit>>;
}

export function option(flags: string, summary: string, more: Partial<OwnOption> = {}): OwnOption {
  return { flags, summary, ...more };
}

type SettingWords = Partial<Record<string, string>>;

/** The help of two settings in commands that write no files by default. */
export const WITHOUT_DEFAULT_FILES: SettingWords = {
  reporter: `format to write (${FORMAT_LIST}); without =FILE it goes to stdout, and all other text to stderr (repeatable; default: terminal)`,
  out: `folder for the default files: ${DEFAULT_FILE_LIST} (default: no files)`,
};

/** The options that make the reference gateway misbehave. */
export const MODIFIER_OPTIONS: readonly OwnOption[] = [
  option('--fault <ID>', 'make the gateway misbehave; `wirecheck list faults` lists the ids (repeatable)', {
    isList: true,
  }),
  option(
    '--variant <ID>',
    'make it behave unusually but legally; `wirecheck list variants` lists the ids (repeatable)',
    { isList: true },
  ),
  option('--one-in <N>', 'only one of N replicas misbehaves; N/connection keeps each connection to one replica'),
];

export const JSON_OPTION = option('--json', 'print JSON');
export const PROFILE_OPTION = option('--profile <NAME|FILE>', 'by the contract of this profile in place of v1');

type KeyRole = keyof typeof KEY_VARIABLES;

export const GATEWAY_KEYS: readonly KeyRole[] = ['full', 'restricted', 'exhausted', 'limited', 'revoked', 'expired'];

/** Below the options in `--help`: what the command's own text says, how settings are given, and exit codes. */
export function helpBelow(name: string, { keys, exits = '' }: CommandRow, rare: number): string {
  const more = rare === 0 ? '' : `\n${count(rare, 'more setting')}: ${COMMAND} ${name} --help all\n`;
  const text = readPackageFile(`templates/help/${name}.txt`).replaceAll(
    /\bdocs\/([a-z-]+\.md)/g,
    (_path, page: string) => pathOfPage(page),
  );
  const settings = keys && [
    readPackageFile('templates/help/settings.txt'),
    ...keys.map((role) => `  ${KEY_VARIABLES[role].padEnd(26)}${KEY_SUMMARIES[role]}\n`),
  ];
  return `${more}\n${text}${settings?.join('') ?? ''}${exits}`;
}

export function listExits(meanings: ExitMeanings, more = ''): string {
  return `\n${wrap(`Exit codes: ${formatExits(meanings)}.${more}`, 78).join('\n  ')}\n`;
}

export const EXIT_CODES = listExits(EXIT_MEANINGS);

// Everything of its process that a command may use. Made in `main.ts` and by tests.

export interface Screen {
  write(text: string): void;
  readonly colour: boolean;
  /** A person is watching, so a line may be overwritten. Never in CI. */
  readonly live: boolean;
  readonly columns: number | undefined;
  /** Absent: it is a pipe or a file. */
  readonly isTerminal?: boolean;
}

export interface CommandIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Calls the handler at the first interrupt; a second one ends the process. Returns a function that removes the handler. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Asks the person at the terminal; absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Calls the handler each time the person presses Enter; absent without a terminal. Returns a function that ends it. */
  readonly onEnter?: (handler: () => void) => () => void;
  /** Factor of the pause before the burst of a load; absent: 1. For tests. */
  readonly loadPace?: number;
}
