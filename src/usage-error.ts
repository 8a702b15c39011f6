/** A wrong flag, variable or file: exit code 2, before anything is sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** `file:line` or `file`, if the mistake is in a file. */
  readonly at: string | undefined;

  constructor(message: string, at?: { readonly file: string; readonly line?: number }) {
    const place = at && (at.line === undefined ? at.file : `${at.file}:${at.line}`);
    super(place ? `${place}: ${message}` : message);
    this.at = place;
  }
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
  const { code = String(error) } = error as { readonly code?: string };
  return new UsageError(`Cannot read ${what} ${file}: ${UNREADABLE[code] ?? `the system says ${code}.`}`, at);
}
