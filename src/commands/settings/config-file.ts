/** `wirecheck.config.yaml`: read, its keys checked, its `${VAR}` filled in. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LEVELS, type Level } from '../../contract/clause.ts';
import { parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import { isObject } from '../../json.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { FILE_KEYS, LEVELS_IN_FILE } from './settings-table.ts';

export const CONFIG_FILE = 'wirecheck.config.yaml';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigFile {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Line of a key, or of a part of its value. */
  lineOf(key: string, ...rest: readonly (string | number)[]): number;
}

/** The file that was named, or the one in the working folder if there is one. */
export function loadConfig(named: string | undefined, cwd: string, env: Environment): ConfigFile | undefined {
  const file = named ?? CONFIG_FILE;
  const path = resolve(cwd, file);
  if (!existsSync(path)) {
    if (named === undefined) return undefined;
    throw new UsageError(`There is no configuration file ${named}.`);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The configuration file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return readConfig(text, file, env);
}

export function readConfig(text: string, file: string, env: Environment): ConfigFile {
  const document = parseYaml(text, file);
  // An empty file, or one of comments only.
  const value = document.value ?? {};
  if (!isObject(value)) throw new UsageError('a configuration file is a map of settings.', { file, line: 1 });
  for (const key of Object.keys(value)) checkKey(key, document);
  return {
    file,
    values: fillIn(value, [], document, env) as Readonly<Record<string, unknown>>,
    lineOf: (...path) => document.lineOf(path),
  };
}

function checkKey(key: string, document: YamlDocument): void {
  if (FILE_KEYS.includes(key)) return;
  const at = { file: document.file, line: document.lineOf([key]) };
  const [, role] = /^(api|restricted|exhausted|limited)[-_]?key$/i.exec(key) ?? [];
  if (role !== undefined) {
    throw new UsageError(
      `a key does not belong into a file that is shared: set WIRECHECK_${role.toUpperCase()}_KEY in the environment.`,
      at,
    );
  }
  throw new UsageError(`"${key}" is not a setting.${didYouMean(key, FILE_KEYS)}`, at);
}

function fillIn(value: unknown, path: readonly (string | number)[], document: YamlDocument, env: Environment): unknown {
  if (typeof value === 'string') return fillInText(value, path, document, env);
  if (Array.isArray(value)) return value.map((item, index) => fillIn(item, [...path, index], document, env));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fillIn(member, [...path, key], document, env)]),
  );
}

function fillInText(
  text: string,
  path: readonly (string | number)[],
  document: YamlDocument,
  env: Environment,
): string {
  const at = { file: document.file, line: document.lineOf(path) };
  return text.replaceAll(/\$\{([^}]*)(\}?)/g, (whole, name: string, end: string) => {
    if (end === '') throw new UsageError(`${inert(whole, 60)} has no closing brace: write \${NAME}.`, at);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new UsageError(`${inert(whole, 60)} is not the name of a variable: write \${NAME}.`, at);
    }
    const value = env[name];
    if (value !== undefined) return value;
    throw new UsageError(`\${${name}} is not set in the environment.`, at);
  });
}

/** Levels that the user changed, by clause id. Whether there is such a clause is the contract's to say. */
export function levelsOf(config: ConfigFile | undefined): Readonly<Record<string, Level>> {
  const given = config?.values[LEVELS_IN_FILE];
  if (config === undefined || given === undefined) return {};
  const at = (...path: readonly string[]) => ({ file: config.file, line: config.lineOf(LEVELS_IN_FILE, ...path) });
  if (!isObject(given)) throw new UsageError('levels must be a map from clause ids to levels.', at());
  return Object.fromEntries(
    Object.entries(given).map(([clause, level]) => {
      const known = LEVELS.find((each) => each === level);
      if (known) return [clause, known];
      const shown = typeof level === 'string' ? level : JSON.stringify(level);
      const guess = didYouMean(shown, LEVELS);
      throw new UsageError(
        `the level of ${clause} must be one of ${LEVELS.join(', ')}, not "${shown}".${guess}`,
        at(clause),
      );
    }),
  );
}
