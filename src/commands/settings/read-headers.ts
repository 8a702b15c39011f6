/** `--header` and `--header-env`. */
import type { ExtraHeader } from '../../settings.ts';
import type { Mistakes } from '../../mistakes.ts';
import { UsageError } from '../../usage-error.ts';
import { flagOf } from '../../settings/setting-names.ts';
import type { Merged, Origin } from './merge-settings.ts';

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
    throw new UsageError(
      `${from.label}: the variable ${variable.trim()} for ${header.name} is ${value === '' ? 'empty' : 'not set'}: set it.`,
      { ...from.at, code: 'VALUE_MISSING' },
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
