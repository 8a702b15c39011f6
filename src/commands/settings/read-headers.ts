/** Headers that the user adds to every request. */
import type { ExtraHeader } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { flagOf, type Merged } from './merge-settings.ts';

/** RFC 9110, 5.6.2: a token. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5: visible characters, spaces and tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Why a header is not the user's to set. */
const RESERVED: Readonly<Record<string, string>> = {
  authorization: 'the key goes into WIRECHECK_API_KEY, so that the cases can send other keys and none',
  'user-agent': 'use --user-agent',
  'content-type': 'the cases set it, and test what happens without it',
  'content-length': 'it follows from the body',
  'transfer-encoding': 'it follows from the body',
  connection: 'it belongs to the connection',
  'keep-alive': 'it belongs to the connection',
  upgrade: 'it belongs to the connection',
  expect: 'it belongs to the connection',
};

export function readHeaders(merged: Merged, env: Readonly<Record<string, string | undefined>>): readonly ExtraHeader[] {
  return [
    ...(merged.get('header') ?? []).map((text) => plainHeader(text)),
    ...(merged.get('header-env') ?? []).map((text) => secretHeader(text, env)),
  ];
}

function plainHeader(text: string): ExtraHeader {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(text) ?? [];
  return checkHeader({ name: name.trim(), value: value.trim(), secret: false }, flagOf('header'), 'Name: value');
}

function secretHeader(text: string, env: Readonly<Record<string, string | undefined>>): ExtraHeader {
  const [, name = '', variable = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const flag = flagOf('header-env');
  const value = env[variable.trim()]?.trim();
  const header = checkHeader({ name: name.trim(), value: value ?? '', secret: true }, flag, 'Name=VAR');
  if (value === undefined || value === '') {
    throw new UsageError(
      `${flag} takes the value of ${header.name} from the variable ${variable.trim()}, which is not set.`,
    );
  }
  return header;
}

/** The value stays out of every sentence: it may be a secret all the same. */
function checkHeader(header: ExtraHeader, flag: string, form: string): ExtraHeader {
  if (!NAME.test(header.name)) throw new UsageError(`${flag} must be written as ${form}, with a proper header name.`);
  const reason = RESERVED[header.name.toLowerCase()];
  if (reason !== undefined) throw new UsageError(`${flag} cannot set ${header.name}: ${reason}.`);
  if (!VALUE.test(header.value)) {
    throw new UsageError(
      `${flag} ${header.name} has a value that a header cannot carry: no line ends, no control characters.`,
    );
  }
  return header;
}
