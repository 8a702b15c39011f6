/** The keys of a run, from the environment or from a file, never from the command line. */
import type { Keys, Settings, ExtraHeader } from '../../settings.ts';
import { faultOfKey } from '../../run/check-address.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import { readTextFile } from '../files/user-files.ts';
import type { Merged, Origin } from './merge-settings.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import type { Mistakes } from '../../mistakes.ts';
import { flagOf } from '../../settings/setting-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const { full: _full, ...EXTRA_KEYS } = KEY_VARIABLES;

/** The full key may be missing. */
export function findKeys(merged: Merged, env: Environment, cwd: string): Keys {
  const full = findFullKey(merged, env, cwd);
  return { ...(full !== undefined && { full }), ...findExtraKeys(env) };
}

export function findExtraKeys(env: Environment): Omit<Keys, 'full'> {
  const extra = Object.entries(EXTRA_KEYS).flatMap(([role, variable]) => {
    const text = env[variable];
    return text === undefined || text.trim() === '' ? [] : [[role, checkKey(text, variable)]];
  });
  return Object.fromEntries(extra) as Omit<Keys, 'full'>;
}

export function requireKeys(merged: Merged, env: Environment, cwd: string): Keys {
  const keys = findKeys(merged, env, cwd);
  if (keys.full !== undefined) return keys;
  const empty = env[KEY_VARIABLES.full] === undefined ? '' : ` (${KEY_VARIABLES.full} is set, but empty)`;
  throw usageError.KEY_MISSING(
    `No API key${empty}: set ${KEY_VARIABLES.full}, or use --api-key-env NAME or --api-key-file FILE.`,
  );
}

/**
 * Where the full key comes from: empty for its usual variable. Whatever names a variable or a file overrides that one: a flag
 * or a target, then a setting's variable, then the config file.
 */
export function findKeySource(merged: Merged): Pick<Settings, 'apiKeyEnv' | 'apiKeyFile'> {
  const apiKeyEnv = merged.get('api-key-env');
  const apiKeyFile = merged.get('api-key-file');
  if (apiKeyEnv === undefined) return apiKeyFile === undefined ? {} : { apiKeyFile };
  if (apiKeyFile === undefined) return { apiKeyEnv };
  const [variable, file] = [merged.origin('api-key-env'), merged.origin('api-key-file')];
  const [ofVariable, ofFile] = [rankOf(variable), rankOf(file)];
  if (ofVariable !== ofFile) return ofVariable < ofFile ? { apiKeyEnv } : { apiKeyFile };
  // As the user wrote them, at the line of the latter.
  const labels = `${variable?.label ?? '--api-key-env'} and ${file?.label ?? '--api-key-file'}`;
  const [at] = [variable?.at, file?.at].filter((each) => each !== undefined).toSorted((a, b) => b.line - a.line);
  throw usageError.CONFLICT(`${labels} cannot be used together: give one of them.`, at);
}

const RANKS = ['target', 'flag', 'variable', 'file'] as const satisfies readonly Origin['kind'][];

function rankOf(origin: Origin | undefined): number {
  return origin === undefined ? RANKS.length : RANKS.indexOf(origin.kind);
}

function findFullKey(merged: Merged, env: Environment, cwd: string): string | undefined {
  const { apiKeyEnv, apiKeyFile } = findKeySource(merged);
  if (apiKeyFile !== undefined)
    return checkKey(readTextFile('the key file', apiKeyFile, cwd), `the key file ${apiKeyFile}`);
  const text = env[apiKeyEnv ?? KEY_VARIABLES.full];
  if (text !== undefined && text.trim() !== '') return checkKey(text, apiKeyEnv ?? KEY_VARIABLES.full);
  if (apiKeyEnv === undefined) return undefined;
  throw usageError.KEY_MISSING(
    `${nameVariable(apiKeyEnv, merged.origin('api-key-env')?.label)} is ${text === undefined ? 'not set' : 'empty'}: set it to the key, or name another variable.`,
    merged.origin('api-key-env')?.at,
  );
}

/** Only a name in the usual spelling is quoted: anything else may be the key, given in the place of its variable. */
function nameVariable(name: string, label = '--api-key-env'): string {
  return /^[A-Z_][A-Z0-9_]{0,60}$/.test(name)
    ? `The variable ${name}, named by ${label},`
    : `The variable named by ${label}`;
}

/** White space around a key comes from copying, and a line break from its file. */
function checkKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw usageError.KEY_MISSING(`The key in ${place} is empty: put the key there.`);
  const wrong = faultOfKey(key);
  if (wrong !== undefined) throw usageError.KEY_INVALID(`The key in ${place} ${wrong}`);
  return key;
}

/** RFC 9110, 5.6.2: a token. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5: visible characters, spaces and tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that cannot be set, and why. */
const RESERVED: Readonly<Record<string, string>> = {
  authorization: 'set WIRECHECK_API_KEY instead, so that cases can also send other keys, or none',
  'user-agent': 'use --user-agent',
  'content-type': 'cases set it, and test what happens without it',
  'content-length': 'it follows from the body',
  'transfer-encoding': 'it follows from the body',
  connection: 'it belongs to the connection',
  'keep-alive': 'it belongs to the connection',
  upgrade: 'it belongs to the connection',
  expect: 'it belongs to the connection',
};

export function readHeaders(
  merged: Merged,
  env: Readonly<Record<string, string | undefined>>,
  mistakes: Mistakes,
): readonly ExtraHeader[] {
  const from = (name: 'header' | 'header-env', index: number) => merged.origin(name, index) ?? { label: flagOf(name) };
  const readers = [
    ...(merged.get('header') ?? []).map((text, index) => () => plainHeader(text, from('header', index))),
    ...(merged.get('header-env') ?? []).map((text, index) => () => secretHeader(text, env, from('header-env', index))),
  ];
  return readers.flatMap((read) => mistakes.attempt(read) ?? []);
}

type From = Pick<Origin, 'label' | 'at'>;

function plainHeader(text: string, from: From): ExtraHeader {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(text) ?? [];
  return checkHeader({ name: name.trim(), value: value.trim(), secret: false }, from, 'Name: value');
}

function secretHeader(text: string, env: Readonly<Record<string, string | undefined>>, from: From): ExtraHeader {
  const [, name = '', variable = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const value = env[variable.trim()]?.trim();
  const header = checkHeader(
    { name: name.trim(), value: value ?? '', secret: true, variable: variable.trim() },
    from,
    'Name=VAR',
  );
  if (value === undefined || value === '') {
    throw usageError.VALUE_MISSING(
      `${from.label}: the variable ${variable.trim()} for ${header.name} is ${value === '' ? 'empty' : 'not set'}: set it.`,
      from.at,
    );
  }
  return header;
}

/** No message quotes a value, which may be secret. */
function checkHeader(header: ExtraHeader, { label, at }: From, form: string): ExtraHeader {
  if (!NAME.test(header.name)) throw new UsageError(`${label} must be ${form} with a valid header name.`, at);
  const reason = RESERVED[header.name.toLowerCase()];
  if (reason !== undefined) throw new UsageError(`${label} cannot set ${header.name}: ${reason}.`, at);
  if (!VALUE.test(header.value)) {
    throw new UsageError(
      `${label} ${header.name} has control characters or characters beyond Latin-1: remove them.`,
      at,
    );
  }
  return header;
}
