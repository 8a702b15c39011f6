/** Headers that the user adds to every request. */
import type { ExtraHeader } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { flagOf } from '../../settings/setting-names.ts';
import type { Merged, Origin } from './merge-settings.ts';

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
  const from = (name: 'header' | 'header-env', index: number) => merged.origin(name, index) ?? { label: flagOf(name) };
  return [
    ...(merged.get('header') ?? []).map((text, index) => plainHeader(text, from('header', index))),
    ...(merged.get('header-env') ?? []).map((text, index) => secretHeader(text, env, from('header-env', index))),
  ];
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
      `${from.label} takes the value of ${header.name} from the variable ${variable.trim()}, which is ${value === '' ? 'empty' : 'not set'}.`,
      from.at,
    );
  }
  return header;
}

/** The value stays out of every sentence: it may be a secret all the same. */
function checkHeader(header: ExtraHeader, { label, at }: From, form: string): ExtraHeader {
  if (!NAME.test(header.name))
    throw new UsageError(`${label} must be written as ${form}, with a proper header name.`, at);
  const reason = RESERVED[header.name.toLowerCase()];
  if (reason !== undefined) throw new UsageError(`${label} cannot set ${header.name}: ${reason}.`, at);
  if (!VALUE.test(header.value)) {
    throw new UsageError(
      `${label} ${header.name} has a value that a header cannot carry: no line ends, no control characters.`,
      at,
    );
  }
  return header;
}
