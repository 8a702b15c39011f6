/** Why a text cannot be a key. For keys of the command line and of the library alike. */

/** Servers refuse longer headers, whatever key is in them. */
const MAX_KEY_LENGTH = 4096;

/** Mistakes in a key, each with its remedy. No message quotes the key. The first match counts. */
const FAULTS: readonly (readonly [pattern: RegExp, message: (key: string) => string])[] = [
  [/[\r\n\u2028\u2029]/, () => 'contains a line break: give one key, on one line.'],
  [/^bearer\s/i, () => 'starts with Bearer: remove that word, which every request adds.'],
  [/\s/, () => 'contains white space: copy only the key.'],
  [/\p{Cc}/u, () => 'contains control characters: copy it again.'],
  [/^(["'`]).*\1$/, () => 'is in quotes: remove them.'],
  [/^[A-Z_][A-Z0-9_]*=[^=]/, () => 'looks like NAME=VALUE: give the value alone, or name an env file with --env-file.'],
  // A header is bytes; other characters would be sent as something else.
  [/[^\x21-\x7e]/, () => 'contains non-ASCII characters, which a header cannot carry: copy it again.'],
  [
    new RegExp(`^.{${MAX_KEY_LENGTH + 1},}$`),
    ({ length }) =>
      `has ${length.toLocaleString('en')} characters, which servers refuse (the limit is ${MAX_KEY_LENGTH.toLocaleString('en')}): check that it is a key.`,
  ],
];

/** The rest of a sentence that begins with the key's place; undefined for a key that can be sent. */
export function faultOfKey(key: string): string | undefined {
  return FAULTS.find(([pattern]) => pattern.test(key))?.[1](key);
}
