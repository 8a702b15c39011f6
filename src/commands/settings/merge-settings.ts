/**
 * Merges what a command was given: flags override variables, which override the config file, which overrides the defaults.
 * Remembers where each value came from.
 */
import { didYouMean } from '../../text/suggestion.ts';
import { inert, listAlternatives } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import type { ConfigFile, Environment } from './config-file.ts';
import {
  defaultOf,
  flagOf,
  inFileOf,
  KNOWN_VARIABLES,
  type SettingName,
  type SettingValue,
  settingOf,
  variableOf,
} from '../../settings/setting-names.ts';
import type { ValueType } from '../../settings/value-types.ts';

/** The flags as the command line has them, by the name of the row; `true` for a switch. */
export type Flags = Readonly<Record<string, string | true | readonly string[]>>;

export interface Sources {
  readonly flags: Flags;
  readonly env?: Environment;
  readonly config?: ConfigFile | undefined;
  /** What one of several targets has for itself, which overrides flags. */
  readonly target?: ConfigFile | undefined;
}

export interface Origin {
  readonly kind: 'target' | 'flag' | 'variable' | 'file';
  /** The name as the user wrote it: `--model`, `WIRECHECK_MODEL` or `model`. */
  readonly label: string;
  readonly at?: { readonly file: string; readonly line: number };
}

export interface Merged {
  readonly get: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined;
  /** Where a value came from; undefined for a default. With an index: the origin of that item of a list. */
  readonly origin: (name: SettingName, index?: number) => Origin | undefined;
}

interface Given {
  readonly origin: Origin;
  readonly texts: readonly string[];
  /** That of each text, where they differ. */
  readonly origins?: readonly Origin[];
}

const NONE = 'none';

/** Reads only the settings that the command takes. Mistakes in the config file are kept there. */
export function mergeSettings(names: readonly SettingName[], sources: Sources): Merged {
  const values = new Map<SettingName, unknown>();
  const origins = new Map<SettingName, readonly Origin[]>();
  const read = (name: SettingName, given: Given | undefined): void => {
    if (given === undefined || isSwitchedOff(name, given)) return;
    const { origin, texts, origins: each = texts.map(() => origin) } = given;
    const parsed = texts.map((text, index) => parseOne(name, text, each[index] ?? origin));
    values.set(name, settingOf(name).several === undefined ? parsed.at(-1) : parsed);
    origins.set(name, [origin, ...each]);
  };
  for (const name of names) {
    values.set(name, settingOf(name).several === undefined ? defaultOf(name) : []);
    const given = fromFile(name, 'target', sources.target) ?? fromFlag(name, sources) ?? fromVariable(name, sources);
    if (given) read(name, given);
    // Those of a file are reported together.
    else sources.config?.mistakes.attempt(() => read(name, fromFile(name, 'file', sources.config)));
  }
  return {
    get: <Name extends SettingName>(name: Name) => values.get(name) as SettingValue<Name> | undefined,
    origin: (name, index = -1) => origins.get(name)?.[index + 1],
  };
}

/** `--waivers none`: what the config file has does not apply. Settings with a default take that as another value. */
function isSwitchedOff(name: SettingName, { texts }: Given): boolean {
  const { several, type } = settingOf(name);
  const hasDefault = several === undefined && (type.placeholder === '' || defaultOf(name) !== undefined);
  return !hasDefault && texts.length === 1 && texts[0] === NONE;
}

function fromFlag(name: SettingName, { flags }: Sources): Given | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const origin: Origin = { kind: 'flag', label: flagOf(name) };
  if (given === true) return { origin, texts: ['true'] };
  const texts = typeof given === 'string' ? [given] : given;
  // Commander takes the next flag for the value.
  const swallowed = texts.find((text) => /^--[a-z]|^-[a-z]$/i.test(text));
  if (swallowed !== undefined)
    throw usageError.VALUE_MISSING(`${origin.label} needs a value, but ${inert(swallowed, 60)} follows it.`);
  return { origin, texts: texts.flatMap((text) => split(name, text)) };
}

/** An empty variable counts as unset: CI systems set one for a missing value. */
function fromVariable(name: SettingName, { env = {} }: Sources): Given | undefined {
  const label = variableOf(name);
  const text = env[label];
  if (text === undefined || text.trim() === '') return undefined;
  return { origin: { kind: 'variable', label }, texts: split(name, text) };
}

function fromFile(name: SettingName, kind: 'target' | 'file', config: ConfigFile | undefined): Given | undefined {
  const inFile = inFileOf(name);
  if (inFile === undefined || config === undefined) return undefined;
  const { key, joinedBy, inverse } = inFile;
  const value = config.values[key];
  if (value === undefined) return undefined;
  const originOf = (...path: (string | number)[]): Origin => ({ kind, label: key, at: config.placeOf(key, ...path) });
  const origin = originOf();
  if (Array.isArray(value)) return { origin, texts: value, origins: value.map((_item, index) => originOf(index)) };
  if (typeof value === 'object') {
    const texts = Object.entries(value).map(([header, text]) => `${header}${joinedBy}${text}`);
    return { origin, texts, origins: Object.keys(value).map((header) => originOf(header)) };
  }
  const text = String(value);
  return { origin, texts: inverse ? [String(parseOne(name, text, origin) === false)] : split(name, text) };
}

function split(name: SettingName, text: string): string[] {
  const { several, type } = settingOf(name);
  if (several === undefined) return [text];
  const parts = joinNames(text.split(several === 'comma' ? /[,\n]/ : /\n/), type).map((part) => part.trim());
  // An empty value is kept, so that it is refused like any other invalid one.
  return parts.some((part) => part !== '') ? parts.filter((part) => part !== '') : [''];
}

/** A file name may hold commas: what cannot begin an item belongs to the name before it. */
function joinNames(parts: readonly string[], { beginsItem }: ValueType<unknown>): readonly string[] {
  if (beginsItem === undefined) return parts;
  const items: string[] = [];
  for (const part of parts) {
    const before = items.at(-1);
    if (before?.includes('=') && !beginsItem(part)) items[items.length - 1] = `${before},${part}`;
    else items.push(part);
  }
  return items;
}

function parseOne(name: SettingName, text: string, { label, at }: Origin): unknown {
  const { type, mayHold } = settingOf(name);
  const value = type.parse(text.trim());
  if (value !== undefined) return value;
  const given = text.trim() === '' ? 'is empty' : mayHold ? 'is not valid' : `is "${inert(text, 80)}"`;
  throw new UsageError(`${label} ${given}: it must be ${type.allowed}.`, at);
}

/** A mistyped variable without a notice would let CI check something else than was meant. */
export function unknownVariables(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('WIRECHECK_') && !KNOWN_VARIABLES.includes(name))
    .map((name) => `Ignored the unknown variable ${inert(name, 80)}.${didYouMean(name, KNOWN_VARIABLES)}`);
}

/** `text`: of an option with a default. */
export function readNumber(flag: string, text: string | undefined, type: ValueType<number>): number {
  const number = type.parse(text ?? '');
  if (number === undefined) throw new UsageError(`${flag} is "${text}": it must be ${type.allowed}.`);
  return number;
}

/** One of `names`, the first by default. */
export function readChoice<Name extends string>(
  flag: string,
  text: string | undefined,
  names: readonly [Name, ...(readonly Name[])],
): Name {
  const found = text === undefined ? names[0] : names.find((name) => name === text);
  if (found !== undefined) return found;
  const choices = listAlternatives(names.map((name) => `"${name}"`));
  throw new UsageError(`${flag} is "${inert(text ?? '', 40)}": it must be ${choices}.`);
}
