/** A wrong flag, variable or file: exit code 2, before anything is sent. */
import { formatJson } from './json.ts';
import { inert } from './text/layout.ts';

/**
 * Every kind of mistake, with its meaning. Scripts and agents read the codes, so they never change; the sentences may.
 * In messages they are `WIRECHECK_E_KEY_MISSING` and so on.
 */
export const USAGE_CODES = {
  KEY_MISSING: 'No API key was given, or the variable or file that should hold it is empty.',
  KEY_INVALID: 'The API key has characters that no key has, such as a line break.',
  KEY_EXPOSED:
    'A secret is where others could read it: on the command line, in an address, in a report or over plain http.',
  BASE_URL_MISSING: 'No base URL was given.',
  VALUE_MISSING: 'A flag, an argument, a variable or an answer is missing.',
  BAD_VALUE: 'A flag, a variable or an argument has a value that cannot be used.',
  CONFLICT: 'Two flags or files cannot be used together, or one needs another.',
  TOO_MANY_ARGUMENTS: 'An argument is not expected here, such as the files of a glob without quotes.',
  UNKNOWN_FLAG: 'There is no such flag.',
  UNKNOWN_COMMAND: 'There is no such command.',
  UNKNOWN_NAME: 'There is no clause, case, suite, fault, profile, list, reporter, schema or setting of this name.',
  NO_CASES: 'The selection matches no case.',
  FILE_MISSING: 'There is no such file, or a folder holds none.',
  FILE_UNREADABLE: 'A file cannot be read.',
  FILE_UNWRITABLE: 'A file cannot be written.',
  FILE_EXISTS: 'A file already exists, and --force was not given.',
  FILE_INVALID: 'A file has a mistake, or is not of the expected kind. The message starts with its name and line.',
  CANNOT_LISTEN: 'The port or the address cannot be listened on.',
} as const satisfies Readonly<Record<string, string>>;

export type UsageCode = keyof typeof USAGE_CODES;

/** Where a mistake is, and of what kind. */
interface Mistake {
  readonly file?: string;
  readonly line?: number;
  /** Default: FILE_INVALID with a file, otherwise BAD_VALUE. */
  readonly code?: UsageCode;
  /** The place, if the message already has it. */
  readonly at?: string;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** `file:line` or `file`, if the mistake is in a file. */
  readonly at: string | undefined;
  /** Its row in the table. */
  readonly kind: UsageCode;
  /** The code as scripts read it: `WIRECHECK_E_KEY_MISSING` and so on. */
  readonly code: `WIRECHECK_E_${UsageCode}`;

  constructor(message: string, { file, line, code, at }: Mistake = {}) {
    const place = line === undefined ? file : `${file}:${line}`;
    super(place === undefined ? message : `${place}: ${message}`);
    this.at = at ?? place;
    this.kind = code ?? (this.at === undefined ? 'BAD_VALUE' : 'FILE_INVALID');
    this.code = `WIRECHECK_E_${this.kind}`;
  }
}

/** Makes a mistake of each kind: `usageError.CONFLICT('Give one of them.')`. `place`: that in a file, if it has one. */
export const usageError = Object.fromEntries(
  (Object.keys(USAGE_CODES) as UsageCode[]).map((code) => [
    code,
    (message: string, place?: Omit<Mistake, 'code'>) => new UsageError(message, { ...place, code }),
  ]),
) as Readonly<Record<UsageCode, (message: string, place?: Omit<Mistake, 'code'>) => UsageError>>;

/** The sentence, and the code at its end: `No API key: set WIRECHECK_API_KEY. [WIRECHECK_E_KEY_MISSING]` */
export function formatUsageError({ message, code }: UsageError): string {
  // A message may quote a name of a file, which a stranger may have chosen.
  const shown = message.split('\n').map((line) => inert(line, Infinity));
  return `${shown.join('\n')} [${code}]`;
}

/** Printed on stdout with `--json`, so that a script has to read one stream only. */
export function usageErrorJson({ message, code, at }: UsageError): string {
  return formatJson({ error: { code, message, ...(at !== undefined && { at }) } });
}

/** Why a file cannot be read and what to do, by the code of the system. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check the name and the folder.',
  ENOTDIR: 'a part of its path is not a folder. Check the name.',
  EISDIR: 'it is a folder. Name a file.',
  EACCES: 'you are not allowed to read it. Change its permissions, or name another file.',
};

/** `what`: such as `the config file`. */
export function cannotRead(
  what: string,
  file: string,
  error: unknown,
  at?: { readonly file: string; readonly line?: number },
): UsageError {
  const { code: reason = String(error) } = error as { readonly code?: string };
  return new UsageError(`Cannot read ${what} ${file}: ${UNREADABLE[reason] ?? `the system says ${reason}.`}`, {
    ...at,
    code: reason === 'ENOENT' ? 'FILE_MISSING' : 'FILE_UNREADABLE',
  });
}
