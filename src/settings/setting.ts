/** A row of the settings table: everything there is to know about one setting. */
import type { Settings } from '../settings.ts';
import type { ValueType } from './value-types.ts';

export interface InFile {
  readonly key: string;
  /** The config file has a map, whose names and values this joins into what the flag takes. */
  readonly joinedBy?: string;
  /** `true` in the config file means `false` here. */
  readonly inverse?: boolean;
}

/** Paths of the members of `Settings` that hold a single value or a list of strings, such as `limits.depth`. */
type PathsOf<Part, Prefix extends string = ''> = {
  [Name in keyof Part & string]: NonNullable<Part[Name]> extends string | number | boolean | readonly string[]
    ? `${Prefix}${Name}`
    : NonNullable<Part[Name]> extends readonly unknown[]
      ? never
      : PathsOf<NonNullable<Part[Name]>, `${Prefix}${Name}.`>;
}[keyof Part & string];

export type SettingPath = PathsOf<Omit<Settings, 'levels' | 'profile'>> | 'profile.file';

export interface Setting<Value = unknown> {
  /** In help and documents. */
  readonly group: string;
  readonly type: ValueType<Value>;
  readonly summary: string;
  /** The letter of its short form, such as `m`: the same in every command. */
  readonly short?: string;
  /** Its place in `Settings`, which also has its default; absent for what concerns the command rather than the run. */
  readonly path?: SettingPath;
  /** The default of a setting without a path. */
  readonly default?: Value;
  /** What happens without it, where the default is not a value. */
  readonly otherwise?: string;
  /** Repeatable: the separator of several values in one variable. */
  readonly several?: 'comma' | 'line';
  /** How the config file has it, unless plainly by the flag's name in camel case; `false` if it cannot stand there. */
  readonly inFile?: InFile | false;
  /** What the file is to the user, such as `waiver file`, for a setting that names a file to read. */
  readonly reads?: string;
  /** `Settings` has the absolute path of the file, which is checked to be readable before anything is sent. */
  readonly isResolved?: boolean;
  /** The secret that a value may hold. Messages do not quote such a value, and reports leave the secret out. */
  readonly mayHold?: 'token' | 'login' | 'PEM text';
  /** `false`: a single case does not depend on it, so the command that repeats one leaves it out. */
  readonly isRepeated?: false;
  /** What is used in its place: it works until 1.0, but is shown nowhere. */
  readonly goneFor?: string;
  /** The option of curl that does the same. */
  readonly curl?: string;
}

/** Keeps the very type of the value and of what is added, so that each setting is parsed to what it is. */
export function setting<Value, const More extends Partial<Setting<Value>> = object>(
  type: ValueType<Value>,
  summary: string,
  more?: More,
): Omit<Setting<Value>, 'group'> & More {
  return { type, summary, ...more } as Omit<Setting<Value>, 'group'> & More;
}

type Grouped<Name, Rows> = { readonly [Row in keyof Rows]: Rows[Row] & { readonly group: Name } };

export function group<const Name extends string, const Rows extends Readonly<Record<string, object>>>(
  name: Name,
  rows: Rows,
): Grouped<Name, Rows> {
  const grouped = Object.entries(rows).map(([flag, row]) => [flag, { ...row, group: name }]);
  return Object.fromEntries(grouped) as Grouped<Name, Rows>;
}
