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
