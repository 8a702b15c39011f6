/** `wirecheck.config.yaml` and the env file. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Level } from '../../contract/contract.ts';
import { type FilePlace, parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import { checkForm, type IsSound } from '../../contract/file-schema.ts';
import { isObject } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { CHANGED_LEVELS } from '../../settings/settings-without-flag.ts';
import { checkLevels } from '../../subjects/check-settings.ts';
import { readTextFile } from '../files/user-files.ts';
import { inert } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';

export const CONFIG_FILE = 'wirecheck.config.yaml';

export type Environment = Readonly<Record<string, string | undefined>>;
type Path = readonly (string | number)[];

type ConfigValue = string | number | boolean | string[] | Readonly<Record<string, string>>;

export interface ConfigFile {
  readonly file: string;
  /** The schema of the file has made sure of their types. */
  readonly values: Readonly<Record<string, ConfigValue>>;
  /** The place of a key, or of a part of its value. */
  readonly placeOf: (key: string, ...rest: Path) => FilePlace;
  /** What is wrong in the file. Keys with mistakes are left out of the values. */
  readonly mistakes: Mistakes;
}

/** The file that was named, otherwise the one in the working folder, if it exists. */
export function loadConfig(named: string | undefined, cwd: string, env: Environment): ConfigFile | undefined {
  const file = named ?? CONFIG_FILE;
  if (named === undefined && !existsSync(resolve(cwd, file))) return undefined;
  return readConfig(readTextFile('the config file', file, cwd), file, env);
}

/** The environment overrides the file, as with Node's own `--env-file`. */
export function withEnvFile(file: string | undefined, cwd: string, env: Environment): Environment {
  if (file === undefined) return env;
  return { ...parseEnv(readTextFile('the env file', file, cwd)), ...env };
}

export function readConfig(text: string, file: string, env: Environment): ConfigFile {
  const document = parseYaml(text, file);
  // Null: the file is empty, or has comments only.
  const value = document.value ?? {};
  const mistakes = new Mistakes();
  const isSound = checkForm('config', { ...document, value }, mistakes);
  const values = fillInEach(soundMembers(isObject(value) ? value : {}, [], isSound), [], { document, env, mistakes });
  const placeOf = (...path: Path): FilePlace => ({ file, line: document.lineOf(path) });
  return { file, values: values as ConfigFile['values'], placeOf, mistakes };
}

/** The members that have the right form. Of a map that is wrong in a part, such as `levels`, the rest is kept. */
export function soundMembers(map: object, path: Path, isSound: IsSound): object {
  const members = Object.entries(map).flatMap(([key, member]: [string, unknown]) => {
    const own = [...path, key];
    if (isSound(...own)) return [[key, member] as const];
    return isObject(member) ? [[key, soundMembers(member, own, isSound)] as const] : [];
  });
  return Object.fromEntries(members);
}

/** Where it changes the level of a clause. */
export function placeOfLevel(config: ConfigFile | undefined, clause: string): FilePlace | undefined {
  return config && Object.hasOwn(levelsOf(config), clause) ? config.placeOf(CHANGED_LEVELS.inFile, clause) : undefined;
}

/** Where texts come from, what `${VAR}` in them stands for, and where mistakes go. */
interface Filling {
  readonly document: YamlDocument;
  readonly env: Environment;
  readonly mistakes: Mistakes;
}

/** Replaces `${VAR}` in every text. Members in which that fails are left out. */
export function fillInEach(map: object, path: Path, filling: Filling): Readonly<Record<string, unknown>> {
  const filled = Object.entries(map).map(([key, member]) => [key, fillIn(member, [...path, key], filling)] as const);
  return Object.fromEntries(filled.filter(([, member]) => member !== undefined));
}

/** The value with its variables; undefined if one fails. */
function fillIn(value: unknown, path: Path, filling: Filling): unknown {
  const { document, env, mistakes } = filling;
  if (typeof value === 'string') return mistakes.attempt(() => fillInText(value, path, document, env));
  if (Array.isArray(value)) {
    const items = value.map((item, index) => fillIn(item, [...path, index], filling));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isObject(value)) return value;
  const filled = fillInEach(value, path, filling);
  return Object.keys(filled).length < Object.keys(value).length ? undefined : filled;
}

function fillInText(text: string, path: Path, document: YamlDocument, env: Environment): string {
  const at = { file: document.file, line: document.lineOf(path) };
  return text.replaceAll(/\$\{([^}]*)(\}?)/g, (whole, name: string, end: string) => {
    if (end === '') throw usageError.VALUE_MISSING(`${inert(whole, 60)} has no closing brace: write \${NAME}.`, at);
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new UsageError(`${inert(whole, 60)} does not name a variable: write \${NAME}.`, at);
    const value = env[name];
    if (value !== undefined && value.trim() !== '') return value;
    const state = value === undefined ? 'not set' : 'empty';
    throw usageError.VALUE_MISSING(`\${${name}} is ${state} in the environment: set it, or write the value here.`, at);
  });
}

/** Whether the clauses exist is checked against the contract later. */
export function levelsOf(config: ConfigFile | undefined): Readonly<Record<string, Level>> {
  return (config?.values[CHANGED_LEVELS.inFile] ?? {}) as Readonly<Record<string, Level>>;
}

/** Refuses those that change the level of a clause that no subject has. */
export function checkLevelsOf(config: ConfigFile | undefined): void {
  checkLevels(Object.keys(levelsOf(config)), (id) => placeOfLevel(config, id));
}
