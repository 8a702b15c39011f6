/** Flag, then variable, then configuration file, then default; and where each value came from. */
import { isObject } from '../../json.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import type { ConfigFile } from './config-file.ts';
import {
  inFileOf,
  KNOWN_VARIABLES,
  type SettingName,
  type SettingValue,
  settingOf,
  variableOf,
} from './settings-table.ts';

/** As the command line gave them, by the name of the row; `true` for a switch. */
export type Flags = Readonly<Record<string, string | true | readonly string[]>>;

export interface Sources {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: ConfigFile | undefined;
}

export interface Origin {
  readonly kind: 'flag' | 'variable' | 'file';
  /** As the user wrote it: `--model`, `WIRECHECK_MODEL` or `model`. */
  readonly label: string;
  readonly at?: { readonly file: string; readonly line: number };
}

export interface Merged {
  readonly get: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined;
  /** Undefined where the default holds. With the place of a value in its list: where that one stands. */
  readonly origin: (name: SettingName, index?: number) => Origin | undefined;
}

interface Given {
  readonly origin: Origin;
  readonly texts: readonly string[];
  /** Where each of them stands, if not all in the same place. */
  readonly lines?: readonly number[];
}

/** Only the rows named are looked at: a command does not take what it has no use for. */
export function mergeSettings(names: readonly SettingName[], sources: Sources): Merged {
  const values = new Map<SettingName, unknown>();
  const origins = new Map<SettingName, readonly Origin[]>();
  for (const name of names) {
    const given = fromFlag(name, sources) ?? fromVariable(name, sources) ?? fromFile(name, sources);
    const { several, default: fallback } = settingOf(name);
    if (given === undefined) {
      values.set(name, several === undefined ? fallback : []);
      continue;
    }
    const each = given.texts.map((_text, index) => atLine(given.origin, given.lines?.[index]));
    const parsed = given.texts.map((text, index) => parseOne(name, text, each[index] ?? given.origin));
    values.set(name, several === undefined ? parsed.at(-1) : parsed);
    origins.set(name, [given.origin, ...each]);
  }
  return {
    get: <Name extends SettingName>(name: Name) => values.get(name) as SettingValue<Name> | undefined,
    origin: (name, index = -1) => origins.get(name)?.[index + 1],
  };
}

function atLine(origin: Origin, line: number | undefined): Origin {
  return origin.at === undefined || line === undefined ? origin : { ...origin, at: { ...origin.at, line } };
}

function fromFlag(name: SettingName, { flags }: Sources): Given | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const origin: Origin = { kind: 'flag', label: flagOf(name) };
  if (given === true) return { origin, texts: ['true'] };
  const texts = typeof given === 'string' ? [given] : given;
  // The next flag was taken for the value.
  const swallowed = texts.find((text) => text.startsWith('--'));
  if (swallowed !== undefined) {
    throw new UsageError(`${origin.label} needs a value, but ${inert(swallowed, 60)} follows it.`);
  }
  return { origin, texts: texts.flatMap((text) => split(name, text)) };
}

/** An empty variable counts as none: CI systems set one for a value that was not filled in. */
function fromVariable(name: SettingName, { env }: Sources): Given | undefined {
  const label = variableOf(name);
  const text = env[label];
  if (text === undefined || text.trim() === '') return undefined;
  return { origin: { kind: 'variable', label }, texts: split(name, text) };
}

function fromFile(name: SettingName, { config }: Sources): Given | undefined {
  const inFile = inFileOf(name);
  if (config === undefined || inFile === undefined || !Object.hasOwn(config.values, inFile.key)) return undefined;
  const value = config.values[inFile.key];
  const origin: Origin = {
    kind: 'file',
    label: inFile.key,
    at: { file: config.file, line: config.lineOf(inFile.key) },
  };
  const { joinedBy } = inFile;
  if (joinedBy !== undefined) {
    if (!isObject(value)) throw new UsageError(`${inFile.key} must be a map from header names.`, origin.at);
    const lines = Object.keys(value).map((key) => config.lineOf(inFile.key, key));
    const texts = Object.entries(value).map(
      ([key, member], index) => key + joinedBy + scalar(member, atLine(origin, lines[index])),
    );
    return { origin, texts, lines };
  }
  if (inFile.inverse && typeof value === 'boolean') return { origin, texts: [String(!value)] };
  if (Array.isArray(value) && settingOf(name).several !== undefined) {
    const lines = value.map((_item, index) => config.lineOf(inFile.key, index));
    return { origin, texts: value.map((item, index) => scalar(item, atLine(origin, lines[index]))), lines };
  }
  return { origin, texts: split(name, scalar(value, origin)) };
}

function scalar(value: unknown, { label, at }: Origin): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UsageError(value === null ? `${label} has no value.` : `${label} must be a single value.`, at);
}

function split(name: SettingName, text: string): string[] {
  const { several } = settingOf(name);
  if (several === undefined) return [text];
  const parts = text.split(several === 'comma' ? /[,\n]/ : /\n/).map((part) => part.trim());
  // An empty value is kept, so that it is refused like any other wrong one.
  return parts.some((part) => part !== '') ? parts.filter((part) => part !== '') : [''];
}

function parseOne(name: SettingName, text: string, { label, at }: Origin): unknown {
  const { type, discreet } = settingOf(name);
  const value = type.parse(text.trim());
  if (value !== undefined) return value;
  const given = text.trim() === '' ? 'is empty' : discreet ? 'is not right' : `is "${inert(text, 80)}"`;
  throw new UsageError(`${label} ${given}; it must be ${type.allowed}.`, at);
}

export function flagOf(name: SettingName): string {
  return `--${name}`;
}

/** A mistyped variable would be passed over in silence, and CI would check something else than was meant. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('WIRECHECK_') && !KNOWN_VARIABLES.includes(name))
    .map(
      (name) => `The variable ${inert(name, 80)} is not known and was passed over.${didYouMean(name, KNOWN_VARIABLES)}`,
    );
}
